import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Caller } from '@answer-evidence/access';
import type { Route } from '@answer-evidence/routes';
import { type CallRoute, createRouteCaller } from '@answer-evidence/testing';
import { ROUTE_TABLE } from '../tools/scenery/route-table.ts';
import { until } from '../tools/scenery/service-process.ts';
import { openStoresOn } from '../tools/scenery/stores-on.ts';
import type { Target } from '../tools/scenery/tenants.ts';
import type { TestService } from '../tools/scenery/test-service.ts';
import { hookQueries, tablesNamed } from './support/hook-queries.ts';
import { NAMED_ANYWAY, NOT_RECORDED } from './support/not-recorded.ts';
import { rememberReads } from './support/remember-reads.ts';
import { openRichWorkspace } from './support/rich-workspace.ts';
import { alterationsOf, type Column, openVandal, type Vandal } from './support/vandal.ts';

const MINUTES_MS = 60_000;

let service: TestService;
let vandal: Vandal;
let opened: Awaited<ReturnType<typeof openStoresOn>>;
let call: CallRoute;
let routes: readonly Route[];
let manager: Caller;
/** Every route that reads, with ids of things that there are. */
let paths: readonly string[];
/** Which of them read a table. */
let pathsOf: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  const rich = await openRichWorkspace({ isTileFull: true });
  service = rich.service;
  const { id: workspaceId, slug } = (await service.call('GET', '/api/whoami')).body.workspace;
  const first = async (path: string) => (await service.call('GET', path)).body.items[0].id as string;
  // A reading would be an entry, and writes the row that was altered.
  await service.call('PATCH', '/api/tenant/settings', { body: { answer_audit_reading_rule: 'open' } });
  const stream = { name: 'damaged', destination: { type: 'https', url: 'https://siem.example.com/' } };
  const hold = { matter: 'Case 7', reason: 'a claim', filters: { environment: 'nobody' } };
  const voided = { answer_log_id: rich.records.identified ?? '', event_type: 'voided', reason: 'a test' };
  const asked = { reason: 'a test', event: voided };
  const hook = { name: 'damaged', url: 'https://hooks.example.com/', event_types: ['record.voided'] };
  const target = {
    slug,
    recordId: rich.records.identified ?? '',
    assetId: await first('/api/evidence-assets'),
    runId: await first('/api/reconciliations/runs'),
    deadLetterId: await first('/api/dead-letters'),
    memberId: await first('/api/members'),
    tokenId: await first('/api/tokens'),
    entryId: await first('/api/tenant/entries'),
    targetId: (await service.call('POST', '/api/notifications/targets', { body: hook })).body.id,
    holdId: (await service.call('POST', '/api/holds', { body: hold })).body.id,
    approvalId: (await service.call('POST', '/api/approvals', { body: asked })).body.id,
    streamId: (await service.call('POST', '/api/streams', { body: stream })).body.id,
  } as Target;
  await untilCounted(service.databaseUrl);
  await service.stop();
  await fillWaiting(service.databaseUrl);
  paths = Object.entries(ROUTE_TABLE)
    // An export is an entry of its own: it writes.
    .filter(([name]) => /^GET \/(api\/(?!docs|openapi)|tlog)/.test(name) && !name.endsWith('/export'))
    .map(([, { path }]) => path(target));
  const userId = target.memberId;
  const expiresAt = Number.MAX_SAFE_INTEGER;
  manager = {
    kind: 'user',
    workspaceId,
    tokenId: workspaceId,
    userId,
    username: 'manager',
    role: 'manager',
    expiresAt,
  };
  opened = await openStoresOn(service);
  const stages = await opened.openStages(['workspace', 'ingest', 'evidence', 'trust', 'reconcile', 'otlp']);
  routes = stages.flatMap((stage) => stage.routes);
  call = createRouteCaller(routes);
  // What the start itself has written is not of a vandal.
  vandal = await openVandal(service.databaseUrl);
}, 5 * MINUTES_MS);

afterAll(async () => {
  await opened.stores.close();
  await vandal.close();
  await service.close();
});

/** Waits for the counts of what is recorded, which follow it. */
async function untilCounted(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await until('the counts', async () => {
      const { rows } = await client.query(
        `select 1 where exists (select 1 from answer_evidence.counted_runs)
           and exists (select 1 from answer_evidence.counted_lists)`,
      );
      return rows.length > 0;
    });
  } finally {
    await client.end();
  }
}

