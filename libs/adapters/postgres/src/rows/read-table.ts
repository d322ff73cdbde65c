import type { ColumnType, Table } from '@answer-evidence/tables';
import type { Query } from '../session.ts';

/** Before every value of a key, also one that was made negative. */
const LEAST: Readonly<Record<ColumnType, unknown>> = {
  uuid: '00000000-0000-0000-0000-000000000000',
  text: '',
  bigint: '-9223372036854775808',
  integer: -2_147_483_648,
  bytea: new Uint8Array(),
  boolean: false,
};

type Part = {
  /** What is selected, under a name that tells its statement from another of the table. */
  readonly columns?: { readonly name: string; readonly sql: string };
  /** Values of the first columns of the key: of one run, for example. */
  readonly of?: readonly unknown[];
  /** The rest of a key, of a row or not: only what comes behind it. */
  readonly behind?: readonly unknown[];
  readonly batchSize?: number;
};

/**
 * The rows that a workspace has in a table, in ascending order of the table's key and a batch at a time, within the
 * snapshot that `query` belongs to. Each batch begins after the last row of the one before.
 */
export async function* readTable<Row extends object>(
  query: Query,
  workspaceId: string,
  { name, columns: all, types, key }: Table<Row>,
  { columns = { name: 'check', sql: all.join(', ') }, of = [], behind, batchSize = 4_096 }: Part = {},
): AsyncGenerator<readonly Row[]> {
  const [fixed, order] = [key.slice(0, of.length), key.slice(of.length)];
  const conditions = ['workspace_id', ...fixed].map((column, n) => `${column} = $${n + 1}`).join(' and ');
  const places = order.map((_, n) => `$${of.length + n + 2}`).join(', ');
  let after: readonly unknown[] = behind ?? order.map((column) => LEAST[types[column].type]);
  for (;;) {
    const rows = await query<Row & Record<string, unknown>>(
      `${columns.name}_${name}`,
      `select ${columns.sql} from answer_evidence.${name} where ${conditions} and (${order.join(', ')}) > (${places})
         order by ${order.join(', ')} limit ${batchSize}`,
      [workspaceId, ...of, ...after],
    );
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    after = order.map((column) => last[column]);
  }
}
