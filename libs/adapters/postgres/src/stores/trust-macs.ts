import { equalBytes } from '@answer-evidence/encoding';
import { StoredDamageError, type WorkspaceVault } from '@answer-evidence/ports';
import type { Table } from '@answer-evidence/tables';

type Authenticated = { readonly mac: Uint8Array };
type Value = string | number | Uint8Array;

/** The MAC of a row over all columns but the MAC, in order; a null differs from an empty value by its place. */
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