/** Items of OTLP as they wait, which nobody works off here. */
async function fillWaiting(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const into = async (table: string, columns: string, values: string) =>
    client.query(`insert into answer_evidence.${table} (workspace_id, id, ${columns})
      select id, gen_random_uuid(), ${values} from answer_evidence.workspaces`);
  try {
    await into('otlp_inbox', 'received_at, item_count, wrapped_key, items', `1, 1, '\\x00', '\\x00'`);
    await client.query(`insert into answer_evidence.otlp_calls (workspace_id, call, record_id, recorded_at)
      select id, sha256('call'), gen_random_uuid(), 4e15 from answer_evidence.workspaces`);
    const named = 'application_key, idempotency_key, trace_id, span_id, received_at';
    const names = `'support-bot', 'key', repeat('a', 32), repeat('b', 16), 1`;
    await into('otlp_waiting', `${named}, due_at, wrapped_key, item`, `${names}, 4e15, '\\x00', '\\x00'`);
    const trace = `application_key, trace_id, received_at, is_open`;
    const open = `'support-bot', repeat('a', 32), 1, true`;
    await into('otlp_trace_parts', `${trace}, fingerprint, wrapped_key, items`, `${open}, '\\x00', '\\x00', '\\x00'`);
    await client.query(`insert into answer_evidence.otlp_traces (workspace_id, ${trace}, opened_at, due_at, size_bytes)
      select id, ${open}, 1, 4e15, 1 from answer_evidence.workspaces`);
    await client.query(`insert into answer_evidence.console_sessions
        (workspace_id, key, member_id, token_id, salt, role, credential_entry_id, expires_at, used_at)
      select id, sha256('key'), id, id, sha256('salt'), 'member', id, 4e15, 1 from answer_evidence.workspaces`);
    await client.query(`insert into answer_evidence.device_logins
        (key, user_key, details, expires_at, interval_seconds, status, mac)
      values (sha256('device'), sha256('person'), '\\x00', 4e15, 5, 'pending', '\\x00')`);
    const unattached = `${names}, 'production', 'span', 'record_not_found', 2`;
    await into('otlp_unattached', `${named}, environment, signal, reason, unattached_at`, unattached);
    const counted = 'scope_name, reason, item_count, first_seen_at, last_seen_at, trace_id, span_id, attribute_names';
    await into('otlp_ignored', `application_key, ${counted}`, `'support-bot', '', 'unrelated', 1, 1, 1, '', '', '[]'`);
    const one = `'support-bot', '', 'unrelated', 1, 1, 1, '', '', '[]', '', ''`;
    await into('otlp_left_out', `application_key, ${counted}, detail, sender`, one);
    const spans = 'trace_id, scope_name, reason, item_count, first_seen_at, last_seen_at, span_ids, detail, sender';
    const fate = `'support-bot', repeat('a', 32), '', 'unrelated', 1, 1, 1, '', '', ''`;
    await into('otlp_fates', `application_key, ${spans}`, fate);
    await client.query(`insert into answer_evidence.answered_claims
      (workspace_id, record_id, leaf_index, application_key, answered_at)
      select id, gen_random_uuid(), 0, 'support-bot', 1 from answer_evidence.workspaces`);
    await into('saved_views', 'name, filters_json, created_by, created_at', `'mine', '{}', gen_random_uuid(), 1`);
    await client.query(`insert into answer_evidence.word_indexes (workspace_id, salt, made_under, next_leaf, mac)
      select id, '\\x00', '', 1, '\\x00' from answer_evidence.workspaces`);
    await client.query(`insert into answer_evidence.word_tokens (workspace_id, token, leaf_index)
      select id, '\\x00', 1 from answer_evidence.workspaces`);
    const told = `1, 'record.voided', 'a record', 1, '{}'`;
    await into('notifications', 'position, type, subject, happened_at, content_json', told);
    await client.query(`insert into answer_evidence.notification_deliveries (workspace_id, target_id, notification_id,
        position, subject, state, attempts, due_at, created_at)
      select workspace_id, gen_random_uuid(), id, 1, 'a record', 'delivered', 1, 4e15, 4e15
        from answer_evidence.notifications`);
    await client.query(`insert into answer_evidence.notification_conditions
        (workspace_id, condition, began_at, item_json)
      select id, 'a condition', 1, '{}' from answer_evidence.workspaces`);
    await client.query(`insert into answer_evidence.notification_places (workspace_id, tree_size, position)
      select id, 1, 1 from answer_evidence.workspaces on conflict do nothing`);
  } finally {
    await client.end();
  }
}

/** Alters a row of each column, runs the action with the columns that let that happen, and puts the rows back. */
async function whileEachAltered(
  columns: readonly Column[],
  action: (altered: readonly Column[]) => Promise<void>,
  altered: readonly Column[] = [],
): Promise<void> {
  const [column, ...others] = columns;
  if (column === undefined) return action(altered);
  const [alteration] = alterationsOf(column);
  const [victim] = alteration === undefined ? [] : await vandal.victims(column.table, '1', alteration.where);
  if (victim === undefined || alteration === undefined) return whileEachAltered(others, action, altered);
  const done = await vandal.whileAltered(column, victim, alteration, () =>
    whileEachAltered(others, action, [...altered, column]),
  );
  if (done === 'refused') await whileEachAltered(others, action, altered);
}

type Statuses = readonly (readonly [path: string, status: string])[];

/**
 * What routes respond: `damaged` where they say that what is stored is; `500` also where a handler fails with what is
 * no error of the service.
 */
