import * as z from 'zod';
import { sha256, sha512 } from '@answer-evidence/digest';
import {
  canonicalize,
  concatBytes,
  formatBase64,
  formatHex,
  parseBase64,
  parseJsonText,
} from '@answer-evidence/encoding';
import { type StoredAnchor, StoredDamageError } from '@answer-evidence/ports';
import { confirmationOf } from '../anchoring/anchor-state.ts';
import type { TrustDeps } from '../deps.ts';
import type { RenewalCause } from './plan-renewal.ts';

/** What is stored of a renewal beside its anchor. */
export type RenewalContents = {
  /** The hashes that it covers: of tokens, of a checkpoint and of revocation lists. */
  readonly covered: readonly Uint8Array[];
  readonly cause: RenewalCause;
  readonly hash: RenewalHash;
  /** The first end of a certificate of the tokens that it covers (µs); null where none is known. */
  readonly endsAt: number | null;
  /** Revocation lists and responses of OCSP of the time, DER. */
  readonly lists: readonly Uint8Array[];
  /** Why lists are missing. */
  readonly faults: readonly string[];
};

/** With what the tree of a renewal is made. SHA-512 hashes everything anew (RFC 4998 section 5.3), from then on. */
export type RenewalHash = 'sha-256' | 'sha-512';

const HASH_BYTES: Readonly<Record<RenewalHash, number>> = { 'sha-256': 32, 'sha-512': 64 };
const keptForm = z.strictObject({
  cause: z.enum(['certificate', 'algorithm']),
  ends_at: z.int().nullable(),
  /** Left out for SHA-256. */
  hash: z.literal('sha-512').optional(),
  lists: z.array(z.string()),
  faults: z.array(z.string()),
});

/** The name of a renewal among anchors: no policy has an anchor with a dot. */
export function formatRenewalId(anchorId: string, number: number): string {
  return `${anchorId}.renewal-${number}`;
}

/** The anchor whose authority makes a renewal, and its number. */
export function parseRenewalId(id: string): { readonly anchorId: string; readonly number: number } {
  const [anchorId = '', number = ''] = id.split('.renewal-');
  return { anchorId, number: Number(number) };
}

/** One hash of a tree. */
export function digestWith(hash: RenewalHash, input: Uint8Array): Uint8Array {
  return hash === 'sha-512' ? sha512(input) : sha256(input);
}

/** The columns of a renewal. */
export function formatRenewal({ covered, cause, hash, endsAt, lists, faults }: RenewalContents) {
  const kept = {
    cause,
    ends_at: endsAt,
    ...(hash === 'sha-256' ? {} : { hash }),
    lists: lists.map((list) => formatBase64(list)),
    faults: [...faults],
  };
  return { covered: concatBytes(...covered), kept: canonicalize(kept) };
}

/** What a stored renewal covers and keeps. Throws `StoredDamageError`. */
export function readRenewal({ anchor }: StoredAnchor): RenewalContents {
  const { covered, kept } = anchor;
  const read = kept === null ? undefined : keptForm.safeParse(parseJsonText(kept)).data;
  const size = HASH_BYTES[read?.hash ?? 'sha-256'];
  if (covered === null || read === undefined || covered.length % size !== 0)
    throw new StoredDamageError(`the renewal ${anchor.anchor_id} is not what was written`);
  const hashes = Array.from({ length: covered.length / size }, (_, n) => covered.slice(n * size, (n + 1) * size));
  const { cause, hash = 'sha-256', ends_at: endsAt, lists, faults } = read;
  return { covered: hashes, cause, hash, endsAt, lists: lists.map((list) => parseBase64(list)), faults };
}

/**
 * The renewals that may still be confirmed, oldest first: they cover the last one that was. Of several that were asked
 * for together, one is confirmed, and none of the others covers it.
 */
export function findOpenRenewals(
  stored: readonly StoredAnchor[],
  extractToken: TrustDeps['extractToken'],
): readonly StoredAnchor[] {
  const last = stored.findLast((one) => confirmationOf(one) !== undefined);
  const artefact = last === undefined ? undefined : confirmationOf(last)?.artefact;
  const token = artefact ? extractToken(artefact) : undefined;
  const hashes = token === undefined ? undefined : [sha256(token), sha512(token)];
  const isOpen = (one: StoredAnchor) => hashes === undefined || hashes.some((hash) => covers(one, hash));
  return stored.filter((one) => confirmationOf(one) === undefined && isOpen(one));
}

/** Whether a renewal covers a hash, without reading the others. */
export function covers({ anchor: { covered } }: StoredAnchor, hash: Uint8Array): boolean {
  const wanted = formatHex(hash);
  for (let from = 0; covered !== null && from < covered.length; from += hash.length)
    if (covered[from] === hash[0] && formatHex(covered.subarray(from, from + hash.length)) === wanted) return true;
  return false;
}
