/** One multi-row INSERT. */
export type Insert = { readonly text: string; readonly values: unknown[] };

/** A table's columns after `workspace_id`, in the order of insertion. */
export type Table<Row> = { readonly name: string; readonly columns: readonly (keyof Row & string)[] };

const texts = new Map<string, string>();

/** `insert into t (…) values (…), (…)` for all rows of a workspace; the text is made once for each table and count. */
export function formatInsert<Row>(table: Table<Row>, workspaceId: string, rows: readonly Row[]): Insert {
  const width = table.columns.length;
  const key = `${table.name}/${rows.length}`;
  let text = texts.get(key);
  if (text === undefined) {
    text = insertText(table.name, table.columns, rows.length);
    texts.set(key, text);
  }
  const values = new Array<unknown>(1 + rows.length * width);
  values[0] = workspaceId;
  let at = 1;
  for (const row of rows) for (const column of table.columns) values[at++] = row[column];
  return { text, values };
}

function insertText(table: string, columns: readonly string[], count: number): string {
  let parameter = 2;
  const tuples: string[] = [];
  for (let n = 0; n < count; n++) tuples.push(`($1, ${columns.map(() => `$${parameter++}`).join(', ')})`);
  return `insert into answer_evidence.${table} (workspace_id, ${columns.join(', ')}) values ${tuples.join(', ')}`;
}
