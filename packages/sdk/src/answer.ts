import type { CreateRecordRequest, TextOrHash } from '@answer-evidence/contracts';
import { EvidenceError } from './errors.ts';

/** A text, or an object with the text, your commitment to it, or both. */
export type Text = string | TextOrHash;

/** An answer to record, in the fields of the API. The application is that of the `AnswerEvidence`. */
export type Answer = Omit<CreateRecordRequest, 'application_key' | 'question' | 'answer'> & {
  readonly question: Text;
  readonly answer: Text;
};

/** Where a text stands that is about to leave the process. */
export type MaskedPlace = 'question' | 'answer' | 'corrected_answer' | 'reason' | 'source_ref' | 'semantic_ref';

/**
 * Is given each text before it leaves the process or is written to a folder, and returns what may leave in its place.
 * If it throws, nothing leaves.
 */
export type Mask = (text: string, place: MaskedPlace) => string;

/** The body of a create, with every text masked. */
export function toRequest(
  answer: Answer,
  application: string,
  key: string,
  mask: Mask | undefined,
): CreateRecordRequest {
  const { question, answer: given, ...rest } = answer;
  const request = {
    ...rest,
    application_key: application,
    idempotency_key: key,
    question: toTextOrHash(question, 'question', mask),
    answer: toTextOrHash(given, 'answer', mask),
  };
  if (mask === undefined) return request;
  const { source_refs: sources, semantic_refs: semantics } = rest;
  return {
    ...request,
    ...(sources === undefined ? {} : { source_refs: maskAll(sources, 'source_ref', mask) }),
    ...(semantics === undefined ? {} : { semantic_refs: maskAll(semantics, 'semantic_ref', mask) }),
  };
}

/** A text as the API takes it, masked. */
export function toTextOrHash(text: Text, place: MaskedPlace, mask: Mask | undefined): TextOrHash {
  const given = typeof text === 'string' ? { text } : text;
  return mask === undefined || given.text === undefined ? given : { ...given, text: mask(given.text, place) };
}

/** The JSON of a request. Throws `EvidenceError` for what JSON cannot hold. */
export function formatRequest(request: CreateRecordRequest): string {
  try {
    return JSON.stringify(request);
  } catch (cause) {
    throw new EvidenceError('not_json', 'the answer cannot be written as JSON', { cause });
  }
}

/** The same value with every text in it masked; the names of members stay. */
function maskAll<T>(value: T, place: MaskedPlace, mask: Mask): T {
  return mapTexts(value, (text) => mask(text, place)) as T;
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapTexts(one, map)]));
}
