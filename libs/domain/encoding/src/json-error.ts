/** How deep arrays and objects may nest in a submitted document; the outermost container is level 1. */
export const JSON_DEPTH_MAX = 64;

/** A submitted document of at most this many UTF-16 code units is cheap to read, whatever it contains. */
export const JSON_SMALL_LENGTH = 1024 * 1024;
/**
 * The most values that a larger document may have, as `hasMoreValues` counts them. Legitimate large documents (long
 * texts, lists of 10,000 small objects) stay below it; a document full of tiny values would block the process for a
 * second.
 */
export const JSON_VALUES_MAX = 100_000;

/** Why a document was refused. */
export type JsonErrorCode =
  | 'malformed'
  | 'duplicate_key'
  | 'too_deep'
  | 'too_many_values'
  | 'number_out_of_range'
  | 'nul_character'
  | 'lone_surrogate';

const MESSAGES: Readonly<Record<JsonErrorCode, string>> = {
  malformed: 'not a JSON document in UTF-8',
  duplicate_key: 'an object contains a key twice',
  too_deep: `arrays and objects are nested deeper than ${JSON_DEPTH_MAX} levels`,
  too_many_values: `the document has more than ${JSON_VALUES_MAX} values`,
  number_out_of_range: 'a number overflows, or is an integer beyond 2^53 - 1',
  nul_character: 'a string or key contains the character U+0000',
  lone_surrogate: 'a string or key contains an unpaired surrogate',
};

/** A refused document: `pointer` (RFC 6901) names the place, and the message holds no submitted text. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly code: JsonErrorCode;
  /** Made of submitted keys, so it ends before the first one that holds U+0000 or a lone surrogate. */
  readonly pointer: string;

  constructor(code: JsonErrorCode, path: readonly (string | number)[] = []) {
    super(MESSAGES[code]);
    this.code = code;
    const steps = path.map((step) => String(step));
    const end = steps.findIndex((step) => step.includes('\0') || !step.isWellFormed());
    const named = end < 0 ? steps : steps.slice(0, end);
    this.pointer = named.map((step) => '/' + step.replaceAll('~', '~0').replaceAll('/', '~1')).join('');
  }
}
