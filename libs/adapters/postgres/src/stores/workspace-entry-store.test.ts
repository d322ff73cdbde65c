import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RevealCore, WorkspaceEntryFilters } from '@answer-evidence/contracts';
import { createNoteCommand, readingEntry } from '@answer-evidence/ledger';
import { StoredDamageError } from '@answer-evidence/ports';
import { prepareAnswer } from '../../fixtures/answers.ts';
import { prepareMember, prepareNote, prepareSettings, prepareToken } from '../../fixtures/changes.ts';
import { explainStatements } from '../../fixtures/explain-statements.ts';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { prepareTrustPolicy } from '../../fixtures/trust.ts';
import { createWorkspaceEntryStore } from './workspace-entry-store.ts';

const PAGE = { offset: 0, limit: 50 };
const RECORD = '0199f3c2-0000-7000-8000-00000000000a';
/** A key that JSON writes otherwise, and that looks like a member of a core. */
const APPLICATION = 'a "quoted\\ bot","answer_log_id":"0199f3c2-0000-7000-8000-00000000000b';

let log: TestLog;
let tokenId: string;

beforeAll(async () => {
  log = await openTestLog();
  const ledger = log.openLedger();
  const { id } = log.workspace;
  tokenId = log.newId();
  await ledger.append(id, prepareMember(log, 'anna'));
  await ledger.append(id, prepareAnswer(log, { question: 'one' }));
  await ledger.append(id, prepareToken(log, 'runtime', tokenId));
  await ledger.append(id, prepareSettings(log, { answer_audit_default_retention_days: 30 }));
  await ledger.append(id, prepareTrustPolicy(log, 0, {}, 'secret'));
  const core: RevealCore = {
    id: log.newId(),
    nonce: log.newNonce(),
    answer_log_id: RECORD,
    reason_code: 'audit',
    reason: '"answer_log_id":"0199f3c2-0000-7000-8000-00000000000c"',
    actor: { kind: 'application', id: APPLICATION, token_id: null },
  };
  await ledger.append(id, () => createNoteCommand(id, { type: 'texts_revealed', seq: 0, core }));
  await ledger.append(id, prepareNote(log));
});
afterAll(() => log.close());

const typesOf = async (filters: WorkspaceEntryFilters, page: object = PAGE) => {
  const found = await createWorkspaceEntryStore(log.pool).list(log.workspace.id, filters, { ...PAGE, ...page });
  return found.items.map(({ row }) => row.type);
};

