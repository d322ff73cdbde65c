import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LeafRange } from '@answer-evidence/audit';
import type { RecordFilters } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { HELD_FROM } from '@answer-evidence/lifecycle';
import { type Explained, explainStatements } from '../../fixtures/explain-statements.ts';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { readRanges } from '../rows/read-leaf-range.ts';
import { readWorkspace } from '../session.ts';
import { createRecordStore } from './record-store.ts';
import { createRetentionStore } from './retention-store.ts';

const COUNT = 10_500;
const START = 1_795_165_300_000_000;
/** Each record of the workspace once, for the count, by its index and with its status. */
const PAGES_MAX = 6 * COUNT;

let log: TestLog;

/** Records of a first day: no statistics of any table, and none to come. */
beforeAll(async () => {
  log = await openTestLog();
  for (const table of ['ledger_leaves', 'answer_records', 'record_states', 'lifecycle_events'])
    await log.owner.query(`alter table answer_evidence.${table} set (autovacuum_enabled = false)`);
  await log.owner.query('alter table answer_evidence_parts.sealed_contents_0 set (autovacuum_enabled = false)');
  const id = `('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
  const all = `from generate_series(1, ${COUNT}) n`;
  await log.owner.query(
    `insert into answer_evidence.ledger_leaves
       select $1, n + 2, 'answer_recorded', ${id}, ${id}, 0, '\\x00', $2::bigint + n * 1000, '\\x00' ${all}`,
    [log.workspace.id, START],
  );
  await log.owner.query(
    `insert into answer_evidence.answer_records
       select $1, n + 2, ${id}, '\\x00', (array['support-bot', 'sales-bot'])[1 + n % 2],
         (array['production', 'production', 'production', 'staging'])[1 + n % 4], 'key-' || n, '', null, 'stored', '',
         null, 'stored', '[]', '[]', '[]', 'trace-' || n / 3, 'message-' || n, (array['live', 'live', 'test'])[1 + n % 3],
         'actor-' || n % 50, 'session-' || n / 10, 0, '{}', 1 ${all}`,
    [log.workspace.id],
  );
  await log.owner.query(
    `insert into answer_evidence.record_states
       select $1, id, (array['corrected', 'voided', 'redacted'])[1 + (leaf_index - 2) % 3], leaf_index, application_key,
         environment, mode, actor_id_hash
         from answer_evidence.answer_records where workspace_id = $1 and (leaf_index - 2) % 7 = 0`,
    [log.workspace.id],
  );
  await log.owner.query(
    `insert into answer_evidence.sealed_contents
       select $1, ${id}, '\\x00', repeat('t', 200)::bytea, repeat('i', 200)::bytea, 0 ${all}`,
    [log.workspace.id],
  );
  await log.owner.query('update answer_evidence.ledger_heads set tree_size = $1 where workspace_id = $2', [
    COUNT + 3,
    log.workspace.id,
  ]);
});

afterAll(async () => {
  await log.close();
});

const FILTERS: RecordFilters = {
  application_key: 'support-bot',
  environment: 'production',
  status: 'voided',
  external_trace_id: 'trace-700',
  external_message_id: 'message-2100',
  idempotency_key: 'key-2100',
  mode: 'live',
  actor_id_hash: 'actor-1',
  session_id_hash: 'session-210',
  created_after: formatTimestamp(START + 2_000_000),
  created_before: formatTimestamp(START + 9_000_000),
};

/** No filter, each one, and each pair; a status that nothing is stored of counts as another filter. */
const SETS = [...Object.entries(FILTERS), ['status', 'recorded'] as const].flatMap(([name, value], n, all) => [
  ...(n === 0 ? [{}] : []),
  { [name]: value },
  ...all.slice(n + 1).flatMap(([other, second]) => (other === name ? [] : [{ [name]: value, [other]: second }])),
]) satisfies readonly RecordFilters[];

/** Three and more of the filters that lists go by kinds of records for. */
const WIDER_SETS = (['application_key', 'environment', 'mode', 'actor_id_hash', 'status'] as const)
  .reduce<RecordFilters[]>(
    (sets, name) => [...sets, ...sets.map((set) => ({ ...set, [name]: FILTERS[name] }))],
    [{}, { status: 'recorded' }],
  )
  .filter((set) => Object.keys(set).length > 2);

/** The statements that looked at more than each record once. */
function wastefulOf(explained: readonly Explained[]): readonly Explained[] {
  return explained.filter(({ pages }) => pages > PAGES_MAX);
}

describe('without statistics of any table', () => {
  it('there are none', async () => {
    const { rows } = await log.owner.query<{ reltuples: number }>(
      `select reltuples from pg_class where oid = 'answer_evidence.answer_records'::regclass`,
    );
    expect(rows).toEqual([{ reltuples: -1 }]);
  });

  it.each(SETS.map((filters) => [Object.keys(filters).join(' and ') || 'nothing', filters] as const))(
    'a list by %s looks at no record twice',
    async (_, filters) => {
      const explained = await explainStatements(log, async (pool) => {
        const listed = await createRecordStore(pool).list(log.workspace.id, filters, { limit: 1, offset: 0 });
        expect(listed.items.length).toBeLessThanOrEqual(1);
      });
      expect(explained.length).toBeGreaterThan(1);
      expect(wastefulOf(explained)).toEqual([]);
    },
  );

  it.each<[string, RecordFilters]>([
    ['application and environment', { application_key: 'support-bot', environment: 'staging' }],
    ['environment and actor', { environment: 'staging', actor_id_hash: 'actor-2' }],
    ['application and actor', { application_key: 'support-bot', actor_id_hash: 'actor-1' }],
    ['application, mode and actor', { application_key: 'support-bot', mode: 'live', actor_id_hash: 'actor-1' }],
    ['environment and mode', { environment: 'staging', mode: 'none of these' }],
    ['status and mode', { status: 'voided', mode: 'none of these' }],
  ])('a list by %s that no record has looks at next to nothing', async (_, filters) => {
    const explained = await explainStatements(log, async (pool) => {
      const listed = await createRecordStore(pool).list(log.workspace.id, filters, { limit: 50, offset: 0 });
      expect(listed).toMatchObject({ items: [], total: 0, totalIsExact: true });
    });
    expect(explained.filter(({ pages }) => pages > 400)).toEqual([]);
  });

  it('lists by every filter and pair of filters, and by more of those of kinds, have the records that pass them', async () => {
    const records = createRecordStore(log.pool);
    const { rows } = await log.owner.query<Record<string, string | null> & { leaf_index: number }>(
      `select r.*, coalesce(s.status, 'recorded') as status from answer_evidence.answer_records r
         left join answer_evidence.record_states s on s.record_id = r.id order by r.leaf_index desc`,
    );
    for (const { created_after: after, created_before: before, ...columns } of [...SETS, ...WIDER_SETS]) {
      const passing = rows.filter(
        (row) =>
          Object.entries(columns).every(([column, value]) => row[column] === value) &&
          (after === undefined || Number(row.leaf_index) >= 2_002) &&
          (before === undefined || Number(row.leaf_index) < 9_002),
      );
      const filters: RecordFilters = {
        ...columns,
        ...(after === undefined ? {} : { created_after: after }),
        ...(before === undefined ? {} : { created_before: before }),
      };
      const listed = await records.list(log.workspace.id, filters, { limit: 20, offset: 3 });
      expect([filters, listed.items.map(({ record }) => record.id)]).toEqual([
        filters,
        passing.slice(3, 23).map(({ id }) => id),
      ]);
      expect([filters, listed.total]).toEqual([filters, Math.min(passing.length, 10_000)]);
    }
  });

  it('an export looks at no record twice', async () => {
    const explained = await explainStatements(log, async (pool) => {
      const { application_key, created_after, created_before } = FILTERS;
      const filters = { application_key, created_after, created_before };
      const exported = await createRecordStore(pool).export(log.workspace.id, filters, 200, 1_000_000);
      expect(exported.records).toHaveLength(200);
    });
    expect(explained.length).toBeGreaterThan(2);
    expect(wastefulOf(explained)).toEqual([]);
  });

  it('a ledger check reads its leaves in ranges, one with large contents by itself, and looks at no leaf twice', async () => {
    const large = 5_000;
    await log.owner.query(
      `update answer_evidence.sealed_contents set items = repeat('i', 5 * 1024 * 1024)::bytea
         where object_id = (select id from answer_evidence.answer_records where leaf_index = $1)`,
      [large],
    );
    const ranges: LeafRange[] = [];
    const explained = await explainStatements(log, (pool) =>
      readWorkspace(pool, log.workspace.id, async (query) => {
        for await (const range of readRanges(query, log.workspace.id, { from: 0, to: 1_000_000 })) ranges.push(range);
      }),
    );
    expect(ranges).toContainEqual({ from: large, to: large + 1 });
    expect(ranges.reduce((end, { from, to }) => (from === end ? to : Number.NaN), 0)).toBe(COUNT + 3);
    expect(wastefulOf(explained)).toEqual([]);
  });
});

it('what a hold held is brought back with as few pages for each as it has', async () => {
  await log.owner.query('update answer_evidence.sealed_contents set due_at = $1 where workspace_id = $2', [
    HELD_FROM,
    log.workspace.id,
  ]);
  const batch = 1_000;
  const explained = await explainStatements(log, async (pool) => {
    expect(await createRetentionStore(pool).takeOffHold(log.workspace.id, HELD_FROM + 1, batch)).toBe(batch);
  });
  expect(explained).toHaveLength(1);
  expect(explained[0]?.pages).toBeLessThan(20 * batch);
});
