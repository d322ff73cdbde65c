import type { JsonObject } from '@answer-evidence/contracts';
import { describeCore } from '@answer-evidence/ledger';
import type { StoredRecord } from '@answer-evidence/ports';
import { ATTACHMENTS, type LeafRow, type RecordAttachments, type Table, type WithLeaf } from '@answer-evidence/tables';

/** What hangs on a record besides its events; `describe` gives the core that its stored row states. */
type Attachment = { readonly leaf: LeafRow; readonly describe: () => JsonObject };

/** The attachments of a record, in log order. */
export function attachmentsOf({ attached }: StoredRecord): readonly Attachment[] {
  return (Object.keys(ATTACHMENTS) as (keyof RecordAttachments)[])
    .flatMap((kind) => describable(ATTACHMENTS[kind] as Table<object>, attached[kind]))
    .sort((a, b) => a.leaf.leaf_index - b.leaf.leaf_index);
}

function describable<Row>(table: Table<Row>, stored: readonly WithLeaf<Row>[]): readonly Attachment[] {
  return stored.map(({ row, leaf }) => ({ leaf, describe: () => describeCore(table, row) }));
}
