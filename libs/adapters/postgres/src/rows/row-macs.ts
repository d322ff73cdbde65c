import { equalSecrets } from '@answer-evidence/digest';
import type { RowMac } from '@answer-evidence/ledger';
import { StoredDamageError } from '@answer-evidence/ports';
import type { AnyTable, Table } from '@answer-evidence/tables';

/** A row with the MAC that is stored with it; null in a row from before its table had MACs. */
type Authenticated = { readonly mac: Uint8Array | null };
type Value = string | number | Uint8Array;
/** Of a workspace, or of the installation for its own rows. */
type Vault = { readonly mac: RowMac };

/**
 * The MAC of a row: over all of its columns but the MAC, in their order; a null is told apart from an empty value by
 * its place. A column that came later stands there with its name, and only with a value. Why such rows have MACs and no
 * entries of the log: decision 0076.
 */
export function macOfRow<Row extends object>(
  vault: Vault,
  { name, columns, types }: Table<Row>,
  row: Omit<Row, 'mac'>,
): Uint8Array {
  const parts: Value[] = [];
  for (const column of columns) {
    if (column === 'mac') continue;
    const value = row[column as keyof typeof row] as Value | null;
    if (types[column as keyof Row].isLater === true) {
      if (value !== null) parts.push(column, value);
    } else parts.push(value === null ? 0 : 1, value ?? '');
  }
  return vault.mac(name, parts);
}

/** Whether the MAC of a stored row is its own. */
export function isMacValid<Row extends object>(vault: Vault, table: Table<Row>, row: Row & Authenticated): boolean {
  return row.mac !== null && equalSecrets(row.mac, macOfRow(vault, table, row));
}

/** The rows, of which every MAC holds. Throws `StoredDamageError`. */
export function authenticated<Row extends object>(
  vault: Vault,
  table: Table<Row>,
  rows: readonly (Row & Authenticated)[],
): readonly (Row & Authenticated)[] {
  for (const row of rows)
    if (!isMacValid(vault, table, row)) throw new StoredDamageError(`the MAC of a row of ${table.name} is wrong`);
  return rows;
}

/** The columns of an authenticated table, and its MAC. */
export function columnsWithMac({ columns }: { readonly columns: readonly string[] }): string {
  return [...columns, 'mac'].join(', ');
}

/** An authenticated table and rows of it, as they are inserted: each with its MAC. */
export function withMacs<Row extends object>(
  vault: Vault,
  table: Table<Row>,
  rows: readonly Row[],
): { readonly table: Table<Row & Authenticated>; readonly rows: readonly (Row & Authenticated)[] } {
  return {
    table: {
      ...table,
      columns: [...table.columns, 'mac'],
      types: { ...table.types, mac: { type: 'bytea', nullable: false } },
    } as unknown as Table<Row & Authenticated>,
    rows: rows.map((row) => ({ ...row, mac: macOfRow(vault, table, row) })),
  };
}

const SAFE_MAX = Number.MAX_SAFE_INTEGER;

/**
 * The same for rows that may be damaged: a bigint that is no safe integer comes as a number that no row has, so that
 * the MAC tells, and does not end the reading of all rows. Never through a float, whose text a setting may shorten.
 */
export function damagedColumnsWithMac({ columns, types }: Pick<AnyTable, 'columns' | 'types'>): string {
  const read = columns.map((column) =>
    types[column]?.type === 'bigint'
      ? `case when ${column} between ${-SAFE_MAX} and ${SAFE_MAX} then ${column} else ${-SAFE_MAX} end as ${column}`
      : column,
  );
  return [...read, 'mac'].join(', ');
}
