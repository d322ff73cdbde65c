import type { JsonObject } from '@answer-evidence/contracts';

/** Members by which applications name a source, the best first. */
const NAMES = ['source_name', 'title', 'name', 'file', 'path', 'url', 'uri', 'source_ref_id'];
/** A longer one is a text and no name, in UTF-16 code units. */
const NAME_MAX = 200;

/** What a reader knows a source by; undefined where it says nothing of the kind. */
export function nameSource(source: JsonObject): string | undefined {
  const values = NAMES.map((name) => source[name]);
  return values.find((value): value is string => typeof value === 'string' && value !== '' && value.length <= NAME_MAX);
}
