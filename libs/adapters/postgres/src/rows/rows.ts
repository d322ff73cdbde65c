import { type LeafRow, LEAVES, RECORDS, type SealedRow, type Table } from '@answer-evidence/tables';

/** All columns of a leaf. */
export const LEAF_COLUMNS = LEAVES.columns.join(', ');
/** All columns of a head. */
export const HEAD_COLUMNS = 'tree_size, right_edge, last_at, settings_version, mac';

/** A row of a join: columns are named `<alias>_<column>`. */
export type JoinedRow = Record<string, unknown>;

/** `r.id as r_id, r.nonce as r_nonce, …` for a select that joins tables with columns of the same name. */
export function aliased(alias: string, { columns }: { readonly columns: readonly string[] }): string {
  return columns.map((column) => `${alias}.${column} as ${alias}_${column}`).join(', ');
}

/** `l.type, l.id, …`: all columns of one table of a join, under their own names. */
export function select(alias: string, { columns }: { readonly columns: readonly string[] }): string {
  return columns.map((column) => `${alias}.${column}`).join(', ');
}

/** Selects a record under the alias `r`. */
export const RECORD_SELECT = aliased('r', RECORDS);
/** Selects a leaf under the alias `l`. */
export const LEAF_SELECT = aliased('l', LEAVES);
/** The row of one table in a joined row, which was selected under its alias. */
export function pick<Row>(row: JoinedRow, alias: string, { columns }: Table<Row>): Row {
  const picked: Record<string, unknown> = {};
  for (const column of columns) picked[column] = row[`${alias}_${column}`];
  return picked as Row;
}

/** The leaf of a joined row. */
export function leafOf(row: JoinedRow): LeafRow {
  return pick(row, 'l', LEAVES);
}

/** Selects sealed contents under the alias `c`; without texts for lists. */
export const SEALED_SELECT =
  'c.object_id as c_object_id, c.wrapped_key as c_wrapped_key, c.items as c_items, c.due_at as c_due_at';

/** The sealed contents of a joined row, undefined when there are none. `c_texts` is null when it was not selected. */
export function sealedOf(row: JoinedRow): SealedRow | undefined {
  if (row.c_object_id === null || row.c_object_id === undefined) return undefined;
  return {
    object_id: row.c_object_id as string,
    wrapped_key: row.c_wrapped_key as Uint8Array,
    texts: (row.c_texts ?? null) as Uint8Array | null,
    items: row.c_items as Uint8Array | null,
    due_at: row.c_due_at as number,
  };
}