describe('the entries about a workspace', () => {
  it('are read newest first with their leaves, and nothing of records', async () => {
    const { items, ...counted } = await createWorkspaceEntryStore(log.pool).list(log.workspace.id, {}, PAGE);
    expect(items.slice(0, 5).map(({ row }) => row.type)).toEqual([
      'export_made',
      'texts_revealed',
      'trust_policy_changed',
      'settings_changed',
      'token_issued',
    ]);
    expect(items.at(-1)?.row.type).toBe('genesis');
    expect(items.every(({ row, leaf }) => row.id === leaf.id)).toBe(true);
    expect(counted).toEqual({ total: items.length, totalIsExact: true });
    const explained = await explainStatements(log, async (pool) => {
      await createWorkspaceEntryStore(pool).list(log.workspace.id, {}, PAGE);
    });
    expect(explained.flatMap(({ text }) => text.match(/answer_records|lifecycle_events|sealed/g) ?? [])).toEqual([]);
  });

  it('are narrowed by type, actor, record and time, and go on below a leaf', async () => {
    expect(await typesOf({ type: 'token_issued' })).toEqual(['token_issued']);
    expect(await typesOf({ actor_id: APPLICATION })).toEqual(['texts_revealed']);
    expect(await typesOf({ answer_log_id: RECORD })).toEqual(['texts_revealed']);
    for (const other of ['b', 'c']) expect(await typesOf({ answer_log_id: RECORD.replace(/a$/, other) })).toEqual([]);
    const [newest, second] = (await createWorkspaceEntryStore(log.pool).list(log.workspace.id, {}, PAGE)).items;
    expect((await typesOf({}, { beforeLeaf: newest?.leaf.leaf_index }))[0]).toBe(second?.row.type);
    expect(await typesOf({}, { offset: 1, limit: 1 })).toEqual([second?.row.type]);
    const later = new Date((newest?.leaf.at ?? 0) / 1000 + 1000).toISOString();
    expect(await typesOf({ created_after: later })).toEqual([]);
    expect(await typesOf({ created_before: later, type: 'genesis' })).toEqual(['genesis']);
  });

  it('come with the version before, where they hold a whole version', async () => {
    const store = createWorkspaceEntryStore(log.pool);
    const [settings, first] = (await store.list(log.workspace.id, { type: 'settings_changed' }, PAGE)).items;
    expect(settings?.before?.id).toBe(first?.row.id);
    expect(first?.before).toBeUndefined();
    expect(await store.find(log.workspace.id, settings?.row.id ?? '')).toEqual(settings);
    expect(await store.find(log.newId(), settings?.row.id ?? '')).toBeUndefined();
  });

  it('have the names of members and tokens', async () => {
    const store = createWorkspaceEntryStore(log.pool);
    const { members, tokens } = await store.namesOf(log.workspace.id, [tokenId, RECORD]);
    expect([[...members], [...tokens]]).toEqual([[], [[tokenId, 'runtime']]]);
  });

  it('that are readings of many records are found by each of them, and by no id that a text names', async () => {
    const ids = [log.newId(), log.newId()];
    const inText = log.newId();
    const said = {
      operation: 'createPack',
      reason_code: 'audit',
      reason: `"answer_log_ids":["${inText}"]`,
      actor: { kind: 'application' as const, id: APPLICATION, token_id: null },
    };
    const entry = readingEntry({ id: log.newId(), nonce: log.newNonce() }, ids, said);
    await log.openLedger().append(log.workspace.id, () => createNoteCommand(log.workspace.id, entry));
    for (const id of ids) expect(await typesOf({ answer_log_id: id })).toEqual(['texts_revealed']);
    expect(await typesOf({ answer_log_id: inText })).toEqual([]);
    expect((await log.check()).findings).toEqual([]);
  });

  it('are damage where a row claims the place of another leaf', async () => {
    const store = createWorkspaceEntryStore(log.pool);
    const move = (by: number) =>
      log.owner.query(
        `update answer_evidence.workspace_entries set leaf_index = leaf_index + $2
           where workspace_id = $1 and type = 'export_made'`,
        [log.workspace.id, by],
      );
    await log.owner.query('set session_replication_role = replica');
    await move(-1);
    await expect(store.list(log.workspace.id, {}, PAGE)).rejects.toThrow(StoredDamageError);
    const { outcome, findings } = await log.check();
    expect([outcome, findings.length]).toEqual(['FAIL', 1]);
    await move(1);
    await log.owner.query('set session_replication_role = origin');
    expect(await typesOf({ type: 'export_made' })).toEqual(['export_made']);
  });

  it('are damage where a search by time meets a leaf that is gone', async () => {
    const store = createWorkspaceEntryStore(log.pool);
    const byTime = () => store.list(log.workspace.id, { created_after: '2000-01-01T00:00:00Z' }, PAGE);
    const { total } = await byTime();
    await log.owner.query('set session_replication_role = replica');
    await log.owner.query('create table lost as table answer_evidence.ledger_leaves');
    await log.owner.query('delete from answer_evidence.ledger_leaves where workspace_id = $1', [log.workspace.id]);
    await expect(byTime()).rejects.toThrow(StoredDamageError);
    await log.owner.query('insert into answer_evidence.ledger_leaves select * from lost');
    await log.owner.query('set session_replication_role = origin');
    expect((await byTime()).total).toBe(total);
  });

  it('are read from an index in their order, however many there are', async () => {
    await log.owner.query(
      `insert into answer_evidence.workspace_entries (workspace_id, id, type, seq, core_json)
         select $1, gen_random_uuid(), 'token_issued', 0, '{"actor":{"id":"robot"}}' from generate_series(1, 20000)`,
      [log.workspace.id],
    );
    for (const filters of [{}, { type: 'export_made' }, { actor_id: APPLICATION }] as const) {
      const explained = await explainStatements(log, async (pool) => {
        await createWorkspaceEntryStore(pool).list(log.workspace.id, filters, { offset: 0, limit: 3 });
      });
      const listed = explained.find(({ text }) => text.includes('w_core_json'));
      expect([filters, listed?.pages ?? 1_000]).toEqual([filters, expect.any(Number)]);
      expect(listed?.pages).toBeLessThan(60);
    }
  });
});
