import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TILE_WIDTH } from '@answer-evidence/merkle';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { type Judge, type Judgement, openJudge } from './support/judge.ts';
import { MAY_BE_GONE, NAMED_ANYWAY, NOT_RECORDED } from './support/not-recorded.ts';
import { fillTile, openRichWorkspace } from './support/rich-workspace.ts';
import { alterationsOf, openVandal, type Vandal, type Victim } from './support/vandal.ts';

const MINUTES_MS = 60_000;

const ACCEPT_HASHES = { answer_audit_accept_caller_hash: true };

/** Which rows of a table are of different kinds, as SQL; one of each is altered. */
const KINDS: Readonly<Record<string, string>> = {
  anchor_attempts: `outcome`,
  anchors: 'type',
  answer_records: `question_text_state || (question_hash_key_id is null) || (source_refs_json = '[]') || (mode is null) ||
    (idempotency_key is null)`,
  evidence_accesses: `access || (segments_json = 'null') || (purpose_hash is null)`,
  evidence_assets: `kind || (content_type is null) || (idempotency_key is null) || (segments_root is null)`,
  evidence_details: `exists (select from answer_evidence.evidence_assets a where a.id = object_id)`,
  evidence_purges: 'deleted_at is null',
  evidence_redactions: `segments_json = 'null'`,
  idempotency_keys: `split_part(scope, ':', 1)`,
  ledger_leaves: `type || coalesce((select ' ' || (w.core_json::jsonb ->> 'change') from untouched.workspace_entries w
    where w.id = ledger_leaves.id), '')`,
  lifecycle_events: `event_type || (corrected_answer_json = 'null') || (idempotency_key is null)`,
  reconciliation_findings: 'type',
  reconciliation_records: `question_opened || (question_equals is null)::text || (named_earlier is null)`,
  reconciliation_references: '(question_hash is null) || (answer_hash is null)::text',
  reconciliation_runs: 'idempotency_key is null',
  record_states: 'status',
  sealed_contents: `(texts is null) || '' || (items is null) || exists (select from answer_evidence.answer_records r where r.id = object_id)`,
  member_credentials: 'password_hash is null',
  members: `role || (disabled_at is null) || (removed_at is null)`,
  tokens: `kind || (revoked_at is null) || (overlap_until is null) || (cut_at is null)`,
  trace_attachments: `signal || commitments`,
  workspace_entries: `type || coalesce(' ' || (core_json::jsonb ->> 'change'), '')`,
};

/** Which rows of a column are altered, where of others an altered value may be as good as the one that was there. */
const ONLY: Readonly<Record<string, string>> = {
  // After an extension, contents are looked at earlier than they need to be.
  'sealed_contents.due_at': `not exists (select from untouched.lifecycle_events e
    where e.record_id = object_id and e.event_type = 'retention_extended')`,
};

const ABOUT_OBJECT = `(select r.id from untouched.answer_records r where r.id = object_id
    union all select e.record_id from untouched.lifecycle_events e where e.id = object_id)`;

/** The record that a row is about, as SQL; for any other row the record `identified` is verified. */
const RECORD_OF: Readonly<Record<string, string>> = {
  answer_records: 'id',
  idempotency_keys: ABOUT_OBJECT,
  ledger_leaves: '(select r.id from untouched.answer_records r where r.id = subject)',
  lifecycle_events: 'record_id',
  record_states: 'record_id',
  text_expiries: 'record_id',
  trace_attachments: 'record_id',
  sealed_contents: ABOUT_OBJECT,
};

