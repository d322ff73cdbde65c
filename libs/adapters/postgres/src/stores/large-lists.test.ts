import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RecordFilters } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import type { RecordStore } from '@answer-evidence/ports';
import { explainStatements } from '../../fixtures/explain-statements.ts';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { readWorkspace } from '../session.ts';
import { createRecordStore } from './record-store.ts';

const COUNT = 20_000;
const START = 1_795_165_300_000_000;

let log: TestLog;
/** Times of all leaves by index. */
let times: readonly number[];

/** 20,000 records behind the back of the write path: their hashes are made up, their order and times are not. */
beforeAll(async () => {
  log = await openTestLog();
  const workspaceId = log.workspace.id;
  // Gaps between 1 and 1000 microseconds, in no order.
  await log.owner.query(
    `insert into answer_evidence.ledger_leaves
       select $1, n + 2, 'answer_recorded', ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
         ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 0, '\\x00',
         $2::bigint + sum(1 + (n * 7919) % 1000) over (order by n), '\\x00'
       from generate_series(1, $3::int) n`,
    [workspaceId, START, COUNT],
  );
  await log.owner.query(
    `insert into answer_evidence.answer_records
       select $1, n + 2, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '\\x00',
         case when n % 100 = 0 then 'support-bot' when n % 2 = 0 then 'sales-bot' else 'help-bot' end, 'production', null,
         '', null, 'stored', '', null, 'stored', '[]', '[]', '[]',
         case when n % 1000 = 0 then 'trace' end, null, null, case when n % 3 = 0 then 'actor' end, null, 0, '{}', 1
       from generate_series(1, $2::int) n`,
    [workspaceId, COUNT],
  );
  // One in ten was changed; all have contents.
  await log.owner.query(
    `insert into answer_evidence.record_states
       select $1, id, 'voided', leaf_index, application_key, environment, mode, actor_id_hash
         from answer_evidence.answer_records
       where leaf_index % 10 = 3`,
    [workspaceId],
  );
  await log.owner.query(
    `insert into answer_evidence.sealed_contents select $1, id, '\\x00', null, null from answer_evidence.answer_records`,
    [workspaceId],
  );
  await log.owner.query('update answer_evidence.ledger_heads set tree_size = $1 where workspace_id = $2', [
    COUNT + 3,
    workspaceId,
  ]);
  await log.owner.query('analyze');
  const { rows } = await log.owner.query<{ at: number }>(
    'select at from answer_evidence.ledger_leaves order by leaf_index',
  );
  times = rows.map((row) => row.at);
});

afterAll(async () => {
  await log.close();
});

/** Steps whose cost grows with the log. The heads have one row a workspace. */
function wastefulOf(nodes: readonly string[]): readonly string[] {
  return nodes.filter((node) => /Seq Scan|Sort|Bitmap|Hash/.test(node) && !node.endsWith('ledger_heads'));
}

/** How PostgreSQL runs the statement that reads the page of a list. */
async function planOf(filters: RecordFilters, page: { readonly beforeLeaf?: number; readonly offset: number }) {
  let listed: Awaited<ReturnType<RecordStore['list']>> | undefined;
  const explained = await explainStatements(log, async (pool) => {
    listed = await createRecordStore(pool).list(log.workspace.id, filters, { limit: 50, ...page });
  });
  const list = explained.find(({ text }) => /order by .* desc limit/.test(text));
  if (list === undefined || listed === undefined) throw new Error('the list sent no statement');
  return { nodes: list.nodes, listed };
}

