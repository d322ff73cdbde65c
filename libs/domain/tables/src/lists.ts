import { bigint, type RowOf, table, text, uuid } from './table.ts';

/** When an importer claims that an answer was given. It follows from the items of its record, and goes with them. */
export const ANSWERED_CLAIMS = table('answered_claims', {
  key: ['record_id'],
  columns: {
    record_id: uuid,
    leaf_index: bigint,
    application_key: text,
    /** Microseconds. */
    answered_at: bigint,
  },
});

/** A list of records under a name, which the members of a workspace share. */
export const SAVED_VIEWS = table('saved_views', {
  key: ['id'],
  columns: {
    id: uuid,
    name: text,
    /** JSON of `ViewFilters`. */
    filters_json: text,
    /** The member who saved it. */
    created_by: uuid,
    created_at: bigint,
  },
});
export type SavedViewRow = RowOf<typeof SAVED_VIEWS>;
