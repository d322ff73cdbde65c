import * as z from 'zod';
import { markedFilters } from './marked-records.ts';
import { shownName, timestamp, uuid } from './primitives.ts';

/** Most views that a workspace has. */
export const VIEWS_MAX = 200;
/** Longest name of one, in UTF-16 code units. */
export const VIEW_NAME_LENGTH_MAX = 100;

/** What a view narrows the list of records to: keys and times, never a text of a record. */
export const viewFilters = markedFilters.extend({
  /** So many days up to the day on which the view is opened; in the place of `created_after`. */
  recent_days: z.int().min(1).max(3660).optional(),
});
export type ViewFilters = z.infer<typeof viewFilters>;

/** Body of `POST /api/search/views`. */
export const createViewRequest = z.strictObject({ name: shownName(VIEW_NAME_LENGTH_MAX), filters: viewFilters });
export type CreateViewRequest = z.infer<typeof createViewRequest>;

/** A list of records under a name that everybody in the workspace sees. */
export const savedView = z.strictObject({
  id: uuid,
  name: z.string(),
  filters: viewFilters,
  created_at: timestamp,
  /** The member who saved it. */
  created_by: uuid,
});
export type SavedView = z.infer<typeof savedView>;
/** `GET /api/search/views`, by name. */
export const savedViewList = z.strictObject({ items: z.array(savedView) });
export type SavedViewList = z.infer<typeof savedViewList>;
