import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@answer-evidence/access';
import { checkStoredLedger } from '@answer-evidence/postgres';
import { createRouteCaller } from '@answer-evidence/testing';
import { openCoreOn } from './support/core-on.ts';
import { fillWorkspace } from './support/rich-workspace.ts';
import { openTestService, type TestService } from './support/test-service.ts';
import { alterationsOf, openVandal, type Vandal, type Victim } from './support/vandal.ts';

const MINUTES_MS = 60_000;

/** Which rows of a table are of different kinds, as SQL; one of each is altered. */
const KINDS: Readonly<Record<string, string>> = {
  answer_records: `question_text_state || (question_hash_key_id is null) || (source_refs_json = '[]') || (mode is null) ||
    (idempotency_key is null)`,
  idempotency_keys: `split_part(scope, ':', 1)`,
  ledger_leaves: 'type',
  lifecycle_events: `event_type || (corrected_answer_json = 'null') || (idempotency_key is null)`,
  record_states: 'status',
  sealed_contents: `(texts is null) || '' || (items is null) || exists (select from answer_evidence.answer_records r where r.id = object_id)`,
  tokens: `kind || (revoked_at is null)`,
  workspace_entries: 'type',
};

/** The record that a row is about, as SQL; any other row is about none, and the record `identified` is verified instead. */
const RECORD_OF: Readonly<Record<string, string>> = {
  answer_records: 'id',
  idempotency_keys: `(select coalesce(e.record_id, object_id) from (select) n left join answer_evidence.lifecycle_events e on e.id = object_id)`,
  ledger_leaves: 'subject',
  lifecycle_events: 'record_id',
  record_states: 'record_id',
  sealed_contents: `(select coalesce(e.record_id, object_id) from (select) n left join answer_evidence.lifecycle_events e on e.id = object_id)`,
};

/** Values that the catalog's rules do not suggest, and that a constraint lets in. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  'record_states.status': [`case status when 'voided' then 'corrected' else 'voided' end`, `'recorded'`],
  'ledger_leaves.type': [`'token_revoked'`, `'export_made'`, `'answer_recorded'`],
  'tokens.kind': [`case kind when 'user' then 'application' else 'user' end`],
  'lifecycle_events.event_type': [`case event_type when 'voided' then 'retention_extended' else 'voided' end`],
  'answer_records.question_text_state': [`case question_text_state when 'stored' then 'discarded' else 'stored' end`],
};

/** What no ledger vouches for, and why. Names are `table` or `table.column`. */
const NOT_RECORDED: Readonly<Record<string, string>> = {
  installation: 'recognises the master key; a wrong one is refused at the start',
  token_signing_keys: 'belongs to no workspace; a key that does not open is refused at the start',
  members: 'who may sign in now, not what was recorded',
  'workspaces.slug': 'how the workspace is addressed; the ledger is named by its origin',
  'workspaces.display_name': 'shown to people only',
  'workspaces.created_at': 'orders lists of workspaces; the genesis entry has the time of the log',
};

let service: TestService;
let vandal: Vandal;
let records: Readonly<Record<string, string>>;
let workspaceId: string;

beforeAll(async () => {
  service = await openTestService();
  ({ records } = await fillWorkspace(service));
  workspaceId = (await service.call('GET', '/api/whoami')).body.workspace.id;
  // A running service would keep tampered heads outside of the database.
  await service.stop();
  vandal = await openVandal(service.databaseUrl);
}, MINUTES_MS);

afterAll(async () => {
  await vandal.close();
  await service.close();
});

const manager = (): Caller => ({
  kind: 'user',
  workspaceId,
  tokenId: workspaceId,
  userId: workspaceId,
  username: 'manager',
  role: 'manager',
  expiresAt: Number.MAX_SAFE_INTEGER,
});

type Judgement = { readonly named: readonly string[]; readonly verify: string };