/** Values that the catalog's rules do not suggest, and that a constraint lets in. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  'anchor_attempts.outcome': [`case outcome when 'failed' then 'confirmed' else 'failed' end`],
  'evidence_assets.kind': [`case kind when 'file' then 'media' else 'file' end`],
  'evidence_states.state': [`case state when 'redacted' then 'expired' else 'redacted' end`, `'available'`],
  'reconciliation_runs.match_on': [`'external_trace_id'`],
  'reconciliation_states.status': [`'running'`],
  'reconciliation_records.status': [`'voided'`, `'recorded'`],
  'record_states.status': [`case status when 'voided' then 'corrected' else 'voided' end`, `'recorded'`],
  'ledger_leaves.type': [`'token_revoked'`, `'export_made'`, `'answer_recorded'`],
  'members.role': [`case role when 'manager' then 'member' else 'manager' end`],
  'trace_attachments.signal': [`case signal when 'span' then 'log' else 'span' end`],
  'trace_attachments.commitments': [`case commitments when 'equal' then 'absent' else 'equal' end`],
  'triage_steps.action': [`case action when 'comment' then 'reopen' else 'comment' end`],
  'triage_steps.state': [`case state when 'open' then 'resolved' else 'open' end`],
  'tokens.kind': [`case kind when 'user' then 'application' else 'user' end`],
  'lifecycle_events.event_type': [`case event_type when 'voided' then 'retention_extended' else 'voided' end`],
  'answer_records.question_text_state': [`case question_text_state when 'stored' then 'discarded' else 'stored' end`],
};

let service: TestService;
let vandal: Vandal;
let records: Readonly<Record<string, string>>;
let judge: Judge;

/** Judges what a service has stored, which has to have ended: it would keep tampered heads outside of the database. */
async function judgeStored(of: TestService, known: Readonly<Record<string, string>>): Promise<void> {
  service = of;
  records = known;
  const workspaceId: string = (await service.call('GET', '/api/whoami')).body.workspace.id;
  await service.stop();
  vandal = await openVandal(service.databaseUrl);
  const { databaseUrl, dataDir } = service;
  judge = openJudge({ databaseUrl, dataDir, workspaceId, tables: vandal.tables });
}

async function close(): Promise<void> {
  await judge.close();
  await vandal.close();
  await service.close();
}

async function recordOf(table: string, victim: Victim): Promise<string> {
  const sql = RECORD_OF[table];
  return (sql === undefined ? null : await vandal.valueOf(table, victim, sql)) ?? records.identified ?? '';
}

/** What `verify` may answer besides 200, by column, table with kind of row, or table. */
const NO_VERDICT: Readonly<Record<string, RegExp>> = {
  // The record itself is gone; the ledger check names it.
  answer_records: /^404$/,
  'answer_records.workspace_id': /^404$/,
  'answer_records.id': /^404$/,
  // Nothing is signed, and so nothing is said, on a head that the service did not write.
  ledger_heads: /^500$/,
  // Nor with keys whose history is damaged.
  'ledger_leaves (ledger_key_changed added)': /^500$/,
  'ledger_leaves (ledger_key_changed retired)': /^500$/,
  'workspace_entries (ledger_key_changed added)': /^500$/,
  'workspace_entries (ledger_key_changed retired)': /^500$/,
  // Nothing is said under the name of a workspace whose row was altered, or is gone.
  workspaces: /^404$/,
  'workspaces.id': /^(404|500)$/,
  ...Object.fromEntries(
    ['slug', 'display_name', 'log_id', 'origin', 'vkey', 'wrapped_key', 'wrapped_ledger_seed', 'created_at', 'mac'].map(
      (name) => [`workspaces.${name}`, /^500$/],
    ),
  ),
};

/** A fault of the service, if the judgement shows one. */
function faultOf(
  { table, name, label }: { table: string; name?: string; label: string },
  done: string,
  { named, verify }: Judgement,
): readonly string[] {
  const faults: string[] = [];
  const allowed =
    NO_VERDICT[`${table}.${name ?? ''}`] ??
    NO_VERDICT[`${table} (${label})`] ??
    (name === undefined || table === 'ledger_heads' ? NO_VERDICT[table] : undefined);
  const what = `${table}${name === undefined ? '' : `.${name}`} (${label}) ${done}`;
  if (named.length === 0) faults.push(`${what}: nothing is named`);
  if (verify !== '200' && allowed?.test(verify) !== true) faults.push(`${what}: verify answers ${verify}`);
  return faults;
}

