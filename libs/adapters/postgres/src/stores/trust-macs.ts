import type { AnchorRow, AttemptRow, CosignatureRow, PublishedRow, TallyRow } from '@answer-evidence/contracts';
import { equalBytes } from '@answer-evidence/encoding';
import { StoredDamageError, type WorkspaceVault } from '@answer-evidence/ports';
import type { Table } from '../append/insert-rows.ts';

type Authenticated = { readonly mac: Uint8Array };
type Value = string | number | Uint8Array;

/** Published checkpoints. */
export const PUBLISHED: Table<PublishedRow> = {
  name: 'published_checkpoints',
  columns: ['tree_size', 'root', 'policy_version', 'published_at', 'mac'],
};
/** Cosignatures. */
export const COSIGNATURES: Table<CosignatureRow> = {
  name: 'cosignatures',
  columns: ['tree_size', 'public_key', 'vkey', 'signature', 'received_at', 'mac'],
};
/** Anchors. */
export const ANCHORS: Table<AnchorRow> = {
  name: 'anchors',
  columns: ['id', 'tree_size', 'anchor_id', 'type', 'policy_version', 'created_at', 'mac'],
};
/** Attempts at anchors. */
export const ATTEMPTS: Table<AttemptRow> = {
  name: 'anchor_attempts',
  columns: ['anchor', 'attempt', 'at', 'outcome', 'detail', 'anchored_at', 'artefact', 'mac'],
};
/** How many rows of the tables above there are. */
export const TALLIES: Table<TallyRow> = {
  name: 'trust_tallies',
  columns: ['checkpoints', 'cosignatures', 'anchors', 'attempts', 'mac'],
};

/** The MAC of a row: over all of its columns but the MAC, in their order; a null is told apart from an empty value by its place. */
export function macOfRow<Row extends object>(
  vault: WorkspaceVault,
  { name, columns }: Table<Row>,
  row: Omit<Row, 'mac'>,
): Uint8Array {
  const parts: Value[] = [];
  for (const column of columns) {
    if (column === 'mac') continue;
    const value = row[column as keyof typeof row] as Value | null;
    parts.push(value === null ? 0 : 1, value ?? '');
  }
  return vault.mac(name, parts);
}

/** Whether the MAC of a stored row is its own. */
export function isMacValid<Row extends Authenticated>(vault: WorkspaceVault, table: Table<Row>, row: Row): boolean {
  return equalBytes(row.mac, macOfRow(vault, table, row));
}

/** The rows, of which every MAC holds. Throws `StoredDamageError`. */
export function authenticated<Row extends Authenticated>(
  vault: WorkspaceVault,
  table: Table<Row>,
  rows: readonly Row[],
): readonly Row[] {
  for (const row of rows)
    if (!isMacValid(vault, table, row)) throw new StoredDamageError(`the MAC of a row of ${table.name} is wrong`);
  return rows;
}
