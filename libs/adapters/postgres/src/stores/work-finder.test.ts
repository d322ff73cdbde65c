import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { LOOKS_MICROS_MAX, type WorkFinder, type Workspace } from '@answer-evidence/ports';
import { prepareAnswer } from '../../fixtures/answers.ts';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { fillOtlp } from '../../fixtures/otlp.ts';
import { prepareTrustPolicy } from '../../fixtures/trust.ts';
import { createWorkspace } from '../create-workspace.ts';
import { openPool } from '../pool.ts';
import { createWorkspaceDirectory } from './directory.ts';
import { createTrustStore } from './trust-store.ts';
import { createWorkFinder } from './work-finder.ts';

let log: TestLog;
let relayPool: pg.Pool;
let work: WorkFinder;
let other: Workspace;

beforeAll(async () => {
  log = await openTestLog();
  relayPool = openPool({
    url: log.logins.answer_evidence_relay,
    role: 'answer_evidence_relay',
    connectionsMax: 2,
    onError: () => undefined,
  });
  const { workspaceId } = await createWorkspace(log.pool, log, {
    slug: 'globex',
    displayName: 'Globex',
    host: 'log.example',
    member: { username: 'max', role: 'manager' },
  });
  other = await log.directory.get(workspaceId);
  work = createWorkFinder(relayPool, log.directory);
});

afterAll(async () => {
  await relayPool.end();
  await log.close();
});

const slugsOf = (workspaces: readonly Workspace[]) => workspaces.map(({ slug }) => slug).sort();