/** The faults after each change of each column of a table. */
async function faultsOfAltering(isMeant: (table: string) => boolean): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const column of vandal.columns) {
    const { table, name } = column;
    const isRecorded = !(table in NOT_RECORDED || `${table}.${name}` in NOT_RECORDED);
    if (!isMeant(table) || !(isRecorded || `${table}.${name}` in NAMED_ANYWAY)) continue;
    const further = (FURTHER[`${table}.${name}`] ?? []).map((sql) => ({
      name: `set to ${sql}`,
      where: `${name} is distinct from ${sql}`,
      sql,
    }));
    let altered = 0;
    for (const [n, alteration] of [...alterationsOf(column), ...further].entries()) {
      const where = `(${alteration.where}) and ${ONLY[`${table}.${name}`] ?? 'true'}`;
      const victims = await vandal.victims(table, KINDS[table] ?? '1', where);
      // The first change goes through all kinds of rows, the others take turns: what fails does not depend on the
      // pair.
      for (const victim of n === 0 ? victims : victims.slice(n % victims.length).slice(0, 1)) {
        const recordId = await recordOf(table, victim);
        const judgement = await vandal.whileAltered(column, victim, alteration, () => judge.ask(recordId, table));
        if (judgement === 'refused') continue;
        altered += 1;
        faults.push(...faultOf({ table, name, label: victim.label }, alteration.name, judgement));
      }
    }
    if (altered === 0) faults.push(`${table}.${name}: was never altered`);
  }
  return faults;
}

/** The faults after each kind of row is deleted. */
async function faultsOfDeleting(isMeant: (table: string) => boolean): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const table of vandal.tables) {
    if (!isMeant(table) || table in NOT_RECORDED || table in MAY_BE_GONE) continue;
    for (const victim of await vandal.victims(table, KINDS[table] ?? '1', 'true')) {
      const recordId = await recordOf(table, victim);
      const judgement = await vandal.whileDeleted(table, victim, () => judge.ask(recordId, table));
      faults.push(...faultOf({ table, label: victim.label }, 'deleted', judgement));
    }
  }
  return faults;
}

/** Only a full tile is stored, and each check of so long a log takes longer. */
const isTile = (table: string) => table === 'ledger_tiles';
const isOther = (table: string) => !isTile(table);

describe('anyone who changes the database past the service', () => {
  beforeAll(async () => {
    const rich = await openRichWorkspace({ isTileFull: false });
    await judgeStored(rich.service, rich.records);
  }, MINUTES_MS);
  afterAll(close);

  it('finds a workspace that holds every kind of row that was recorded, and of which nothing is wrong', async () => {
    for (const table of vandal.tables) {
      if (isTile(table) || table in NOT_RECORDED) continue;
      expect({ table, rows: (await vandal.victims(table, '1', 'true')).length }).toEqual({ table, rows: 1 });
    }
    for (const [name, id] of Object.entries(records)) {
      // The run of reconciliation was given another hash for this one, which is no fault of what is stored.
      const named = name === 'correctedTwice' ? ['reconciliation'] : [];
      expect({ name, ...(await judge.ask(id)) }).toEqual({ name, named, verify: '200' });
    }
  });

  it('has no table or column that is both listed as not recorded and gone', () => {
    const known = new Set([...vandal.tables, ...vandal.columns.map(({ table, name }) => `${table}.${name}`)]);
    const named = [NOT_RECORDED, MAY_BE_GONE, NAMED_ANYWAY, FURTHER, KINDS, ONLY].flatMap((list) => Object.keys(list));
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it(
    'is named for every column of every table that holds what was recorded',
    async () => expect(await faultsOfAltering(isOther)).toEqual([]),
    30 * MINUTES_MS,
  );

  it(
    'is named for every row that is deleted',
    async () => expect(await faultsOfDeleting(isOther)).toEqual([]),
    15 * MINUTES_MS,
  );
});

describe('anyone who changes a stored tile past the service', () => {
  beforeAll(async () => {
    const full = await openTestService();
    expect((await full.call('PATCH', '/api/tenant/settings', { body: ACCEPT_HASHES })).status).toBe(200);
    const [first] = await fillTile(full, TILE_WIDTH);
    await judgeStored(full, { identified: first?.body.id });
  }, MINUTES_MS);
  afterAll(close);

  it(
    'is named for every column and for the row',
    async () => {
      expect((await vandal.victims('ledger_tiles', '1', 'true')).length).toBe(1);
      expect(await judge.ask(records['identified'] ?? '')).toEqual({ named: [], verify: '200' });
      expect(await faultsOfAltering(isTile)).toEqual([]);
      expect(await faultsOfDeleting(isTile)).toEqual([]);
    },
    MINUTES_MS,
  );
});
