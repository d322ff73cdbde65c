import { type DerNode, malformed, parseDer, TAG } from './der.ts';
import { readExtension } from './extensions.ts';
import { readSmallInteger } from './fields.ts';
import { TimestampError } from './timestamp-error.ts';

/** A certificate that was revoked. */
export type Revocation = {
  readonly atMicros: number;
  /** Its reason says that the key is not in other hands (RFC 3161 section 4): what it stamped before stays good. */
  readonly isHarmless: boolean;
};

/** What a revocation list, or a response of OCSP, says of the certificates of a chain. */
export type RevocationStatement = { readonly issuedAtMicros: number; readonly revoked: readonly Revocation[] };

/** unspecified, affiliationChanged, superseded, cessationOfOperation. */
const HARMLESS_REASONS: readonly number[] = [0, 3, 4, 5];

/** Whether a CRLReason (RFC 5280 section 5.3.1) is harmless. Throws `TimestampError`. */
export function isHarmlessReason(node: DerNode, what: string): boolean {
  if (node.tag !== TAG.enumerated) throw malformed(what);
  return HARMLESS_REASONS.includes(readSmallInteger(node, what));
}

/** The same of its DER. */
export function isHarmlessReasonDer(value: Uint8Array, what: string): boolean {
  return isHarmlessReason(parseDer(value), what);
}

/** The extensions by name. A critical one says that this is of something else, or less than it seems. */
export function refuseCritical(list: DerNode, what: string): ReadonlyMap<string, Uint8Array> {
  if (list.tag !== TAG.sequence) throw malformed(what);
  const read = list.children.map(readExtension);
  if (read.some(({ isCritical }) => isCritical)) throw malformed(what);
  return new Map(read.map(({ oid, value }) => [oid, value]));
}

/** What is read; undefined for what cannot be, or does not hold. */
export async function asNothing<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof TimestampError) return undefined;
    throw error;
  }
}
