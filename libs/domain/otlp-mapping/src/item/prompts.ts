import { sha256Hex } from '@answer-evidence/digest';

/** What a span says of what it retrieved, as far as it tells a question from a prompt. */
export type Retrieved = {
  /** What was searched for. */
  readonly query: string | null;
  /** How its documents begin, as hashes. Empty where it is not known what they say. */
  readonly openings: readonly string[];
};

/** Names a text without it. */
export function nameText(text: string): string {
  return sha256Hex(text.toWellFormed());
}

/**
 * How much of a document is looked for in a text: as much as the document has, of these. What is shorter could stand in
 * any question.
 */
const OPENING_LENGTHS = [48, 24, 12];
/** The factors of two hashes of 32 bits, which together are one of 64. */
const FACTORS = [0x01000193, 0x5bd1e995] as const;

/** Names the beginning of a document without its text; undefined of one that is too short. */
export function nameOpening(document: string): string | undefined {
  const text = document.trimStart();
  const length = OPENING_LENGTHS.find((one) => one <= text.length);
  if (length === undefined) return undefined;
  let [a, b] = [0, 0];
  for (let n = 0; n < length; n++) {
    a = (Math.imul(a, FACTORS[0]) + text.charCodeAt(n)) | 0;
    b = (Math.imul(b, FACTORS[1]) + text.charCodeAt(n)) | 0;
  }
  return `${length}:${a}:${b}`;
}

/** Whether one of these openings stands anywhere in a text. Takes time linear in the text. */
function containsOpening(text: string, openings: ReadonlySet<string>): boolean {
  return OPENING_LENGTHS.some((length) => {
    return [...openings].some((name) => name.startsWith(`${length}:`)) && hasWindow(text, length, openings);
  });
}

function hasWindow(text: string, length: number, openings: ReadonlySet<string>): boolean {
  const [farA, farB] = [powerOf(FACTORS[0], length), powerOf(FACTORS[1], length)];
  let [a, b] = [0, 0];
  for (let n = 0; n < text.length; n++) {
    const [code, gone] = [text.charCodeAt(n), n < length ? 0 : text.charCodeAt(n - length)];
    a = (Math.imul(a, FACTORS[0]) + code - Math.imul(farA, gone)) | 0;
    b = (Math.imul(b, FACTORS[1]) + code - Math.imul(farB, gone)) | 0;
    if (n + 1 >= length && openings.has(`${length}:${a}:${b}`)) return true;
  }
  return false;
}

function powerOf(factor: number, exponent: number): number {
  let power = 1;
  for (let n = 0; n < exponent; n++) power = Math.imul(power, factor);
  return power;
}

/**
 * The question in a message for a model, beside what was retrieved for it. A message into which documents were filled
 * is a prompt: the question in it is what was searched for, if it contains that. `isPrompt`: it is known to be one.
 * Where it is not known what the documents say, a message of several lines may be one.
 */
export function findAsked(message: string, isPrompt: boolean, retrieved: readonly Retrieved[]): string | undefined {
  const openings = new Set(retrieved.flatMap((one) => one.openings));
  const queries = retrieved.flatMap(({ query }) => (query !== null && query !== '' ? [query] : []));
  const contained = queries.filter((query) => message.includes(query) && !containsOpening(query, openings));
  const mayBePrompt = message.includes('\n') && retrieved.some((one) => one.openings.length === 0);
  if (!isPrompt && !mayBePrompt && !containsOpening(message, openings)) return message;
  return contained.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))[0];
}
