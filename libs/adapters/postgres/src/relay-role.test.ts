import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { codeOf } from '../fixtures/code-of.ts';
import { fillJobs, openOther } from '../fixtures/fill-every-table.ts';
import { openTestLog, type TestLog } from '../fixtures/open-log.ts';
import { openPool } from './index.ts';

const DENIED = '42501';

let log: TestLog;
let relayPool: pg.Pool;
let otherWorkspaceId: string;
let isClosing = false;

beforeAll(async () => {
  log = await openTestLog();
  await fillJobs(log);
  otherWorkspaceId = await openOther(log);
  relayPool = openPool({
    url: log.logins.answer_evidence_relay,
    role: 'answer_evidence_relay',
    connectionsMax: 2,
    onError: (error) => {
      // Dropping the database may cut a connection off that is just saying goodbye.
      if (!isClosing) throw error;
    },
  });
});

afterAll(async () => {
  isClosing = true;
  await relayPool.end();
  await log.close();
});

describe('the relay’s role', () => {
  const OF_THE_RELAY = ['dead_letters', 'outbox'];
  /** Where there is work: ids, sizes and times, and nothing that anybody has submitted. */
  const SEEN_BY_THE_RELAY: Readonly<Record<string, readonly string[]>> = {
    approvals: ['expires_at', 'state'],
    counted_logs: ['tree_size'],
    evidence_dues: ['due_at'],
    ledger_heads: ['last_at', 'tree_size'],
    notification_places: ['tree_size'],
    notification_targets: ['removed_at'],
    otlp_inbox: ['received_at'],
    otlp_traces: ['due_at', 'is_open'],
    otlp_calls: ['recorded_at'],
    otlp_unattached: ['unattached_at'],
    otlp_waiting: [],
    published_checkpoints: ['tree_size'],
    reconciliation_states: ['status'],
    sealed_contents: ['due_at'],
    stream_states: ['state', 'tree_size'],
    triage_texts: ['due_at'],
    trust_looks: ['due_at', 'part', 'policy_version', 'tree_size'],
    word_indexes: ['next_leaf'],
    workspace_entries: ['seq', 'type'],
  };

  it('sees the jobs and dead letters of every workspace', async () => {
    for (const table of OF_THE_RELAY) {
      const { rows } = await relayPool.query<{ id: string }>(`select workspace_id as id from answer_evidence.${table}`);
      expect([table, rows]).toEqual([table, [{ id: log.workspace.id }]]);
    }
  });

  it('sees of other tables of every workspace where there is work, and no more', async () => {
    const { rows } = await log.owner.query<{ name: string; privilege: string }>(
      `select table_name || '.' || column_name as name, privilege_type as privilege
         from information_schema.column_privileges
         where grantee = 'answer_evidence_relay' and table_schema = 'answer_evidence' and table_name <> all($1)
         order by name`,
      [OF_THE_RELAY],
    );
    const columns = Object.entries(SEEN_BY_THE_RELAY).flatMap(([table, seen]) =>
      [...seen, 'workspace_id'].map((column) => ({ name: `${table}.${column}`, privilege: 'SELECT' })),
    );
    expect(rows).toEqual(columns.sort((a, b) => (a.name < b.name ? -1 : 1)));
    const heads = await relayPool.query<{ id: string }>('select workspace_id as id from answer_evidence.ledger_heads');
    expect(heads.rows.map(({ id }) => id).sort()).toEqual([log.workspace.id, otherWorkspaceId].sort());
  });

  it('sees nothing else, and adds and redirects no job', async () => {
    const { rows } = await log.owner.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'answer_evidence'::regnamespace and relkind = 'r'`,
    );
    const others = rows.filter(({ name }) => !OF_THE_RELAY.includes(name) && !(name in SEEN_BY_THE_RELAY));
    expect(others.length).toBeGreaterThan(30);
    for (const { name: table } of others) {
      const request = relayPool.query(`select from answer_evidence.${table}`);
      expect([table, await codeOf(request)]).toEqual([table, DENIED]);
    }
    for (const sql of [
      'insert into answer_evidence.outbox select * from answer_evidence.outbox',
      'update answer_evidence.outbox set subject = workspace_id',
      'update answer_evidence.outbox set workspace_id = id',
      'truncate answer_evidence.outbox',
      'alter table answer_evidence.outbox disable row level security',
    ])
      expect([sql, await codeOf(relayPool.query(sql))]).toEqual([sql, DENIED]);
  });
});
