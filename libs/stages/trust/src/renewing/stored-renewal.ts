import * as z from 'zod';
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
import type { RenewalCause } from './plan-renewal.ts';

/** What is stored of a renewal beside its anchor. */
export type RenewalContents = {
  /** The hashes that it covers: of tokens, of a checkpoint and of revocation lists. */
  readonly covered: readonly Uint8Array[];
  readonly cause: RenewalCause;
  /** The first end of a certificate of the tokens that it covers (µs); null where none is known. */
  readonly endsAt: number | null;
  /** Revocation lists and responses of OCSP of the time, DER. */
  readonly lists: readonly Uint8Array[];
  /** Why lists are missing. */
  readonly faults: readonly string[];
};

const HASH_BYTES = 32;
const keptForm = z.strictObject({
  cause: z.enum(['certificate', 'algorithm']),
  ends_at: z.int().nullable(),
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

/** The columns of a renewal. */
export function formatRenewal({ covered, cause, endsAt, lists, faults }: RenewalContents) {
  const kept = { cause, ends_at: endsAt, lists: lists.map((list) => formatBase64(list)), faults: [...faults] };
  return { covered: concatBytes(...covered), kept: canonicalize(kept) };
}

/** What a stored renewal covers and keeps. Throws `StoredDamageError`. */
export function readRenewal({ anchor }: StoredAnchor): RenewalContents {
  const { covered, kept } = anchor;
  const read = kept === null ? undefined : keptForm.safeParse(parseJsonText(kept)).data;
  if (covered === null || read === undefined || covered.length % HASH_BYTES !== 0)
    throw new StoredDamageError(`the renewal ${anchor.anchor_id} is not what was written`);
  const hashes = Array.from({ length: covered.length / HASH_BYTES }, (_, n) =>
    covered.slice(n * HASH_BYTES, (n + 1) * HASH_BYTES),
  );
  const { cause, ends_at: endsAt, lists, faults } = read;
  return { covered: hashes, cause, endsAt, lists: lists.map((list) => parseBase64(list)), faults };
}

/**
 * The renewals that may still be confirmed, oldest first: they cover the last one that was. Of several that were asked
 * for together, one is confirmed, and none of the others covers it.
 */
export async function findOpenRenewals(
  stored: readonly StoredAnchor[],
  hashToken: (responseDer: Uint8Array) => Promise<Uint8Array>,
): Promise<readonly StoredAnchor[]> {
  const last = stored.findLast((one) => confirmationOf(one) !== undefined);
  const artefact = last === undefined ? undefined : confirmationOf(last)?.artefact;
  const hash = artefact ? await hashToken(artefact) : undefined;
  return stored.filter((one) => confirmationOf(one) === undefined && (hash === undefined || covers(one, hash)));
}

/** Whether a renewal covers a hash, without reading the others. */
export function covers({ anchor: { covered } }: StoredAnchor, hash: Uint8Array): boolean {
  const wanted = formatHex(hash);
  for (let from = 0; covered !== null && from < covered.length; from += HASH_BYTES)
    if (covered[from] === hash[0] && formatHex(covered.subarray(from, from + HASH_BYTES)) === wanted) return true;
  return false;
}
