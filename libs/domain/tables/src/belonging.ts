import { TABLES } from './catalogue.ts';
import type { AnyTable, RowsOf } from './table.ts';

type Tables = Readonly<Record<string, AnyTable>>;
type AnyRow = Readonly<Record<string, unknown>>;

/** The column that names what a row belongs to. Throws when the rows of the table belong to the workspace alone. */
export function ownerColumn({ name, belongsTo }: AnyTable): string {
  const [column] = Object.values(belongsTo ?? {}) as readonly string[];
  if (column === undefined) throw new Error(`the rows of ${name} belong to the workspace`);
  return column;
}

/** All tables whose rows belong to a record, to an asset or to a reconciliation. */
export function tablesOf(owner: 'record' | 'asset' | 'run'): readonly AnyTable[] {
  return Object.values<AnyTable>(TABLES).filter(({ belongsTo }) => belongsTo !== undefined && owner in belongsTo);
}

/** The rows of several tables, each as it is read. */
export async function readTables<T extends Tables>(
  tables: T,
  read: (table: AnyTable) => Promise<readonly AnyRow[]>,
): Promise<RowsOf<T>> {
  const all = await Promise.all(
    Object.entries(tables).map(async ([kind, table]) => [kind, await read(table)] as const),
  );
  return Object.fromEntries(all) as unknown as RowsOf<T>;
}

/** Takes the rows of several tables apart by what they belong to, each table in one pass. */
export function groupByOwner<T extends Tables>(tables: T, rows: RowsOf<T>): (ownerId: string) => RowsOf<T> {
  const grouped = Object.entries(tables).map(([kind, table]) => {
    const column = ownerColumn(table);
    return [kind, Map.groupBy(rows[kind] as readonly AnyRow[], (row) => row[column])] as const;
  });
  return (ownerId) =>
    Object.fromEntries(grouped.map(([kind, own]) => [kind, own.get(ownerId) ?? []])) as unknown as RowsOf<T>;
}