/** What a process that starts now says: the checks that fail, the ledger check's findings, or why it does not work at all. */
async function judge(recordId: string): Promise<Judgement> {
  const { core } = await openCoreOn(service);
  try {
    const named: string[] = [];
    const call = createRouteCaller(core.createStages(['trust']).flatMap((stage) => stage.routes));
    let verify: string;
    try {
      const reply = await call('GET', `/api/answer-audit-logs/${recordId}/ledger/verify`, { as: manager() });
      verify = String(reply.status);
      const { checks = [] } = (reply.body ?? {}) as { checks?: { check: string; outcome: string }[] };
      named.push(...checks.filter(({ outcome }) => outcome === 'FAIL').map(({ check }) => check));
    } catch (error) {
      verify = `500 ${String(error)}`;
    }
    try {
      const report = await checkStoredLedger(core.pool, await core.directory.get(workspaceId));
      named.push(...report.findings.map(({ check }) => `ledger check: ${check}`));
    } catch (error) {
      named.push(`the ledger cannot be read: ${String(error)}`);
    }
    return { named, verify };
  } finally {
    await core.close();
  }
}

async function recordOf(table: string, victim: Victim): Promise<string> {
  const named = RECORD_OF[table] === undefined ? null : await vandal.valueOf(table, victim, RECORD_OF[table]);
  const known = Object.values(records).find((id) => id === named);
  return known ?? records.identified ?? '';
}

/** A fault of the service, if the judgement shows one. */
function faultOf(what: string, { named, verify }: Judgement, recordIsGone: boolean): readonly string[] {
  const faults: string[] = [];
  if (named.length === 0) faults.push(`${what}: nothing is named`);
  if (verify !== '200' && !(recordIsGone && verify === '404')) faults.push(`${what}: verify answers ${verify}`);
  return faults;
}

const IS_IDENTITY = new Set(['workspace_id', 'id']);

describe('whoever changes the database past the service', () => {
  it('finds a workspace that holds every kind of row, and of which nothing is wrong', async () => {
    for (const table of vandal.tables) {
      expect({ table, rows: (await vandal.victims(table, '1', 'true')).length }).toEqual({ table, rows: 1 });
    }
    for (const id of Object.values(records)) expect(await judge(id)).toEqual({ named: [], verify: '200' });
  });

  it('has no table or column that is both listed as not recorded and gone', () => {
    const known = new Set([...vandal.tables, ...vandal.columns.map(({ table, name }) => `${table}.${name}`)]);
    const named = [...Object.keys(NOT_RECORDED), ...Object.keys(FURTHER), ...Object.keys(KINDS)];
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it(
    'is named for every column of every table that holds what was recorded',
    async () => {
      const faults: string[] = [];
      for (const column of vandal.columns) {
        const { table, name } = column;
        if (table in NOT_RECORDED || `${table}.${name}` in NOT_RECORDED) continue;
        const further = (FURTHER[`${table}.${name}`] ?? []).map((sql) => ({
          name: `set to ${sql}`,
          where: `${name} is distinct from ${sql}`,
          sql,
        }));
        let altered = 0;
        for (const alteration of [...alterationsOf(column), ...further]) {
          for (const victim of await vandal.victims(table, KINDS[table] ?? '1', alteration.where)) {
            const recordId = await recordOf(table, victim);
            const judgement = await vandal.whileAltered(column, victim, alteration, () => judge(recordId));
            if (judgement === 'refused') continue;
            altered += 1;
            const isGone = table === 'answer_records' && IS_IDENTITY.has(name);
            faults.push(...faultOf(`${table}.${name} (${victim.label}) ${alteration.name}`, judgement, isGone));
          }
        }
        if (altered === 0) faults.push(`${table}.${name}: was never altered`);
      }
      expect(faults).toEqual([]);
    },
    10 * MINUTES_MS,
  );

  it(
    'is named for every row that is deleted',
    async () => {
      const faults: string[] = [];
      for (const table of vandal.tables) {
        if (table in NOT_RECORDED) continue;
        for (const victim of await vandal.victims(table, KINDS[table] ?? '1', 'true')) {
          const recordId = await recordOf(table, victim);
          const judgement = await vandal.whileDeleted(table, victim, () => judge(recordId));
          faults.push(...faultOf(`${table} (${victim.label})`, judgement, table === 'answer_records'));
        }
      }
      expect(faults).toEqual([]);
    },
    5 * MINUTES_MS,
  );
});
