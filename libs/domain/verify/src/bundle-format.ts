import { type AnyBundle, proofBundle, withheldBundle } from '@answer-evidence/contracts';

/** The input is not a bundle of a version that this verifier reads, so there is nothing to check. */
export class BundleFormatError extends Error {
  override readonly name = 'BundleFormatError';
}

/** A bundle of the format, or where it departs from it and which record it claims to be about. */
export type ReadBundle =
  | { readonly kind: 'bundle'; readonly bundle: AnyBundle }
  | { readonly kind: 'malformed'; readonly reason: string; readonly answerLogId: string };

/**
 * Reads a bundle. Throws `BundleFormatError` unless it is an object that names the format. A damaged one is returned
 * with the reason, because a damaged bundle must fail its checks and not escape them.
 */
export function readBundle(value: unknown): ReadBundle {
  if (typeof value !== 'object' || value === null || !('format' in value)) {
    throw new BundleFormatError('this is not a proof bundle');
  }
  const read = formOf(value.format).safeParse(value);
  if (read.success) return { kind: 'bundle', bundle: read.data };
  const path = read.error.issues[0]?.path ?? [];
  const pointer = path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return {
    kind: 'malformed',
    reason: `the bundle does not match its format at ${pointer === '' ? 'its top' : pointer}`,
    answerLogId: findRecordId(value),
  };
}

function formOf(format: unknown): typeof proofBundle | typeof withheldBundle {
  if (format === 'answer-evidence-bundle/v1') return proofBundle;
  if (format === 'answer-evidence-bundle/v2') return withheldBundle;
  throw new BundleFormatError('the format of the bundle is neither answer-evidence-bundle/v1 nor /v2');
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id that a malformed bundle gives to its record; empty when it gives none. */
function findRecordId(value: object): string {
  const id = getMember(getMember(getMember(value, 'record'), 'core'), 'id');
  return typeof id === 'string' && UUID.test(id) ? id : '';
}

function getMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
