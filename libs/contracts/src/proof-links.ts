import * as z from 'zod';
import { actor } from './actors.ts';
import { anyUuid, timestamp, uuid } from './primitives.ts';
import { atMost } from './text-length.ts';

/** Longest life of a link to a record, in seconds: 90 days. */
export const PROOF_LINK_LIFE_SECONDS_MAX = 90 * 86_400;
/** Life of a link that names none, in seconds: 30 days. */
export const PROOF_LINK_LIFE_SECONDS_DEFAULT = 30 * 86_400;
/** Most links of one record that are neither revoked nor expired. */
export const PROOF_LINKS_MAX = 20;
/** Of the openings of a link within so many seconds of one that is an entry, none is another entry. */
export const PROOF_OPENING_SECONDS = 3600;

/** The page that a link leads to; what is secret stands behind the `#`. */
export const PROOF_PAGE_PATH = '/proof/';

/** What a link shows: the record with its texts, or no more than what the log commits to. */
export const proofLinkShows = z.enum(['record', 'commitments']);
export type ProofLinkShows = z.infer<typeof proofLinkShows>;

/** Body of `POST /api/answer-audit-logs/{answer_log_id}/proof-links`. */
export const createProofLinkRequest = z.strictObject({
  shows: proofLinkShows.default('record'),
  expires_in_seconds: z
    .int()
    .min(60, 'must be at least 60 seconds')
    .max(PROOF_LINK_LIFE_SECONDS_MAX, `must be at most ${PROOF_LINK_LIFE_SECONDS_MAX} seconds (90 days)`)
    .default(PROOF_LINK_LIFE_SECONDS_DEFAULT),
});
export type CreateProofLinkRequest = z.input<typeof createProofLinkRequest>;

/** A link to one record, without what opens it. */
export const proofLink = z.strictObject({
  id: uuid,
  answer_log_id: uuid,
  shows: proofLinkShows,
  created_at: timestamp,
  created_by: actor,
  expires_at: timestamp,
  revoked_at: timestamp.nullable(),
  /** When it was opened last, as the log says: of openings within an hour, the first is an entry. */
  opened_at: timestamp.nullable(),
});
export type ProofLink = z.infer<typeof proofLink>;

/** The reply to the making of a link: `token` opens it and is not shown again; `url` holds it behind its `#`. */
export const createdProofLink = z.strictObject({ ...proofLink.shape, url: z.string(), token: z.string() });
export type CreatedProofLink = z.infer<typeof createdProofLink>;

/** `GET /api/answer-audit-logs/{answer_log_id}/proof-links`: newest first, at most the newest 200. */
export const proofLinkList = z.strictObject({ items: z.array(proofLink) });
export type ProofLinkList = z.infer<typeof proofLinkList>;

/** The parameters of a path of one link. */
export const ofProofLink = z.strictObject({ answer_log_id: anyUuid, proof_link_id: anyUuid });

/** Body of `POST /api/proof-links/open`. The token is in no address, so that no log has it. */
export const openProofLinkRequest = z.strictObject({
  token: z.string().min(1, 'must not be empty').check(atMost(200)),
});
