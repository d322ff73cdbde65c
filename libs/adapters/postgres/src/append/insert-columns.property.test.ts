import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ColumnType, Table } from '@answer-evidence/tables';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { formatColumns, type Statement } from './insert-rows.ts';
import { sendRest } from './send-transaction.ts';

type Row = Readonly<Record<string, unknown>>;

const TYPES: readonly ColumnType[] = ['uuid', 'text', 'bigint', 'integer', 'bytea', 'boolean'];
const columns = TYPES.flatMap((type) => [`a_${type}`, `maybe_${type}`]);
const table = {
  name: 'every_type',
  columns,
  types: Object.fromEntries(columns.map((column) => [column, { type: column.slice(column.indexOf('_') + 1) }])),
} as unknown as Table<Row>;
const WORKSPACE = '0199f3c2-0000-7000-8000-000000000001';

const VALUES: Readonly<Record<ColumnType, fc.Arbitrary<unknown>>> = {
  uuid: fc.uuid(),
  text: fc
    .oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'NULL', '{}', '"', 'x'.repeat(70_000)))
    .map((value) => value.replaceAll('\0', '')),
  bigint: fc.maxSafeInteger(),
  integer: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  bytea: fc.oneof(fc.uint8Array(), fc.constant(new Uint8Array(70_000))),
  boolean: fc.boolean(),
};
const row = fc.record(
  Object.fromEntries(
    columns.map((column) => {
      const value = VALUES[table.types[column]?.type ?? 'text'];
      return [column, column.startsWith('maybe') ? fc.option(value) : value];
    }),
  ),
);

let log: TestLog;
beforeAll(async () => {
  log = await openTestLog();
  const typed = columns.map((column) => `${column} ${table.types[column]?.type}`);
  await log.owner.query(
    `create table answer_evidence.every_type (at bigserial, workspace_id uuid not null, ${typed.join(', ')})`,
  );
});
afterAll(() => log.close());

async function send(statements: readonly Statement[]): Promise<void> {
  const client = await log.owner.connect();
  try {
    await sendRest(client, statements);
  } finally {
    client.release();
  }
}

/** The rows as the database has them, in the order in which they came. */
async function takeStored(): Promise<readonly Row[]> {
  const { rows } = await log.owner.query<Row>(`select * from answer_evidence.every_type order by at`);
  await log.owner.query('truncate answer_evidence.every_type');
  return rows.map((stored) => Object.fromEntries(columns.map((column) => [column, readValue(stored[column])])));
}

function readValue(value: unknown): unknown {
  return value instanceof Uint8Array ? new Uint8Array(value) : value;
}

describe('rows that are inserted column by column', () => {
  it('are stored as they were, in their order, whatever their values are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        await send([formatColumns(table, WORKSPACE, rows)]);
        expect(await takeStored()).toEqual(rows);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['a_uuid', '0199f3c2-0000-7000-8000-00000000000'],
    ['a_uuid', '0199f3c2-0000-7000-8000-0000000000011'],
    ['a_uuid', '0199f3c2-0000-7000-8000-00000000000g'],
    ['a_bigint', 2 ** 53],
    ['a_bigint', 0.5],
    ['a_integer', 2 ** 31],
    ['a_text', new Uint8Array(2)],
    ['a_bytea', 'text'],
    ['a_boolean', 'true'],
    ['maybe_text', undefined],
  ])('are refused where %s is %p, and the connection goes on', async (column, wrong) => {
    const [good] = fc.sample(row, 1);
    if (good === undefined) throw new Error('no row');
    const client = await log.owner.connect();
    try {
      const bad = formatColumns(table, WORKSPACE, [good, { ...good, [column]: wrong }]);
      await expect(sendRest(client, [bad])).rejects.toThrow(TypeError);
      await sendRest(client, [formatColumns(table, WORKSPACE, [good])]);
    } finally {
      client.release();
    }
    expect(await takeStored()).toEqual([good]);
  });

  it('are refused by the database as a whole where one breaks a rule of it', async () => {
    const [good] = fc.sample(row, 1);
    if (good === undefined) throw new Error('no row');
    const wrong = { ...good, a_text: 'nul\0' };
    await expect(send([formatColumns(table, WORKSPACE, [good, wrong])])).rejects.toMatchObject({ code: '22021' });
    expect(await takeStored()).toEqual([]);
  });
});
