import { EVIDENCE_LINKS } from './evidence.ts';
import type { LeafRow } from './log.ts';
import { EXPIRIES, TRACES } from './record.ts';
import type { RowOf } from './table.ts';

/**
 * The tables of what is attached to a record besides its events. Each row is the object of a leaf about the record, and
 * every bundle of the record shows it.
 */
export const ATTACHMENTS = { expiries: EXPIRIES, links: EVIDENCE_LINKS, traces: TRACES };

type Attachments = typeof ATTACHMENTS;

/** A row with its leaf. */
export type WithLeaf<Row> = { readonly row: Row; readonly leaf: LeafRow };

/** What is attached to one record, each kind in the order of the log. */
export type RecordAttachments = {
  readonly [Kind in keyof Attachments]: readonly WithLeaf<RowOf<Attachments[Kind]>>[];
};