describe('the page of a list of 20,000 records', () => {
  const window = {
    created_after: formatTimestamp(START + 2_000_000),
    created_before: formatTimestamp(START + 5_000_000),
  };
  it.each([
    ['an application', { application_key: 'support-bot' }, { offset: 0 }],
    ['a busy application', { application_key: 'sales-bot' }, { offset: 0 }],
    ['a busy application from a cursor on', { application_key: 'sales-bot' }, { offset: 0, beforeLeaf: 9_000 }],
    ['an application in a window of time', { application_key: 'support-bot', ...window }, { offset: 0 }],
    ['an application with a status', { application_key: 'sales-bot', status: 'recorded' as const }, { offset: 0 }],
  ])('of %s is read in order from the kinds of its records, with nothing scanned whole', async (_, filters, page) => {
    const { nodes, listed } = await planOf(filters, page);
    // What is sorted are the first ones of each kind.
    expect(wastefulOf(nodes).filter((node) => !/^(?:Incremental )?Sort/.test(node))).toEqual([]);
    expect(nodes).toContain('Index Scan answer_records_kind');
    expect(listed.items.length).toBeGreaterThan(0);
  });

  it.each([
    ['everything', {}, { offset: 0 }],
    ['everything from a cursor on', {}, { offset: 0, beforeLeaf: 12_345 }],
    ['everything in a window of time', window, { offset: 0 }],
    ['everything that is recorded', { status: 'recorded' as const }, { offset: 0 }],
  ])('of %s walks the log backwards, with nothing scanned whole or sorted', async (_, filters, page) => {
    const { nodes, listed } = await planOf(filters, page);
    expect(wastefulOf(nodes)).toEqual([]);
    expect(nodes).toContain('Index Scan answer_records_log');
    expect(listed.items).toHaveLength(50);
  });

  it('of one trace reads that trace’s records', async () => {
    const { nodes, listed } = await planOf({ external_trace_id: 'trace' }, { offset: 0 });
    expect(nodes).toContain('Index Scan answer_records_trace');
    expect(nodes.filter((node) => node.startsWith('Seq Scan'))).toEqual([]);
    expect(listed).toMatchObject({ total: 20, totalIsExact: true });
  });

  it('of an actor is counted without the status of each record', async () => {
    const filters = { status: 'recorded', actor_id_hash: 'actor' } as const;
    const explained = await explainStatements(log, async (pool) => {
      // Of 6,666 records of the actor 666 were changed.
      const { total, totalIsExact } = await createRecordStore(pool).list(log.workspace.id, filters, {
        limit: 50,
        offset: 0,
      });
      expect([total, totalIsExact]).toEqual([6_000, true]);
    });
    const counts = explained.filter(({ text }) => text.startsWith('select count'));
    expect(counts.map(({ nodes }) => nodes.filter((node) => node.includes('record_states')))).toEqual([
      ['Index Only Scan record_states_actor'],
      [],
    ]);
  });

  it.each([
    ['an application', { application_key: 'sales-bot' }],
    ['an application and a status', { application_key: 'sales-bot', status: 'recorded' as const }],
    ['an environment and a status', { environment: 'production', status: 'recorded' as const }],
  ])('of %s is counted record by record, and no further than pages reach', async (_, filters) => {
    const explained = await explainStatements(
      log,
      async (pool) => {
        await createRecordStore(pool).list(log.workspace.id, filters, { limit: 50, offset: 0 });
      },
      // As if the table were so large that its pages are far apart.
      [`select set_config('random_page_cost', '40', true)`],
    );
    const [count, ...others] = explained.filter(({ text }) => text.startsWith('select count'));
    expect(others).toEqual([]);
    expect(count?.nodes.filter((node) => /Bitmap|Seq Scan|Sort/.test(node))).toEqual([]);
    expect(count?.nodes.some((node) => /^Index (?:Only )?Scan answer_records_kind$/.test(node))).toBe(true);
  });

  it('is counted to 10,000 and says when there are more', async () => {
    const records = createRecordStore(log.pool);
    const list = (filters: RecordFilters) => records.list(log.workspace.id, filters, { offset: 0, limit: 1 });
    expect(await list({})).toMatchObject({ total: 10_000, totalIsExact: false });
    expect(await list({ application_key: 'help-bot' })).toMatchObject({ total: 10_000, totalIsExact: true });
    expect(await list({ application_key: 'sales-bot' })).toMatchObject({ total: 9_800, totalIsExact: true });
    const one = formatTimestamp(times[COUNT - 9_999] ?? 0);
    expect(await list({ created_after: one })).toMatchObject({ totalIsExact: false });
  });
});

describe('the first leaf at or after a time', () => {
  it('is what a search from the beginning finds', async () => {
    const moments = [0, times[0], times[1], times[2], times.at(-1), Number.MAX_SAFE_INTEGER].map((at) => at ?? 0);
    for (let n = 0; n < 400; n++) {
      const at = times[(n * 7_919) % times.length] ?? 0;
      moments.push(at, at - 1, at + 1);
    }
    for (const size of [0, 1, 2, 3, 1_000, times.length]) {
      const expected = moments.map((moment) => {
        const found = times.slice(0, size).findIndex((at) => at >= moment);
        return found === -1 ? size : found;
      });
      const rows = await readWorkspace(log.pool, log.workspace.id, (query) =>
        query<{ first: number }>(
          '',
          `select answer_evidence.first_leaf_at($1, moment, $2) as first
             from unnest($3::bigint[]) with ordinality as asked (moment, n) order by n`,
          [log.workspace.id, size, moments],
        ),
      );
      expect(rows.map((row) => row.first)).toEqual(expected);
    }
  });
});
