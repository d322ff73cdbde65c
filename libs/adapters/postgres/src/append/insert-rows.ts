import type { ColumnType, Table } from '@answer-evidence/tables';

/** One statement of a transaction, prepared once per connection under its name. */
export type Statement = {
  /** Empty: prepared anew each time. */
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
  /** The same in lists of values, for a server that takes no insert of what it selects. */
  readonly inValues?: () => readonly Statement[];
};

type AnyRow = Readonly<Record<string, unknown>>;

/** One column of rows as one value: an array of PostgreSQL. Only `WireMessages` can send it. */
export class ColumnArray {
  readonly rows: readonly AnyRow[];
  readonly column: string;
  readonly type: ColumnType;

  constructor(rows: readonly AnyRow[], column: string, type: ColumnType) {
    this.rows = rows;
    this.column = column;
    this.type = type;
  }
}

/** Most rows of one statement; a table has as many prepared ones, and with these all of them take a few megabytes. */
const ROWS_MAX = 32;

const texts = new Map<string, string>();

/** The text of a statement, made once. */
function textOf(name: string, format: () => string): string {
  let text = texts.get(name);
  if (text === undefined) {
    text = format();
    texts.set(name, text);
  }
  return text;
}

/** INSERTs of at most 32 rows; a statement is known by table and count, to be parsed once per connection. */
export function formatInserts<Row>(table: Table<Row>, workspaceId: string, rows: readonly Row[]): readonly Statement[] {
  const statements: Statement[] = [];
  let from = 0;
  while (from < rows.length) {
    const count = Math.min(rows.length - from, ROWS_MAX);
    statements.push(formatInsert(table, workspaceId, rows, from, count));
    from += count;
  }
  return statements;
}

function formatInsert<Row>(
  { name: tableName, columns }: Table<Row>,
  workspaceId: string,
  rows: readonly Row[],
  from: number,
  count: number,
): Statement {
  const name = `transact_insert_${tableName}_${count}`;
  const text = textOf(name, () => insertText(tableName, columns, count));
  const values = new Array<unknown>(1 + count * columns.length);
  values[0] = workspaceId;
  let at = 1;
  for (let n = from; n < from + count; n++) {
    const row = rows[n];
    if (row === undefined || row === null) throw new Error('a row is missing');
    for (const column of columns) values[at++] = row[column];
  }
  return { name, text, values };
}

function insertText(table: string, columns: readonly string[], count: number): string {
  let parameter = 2;
  const tuples: string[] = [];
  for (let n = 0; n < count; n++) tuples.push(`($1, ${columns.map(() => `$${parameter++}`).join(', ')})`);
  return `insert into answer_evidence.${table} (workspace_id, ${columns.join(', ')}) values ${tuples.join(', ')}`;
}

/**
 * One INSERT of any number of rows, column by column. For 128 rows PostgreSQL takes five sixths of the time that it
 * takes for the same in lists of values, in which it prepares each value of each row by itself; for a few it takes as
 * long.
 */
export function formatColumns<Row>(
  { name: tableName, columns, types }: Table<Row>,
  workspaceId: string,
  rows: readonly Row[],
): Statement {
  const name = `transact_columns_${tableName}`;
  const text = textOf(name, () => {
    const arrays = columns.map((column, n) => `unnest($${n + 2}::${types[column].type}[])`);
    return `insert into answer_evidence.${tableName} (workspace_id, ${columns.join(', ')})
      select $1::uuid, ${arrays.join(', ')}`;
  });
  const arrays = columns.map((column) => new ColumnArray(rows as readonly AnyRow[], column, types[column].type));
  const inValues = () => formatInserts({ name: tableName, columns, types } as Table<Row>, workspaceId, rows);
  return { name, text, values: [workspaceId, ...arrays], inValues };
}

/** The insert of one row, or the update of the columns that may change where its key is there. */
export function formatReplace<Row>(table: Table<Row>, workspaceId: string, row: Row): Statement {
  const { name: tableName, columns, key, replaces } = table;
  const name = `transact_replace_${tableName}`;
  const text = textOf(name, () => {
    const set = replaces.map((column) => `${column} = excluded.${column}`).join(', ');
    return `${insertText(tableName, columns, 1)} on conflict (workspace_id, ${key.join(', ')}) do update set ${set}`;
  });
  return { name, text, values: [workspaceId, ...columns.map((column) => row[column])] };
}