async function read(some: readonly string[]): Promise<Statuses> {
  const statuses: (readonly [string, string])[] = [];
  for (const path of some) {
    const status = await call('GET', path, { as: manager }).then(
      (reply) => (reply.code === 'content_damaged' ? 'damaged' : String(reply.status)),
      (error: unknown) => {
        const reason = String(error).slice(0, 300);
        if (!reason.includes('undocumented')) return `500 ${reason}`;
        // A word that was altered past the contract is shown as it is stored. A caller remembers that it saw one.
        call = createRouteCaller(routes);
        return 'altered';
      },
    );
    statuses.push([path.replaceAll(/[0-9a-f-]{36}/g, '…'), status]);
  }
  return statuses;
}

/** Asks every route that reads, and notes which tables its statements name. */
async function readAll(): Promise<Statuses> {
  const statuses: Statuses[number][] = [];
  const of = new Map<string, string[]>();
  for (const path of paths) {
    const tables = new Set<string>();
    const unhook = hookQueries((statement) => {
      for (const table of tablesNamed(statement.text, vandal.tables)) tables.add(table);
      return statement.send();
    });
    try {
      statuses.push(...(await read([path])));
    } finally {
      unhook();
    }
    for (const table of tables) of.set(table, [...(of.get(table) ?? []), path]);
  }
  pathsOf = of;
  return statuses;
}

/** Where a route fails with 500 while a row is altered, for each column. */
async function faultsOfAltering(readAltered: (column: Column) => Promise<Statuses>): Promise<readonly string[]> {
  const faults = new Set<string>();
  for (const column of vandal.columns) {
    // The first two are a changed value, and one that is no safe integer or has another length.
    for (const alteration of alterationsOf(column).slice(0, 2)) {
      const [victim] = await vandal.victims(column.table, '1', alteration.where);
      if (victim === undefined) continue;
      const statuses = await vandal.whileAltered(column, victim, alteration, () => readAltered(column));
      if (statuses === 'refused') continue;
      for (const [path, status] of statuses)
        if (status.startsWith('500'))
          faults.add(`${column.table}.${column.name} ${alteration.name}: ${path} ${status}`);
    }
  }
  return [...faults];
}

describe('every route that reads', () => {
  it('responds to what is stored', async () => {
    expect((await readAll()).filter(([, status]) => status !== '200')).toEqual([]);
  });

  it(
    'never fails with 500 on an altered row of a table that it reads',
    async () => {
      const reads = rememberReads(vandal.tables);
      try {
        expect(
          await faultsOfAltering(async ({ table }) => {
            reads.altered = table;
            return read(pathsOf.get(table) ?? []);
          }),
        ).toEqual([]);
      } finally {
        reads.stop();
      }
    },
    15 * MINUTES_MS,
  );

  it('does not show a time of deletion that was altered', async () => {
    const column = vandal.columns.find(({ table, name }) => table === 'evidence_purges' && name === 'deleted_at');
    const [alteration] = column === undefined ? [] : alterationsOf(column);
    if (column === undefined || alteration === undefined) throw new Error('there is no such column');
    const [victim] = await vandal.victims(column.table, '1', alteration.where);
    if (victim === undefined) throw new Error('no original was deleted');
    const list = () => call('GET', '/api/evidence-assets', { as: manager });
    expect(await vandal.whileAltered(column, victim, alteration, list)).toMatchObject({
      status: 500,
      code: 'content_damaged',
    });
    expect(await list()).toMatchObject({ status: 200 });
  });

  it(
    'leaves the ledger check as it was when a row changes that is not of what was recorded',
    async () => {
      const check = () => call('POST', '/api/trust/ledger-checks', { as: manager, body: {} });
      expect(await check()).toMatchObject({ status: 200, body: { outcome: 'PASS' } });
      const changed: string[] = [];
      const tables = Map.groupBy(
        vandal.columns.filter(({ table, name }) => table in NOT_RECORDED && !(`${table}.${name}` in NAMED_ANYWAY)),
        ({ table }) => table,
      );
      // The check reads the whole ledger each time, so the tables are altered together, the nth column of each.
      for (let n = 0; [...tables.values()].some((columns) => n < columns.length); n++) {
        const nth = [...tables.values()].flatMap((columns) => columns.slice(n, n + 1));
        await whileEachAltered(nth, async (altered) => {
          const columns = altered.map(({ table, name }) => `${table}.${name}`);
          changed.push(...altered.map(({ table }) => table));
          expect({ columns, reply: await check() }).toMatchObject({
            columns,
            reply: { status: 200, body: { outcome: 'PASS' } },
          });
        });
      }
      const filled = Object.keys(NOT_RECORDED).filter((name) => !name.includes('.'));
      // Marks of the clock come now and then, and may not be there yet; what checks keep has tests of its own.
      const others = ['clock_marks', 'ledger_checks'];
      expect(filled.filter((name) => !changed.includes(name) && !others.includes(name))).toEqual([]);
    },
    10 * MINUTES_MS,
  );
});
