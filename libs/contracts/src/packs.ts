import * as z from 'zod';
import { PAGE_SIZE_MAX } from './pages.ts';
import { anyUuid } from './primitives.ts';
import { createProofLinkRequest, proofLinkShows } from './proof-links.ts';
import { atMost } from './text-length.ts';

/** Longest purpose or recipient on the cover of a pack. */
export const PACK_COVER_LENGTH_MAX = 500;
const coverText = z.string().trim().min(1, 'must not be empty').check(atMost(PACK_COVER_LENGTH_MAX));

/** Body of `POST /api/trust/packs`: the records of an evidence pack, in this order. */
export const createPackRequest = z.strictObject({
  answer_log_ids: z
    .array(anyUuid)
    .min(1, 'must name at least one record')
    .max(PAGE_SIZE_MAX, `must name at most ${PAGE_SIZE_MAX} records`)
    .refine((ids) => new Set(ids).size === ids.length, 'must name each record once'),
  /** Leaves the texts of question, answer and corrections out: the bundles are then of version 2. */
  texts: z.literal('withheld').optional(),
  /** What the pack is made for, and for whom: both are on its cover, and in the entry of the log. */
  purpose: coverText.optional(),
  recipient: coverText.optional(),
  /**
   * Makes a link for the person concerned to each record that can have one; a QR code in the pack leads there. A pack
   * without texts makes links that show commitments, unless `shows` says otherwise.
   */
  proof_links: z.strictObject({ ...createProofLinkRequest.shape, shows: proofLinkShows.optional() }).optional(),
  /** The approved request for exactly this pack, which it uses up. */
  approval_id: anyUuid.optional(),
});
export type CreatePackRequest = z.input<typeof createPackRequest>;

/** Whether texts leave with a pack that was asked for so: in its bundles, or by links that show the records. */
export function takesTexts({ texts, proof_links: links }: Pick<CreatePackRequest, 'texts' | 'proof_links'>): boolean {
  return texts !== 'withheld' || links?.shows === 'record';
}
