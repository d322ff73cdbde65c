import * as z from 'zod';
import { anyUuid, uuid } from './primitives.ts';
import { textState } from './records.ts';
import { revealRequest } from './reveals.ts';

/** Most records whose texts one request brings. */
export const BROWSED_MAX = 100;
/** Characters of a text that are brought at most. */
export const EXCERPT_LENGTH = 280;

/** Body of `POST /api/search/texts`. The log keeps the reason for ever: no personal data. */
export const browseRequest = revealRequest.extend({
  answer_log_ids: z
    .array(anyUuid)
    .min(1, 'must have at least 1 item')
    .max(BROWSED_MAX, `must have at most ${BROWSED_MAX} items`),
});
export type BrowseRequest = z.infer<typeof browseRequest>;

/** The beginning of a text; null where none is stored. */
const excerpt = z.strictObject({ text: z.string().nullable(), text_state: textState, is_cut: z.boolean() });

/** How the texts of one record begin. */
export const browsedText = z.strictObject({
  answer_log_id: uuid,
  question: excerpt,
  /** The answer that holds: the last correction, or the original; of a voided record the last that held. */
  answer: excerpt,
  /** Which answer holds. */
  holds: z.enum(['original', 'correction', 'none']),
  /** The entry of the log that says who read it, and why; the same of all texts of a response. */
  entry_id: uuid,
});
export type BrowsedText = z.infer<typeof browsedText>;
/** Response of `POST /api/search/texts`, in the order of the request; a record that is named twice is there once. */
export const browsedTexts = z.strictObject({ items: z.array(browsedText) });
export type BrowsedTexts = z.infer<typeof browsedTexts>;