describe('the finder of work', () => {
  it('gives the sizes of all logs, and of those with an entry of this time or later', async () => {
    const sizeOf = async ({ id }: Workspace) => (await log.logs.snapshot(id)).head.tree_size;
    const { rows } = await log.owner.query<{ last_at: number }>(
      'select last_at from answer_evidence.ledger_heads where workspace_id = $1',
      [other.id],
    );
    const [{ last_at: newest } = { last_at: 0 }] = rows;
    await log
      .openLedger()
      .append(log.workspace.id, prepareAnswer(log, { question: 'one', key: 'one', onId: () => undefined }));
    const all = await work.grownLogs(0);
    expect(new Map(all.map(({ workspace, treeSize }) => [workspace.slug, treeSize]))).toEqual(
      new Map([
        ['acme', await sizeOf(log.workspace)],
        ['globex', await sizeOf(other)],
      ]),
    );
    expect((await work.grownLogs(newest + 1)).map(({ workspace }) => workspace.slug)).toEqual(['acme']);
  });

  it('names a log until it is published as it is, and again when it has grown', async () => {
    const trust = createTrustStore(log.pool, log.directory);
    expect(slugsOf(await work.unpublished())).toEqual(['acme', 'globex']);
    const { head, root } = await log.logs.snapshot(other.id);
    await trust.publish(other.id, { tree_size: head.tree_size, root, policy_version: 0, published_at: 1 });
    expect(slugsOf(await work.unpublished())).toEqual(['acme']);
    await log.openLedger().append(other.id, prepareTrustPolicy(log, 0, {}));
    expect(slugsOf(await work.unpublished())).toEqual(['acme', 'globex']);
    expect(slugsOf(await work.withTrustPolicy())).toEqual(['globex']);
  });

  it('names a log to be attested, unless a look at this tree under this policy puts that off by minutes', async () => {
    const trust = createTrustStore(log.pool, log.directory);
    const now = 10 * LOOKS_MICROS_MAX;
    const [due, ...more] = await work.attestationsDue('witness', now);
    if (due === undefined) throw new Error('a log without a look is due');
    const { workspace, ...looked } = due;
    expect([workspace.slug, looked, more]).toEqual([
      'globex',
      { tree_size: expect.any(Number), policy_version: 1 },
      [],
    ]);
    expect(looked.tree_size).toBe((await trust.newestPublished(other.id))?.tree_size);
    const note = (change: object) =>
      trust.noteLook(other.id, { part: 'witness', ...looked, due_at: now + LOOKS_MICROS_MAX, ...change });
    const isDue = async (at = now) => (await work.attestationsDue('witness', at)).length === 1;
    await note({});
    expect([await isDue(), await isDue(now + LOOKS_MICROS_MAX), await isDue(0)]).toEqual([false, true, true]);
    expect(slugsOf((await work.attestationsDue('anchor', now)).map((one) => one.workspace))).toEqual(['globex']);
    for (const change of [{ tree_size: 1 }, { policy_version: 0 }, { due_at: now + LOOKS_MICROS_MAX + 1 }]) {
      await note(change);
      expect([change, await isDue()]).toEqual([change, true]);
    }
  });

  it('names a workspace whose log names no member', async () => {
    expect(await work.withUnnamedMembers()).toEqual([]);
    // As a release left it whose logs named none; without the triggers that refuse any change of an entry.
    await log.owner.query(
      `begin; set local session_replication_role = replica;
         delete from answer_evidence.workspace_entries
           where type = 'member_changed' and workspace_id = '${other.id}'; commit`,
    );
    expect(slugsOf(await work.withUnnamedMembers())).toEqual(['globex']);
  });

  it.each([
    ['texts', 'insert into sealed_contents (workspace_id, object_id, wrapped_key, due_at) values ($1, $1, $2, 10)'],
    ['evidence', 'insert into evidence_dues (workspace_id, asset_id, mac, due_at) values ($1, $1, $2, 10)'],
    [
      'triage',
      `insert into triage_texts (workspace_id, run_id, position, version, wrapped_key, text, due_at)
         values ($1, $1, 1, 1, $2, $2, 10)`,
    ],
  ] as const)('names a workspace when something of it is due to expire: %s', async (what, insert) => {
    expect(slugsOf(await work.expiring(what, 11))).toEqual([]);
    await log.owner.query(insert.replace('into ', 'into answer_evidence.'), [other.id, new Uint8Array(1)]);
    expect(slugsOf(await work.expiring(what, 11))).toEqual(['globex']);
    expect(slugsOf(await work.expiring(what, 10))).toEqual([]);
  });

  it('names a workspace in which something of OTLP waits, and one that may let go of something', async () => {
    expect(await work.withOtlp(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)).toEqual([]);
    await fillOtlp(log);
    expect(slugsOf(await work.withOtlp(0, 0))).toEqual(['acme']);
    for (const table of ['otlp_waiting', 'otlp_traces', 'otlp_inbox'])
      await log.owner.query(`delete from answer_evidence.${table}`);
    expect(slugsOf(await work.withOtlp(0, 0))).toEqual([]);
    expect(slugsOf(await work.withOtlp(0, Number.MAX_SAFE_INTEGER))).toEqual(['acme']);
  });

  it('names a workspace that knows of a call for longer than it has to', async () => {
    await log.owner.query('delete from answer_evidence.otlp_calls');
    await log.owner.query(`insert into answer_evidence.otlp_calls values ($1, 'call', $2, 1)`, [other.id, log.newId()]);
    expect(slugsOf(await work.withOldCalls(2))).toEqual(['globex']);
    expect(await work.withOldCalls(1)).toEqual([]);
  });

  it('names a workspace with a run of reconciliation that is not completed', async () => {
    const insert = `insert into answer_evidence.reconciliation_states (workspace_id, run_id, status, progress)
      values ($1, $2, $3, 0)`;
    await log.owner.query(insert, [log.workspace.id, log.newId(), 'completed']);
    expect(await work.withOpenRuns()).toEqual([]);
    await log.owner.query(insert, [other.id, log.newId(), 'queued']);
    expect(slugsOf(await work.withOpenRuns())).toEqual(['globex']);
  });

  it('leaves out a workspace whose row was altered, and has the others', async () => {
    const damaged: string[] = [];
    const fresh = createWorkspaceDirectory(log.pool, log.vault, (found) => damaged.push(...found.map(({ id }) => id)));
    await log.owner.query(`update answer_evidence.workspaces set slug = 'hooli' where id = $1`, [other.id]);
    const found = await createWorkFinder(relayPool, fresh).grownLogs(0);
    await log.owner.query(`update answer_evidence.workspaces set slug = 'globex' where id = $1`, [other.id]);
    expect(found.map(({ workspace }) => workspace.slug)).toEqual(['acme']);
    expect(damaged).toEqual([other.id]);
  });

  it('asks as a role that sees where something is, and not what', async () => {
    for (const column of ['core_json from workspace_entries', 'texts from sealed_contents', 'items from otlp_inbox'])
      await expect(relayPool.query(`select ${column.replace('from ', 'from answer_evidence.')}`)).rejects.toMatchObject(
        { code: '42501' },
      );
  });
});
