import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { prepareAnswer } from '../fixtures/answers.ts';
import { prepareChange, prepareNote, prepareRevocation, prepareSettings, prepareToken } from '../fixtures/changes.ts';
import { type CuttingProxy, openCuttingProxy } from '../fixtures/cutting-proxy.ts';
import { openTestLog, type TestLog } from '../fixtures/open-log.ts';
import { openPool, type PostgresLedger } from './index.ts';

let log: TestLog;
let proxy: CuttingProxy;
let pool: pg.Pool;

beforeAll(async () => {
  log = await openTestLog();
  proxy = await openCuttingProxy(log.logins.answer_evidence_app);
  pool = openPool({ url: proxy.url, role: 'answer_evidence_app', connectionsMax: 3, onError: () => undefined });
});

afterAll(async () => {
  await pool.end();
  await proxy.close();
  await log.close();
});

async function countOf(table: string): Promise<number> {
  const { rows } = await log.owner.query<{ n: number }>(`select count(*) as n from answer_evidence.${table}`);
  return rows[0]?.n ?? -1;
}

async function createAll(ledger: PostgresLedger, names: readonly string[]) {
  return Promise.all(
    names.map((name) => ledger.append(log.workspace.id, prepareAnswer(log, { question: name, key: name }))),
  );
}

describe.each([true, false])('with predict %s, a connection that breaks at the commit', (predict) => {
  it.each([
    ['before the server saw it', ['commit lost']],
    ['after the server kept it', ['reply lost']],
    ['twice, once each way', ['commit lost', 'reply lost']],
    ['twice, the other way round', ['reply lost', 'commit lost']],
  ] as const)('%s, neither loses nor doubles anything', async (name, cuts) => {
    const ledger = log.openLedger({ pool, predict });
    await ledger.append(log.workspace.id, prepareNote(log));
    const before = await countOf('answer_records');
    const cutsBefore = proxy.cuts();
    proxy.arm(...cuts);
    const keys = Array.from({ length: 5 }, (_, n) => `${predict} ${name} ${n}`);
    const outcomes = await createAll(ledger, keys);

    // A redone batch commits only when the lost one had not been kept, so a later cut may find nothing to cut.
    expect(proxy.cuts() - cutsBefore).toBeGreaterThan(0);
    expect(outcomes.map(({ kind }) => kind)).toEqual(keys.map(() => 'appended'));
    expect(await countOf('answer_records')).toBe(before + keys.length);
    expect((await log.check()).findings).toEqual([]);
  });

  it.each(['commit lost', 'reply lost'] as const)(
    'with every other kind of append in it (%s) keeps each of them once',
    async (cut) => {
      const ledger = log.openLedger({ pool, predict });
      const append = (prepare: Parameters<typeof ledger.append>[1]) => ledger.append(log.workspace.id, prepare);
      const ids: string[] = [];
      const name = `${predict} ${cut}`;
      const tokenId = log.newId();
      await append(prepareAnswer(log, { question: name, key: name, onId: (id) => void ids.push(id) }));
      await append(prepareToken(log, name, tokenId));
      const recordId = ids[0] ?? '';
      const before = await countOf('ledger_leaves');
      proxy.arm(cut);
      const outcomes = await Promise.all([
        append(prepareChange(log, { recordId, type: 'correction_appended', key: 'once' })),
        append(prepareRevocation(log, tokenId)),
        append(prepareToken(log, name + ' 2', log.newId())),
        append(prepareNote(log)),
        append(prepareChange(log, { recordId, type: 'voided' })),
        append(prepareSettings(log, {})),
      ]);
      expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => 'appended'));
      expect(await countOf('ledger_leaves')).toBe(before + outcomes.length);
      const stored = await log.records.find(log.workspace.id, recordId);
      expect(stored?.status).toBe('voided');
      expect(stored?.events.map(({ event }) => event.sequence)).toEqual([1, 2]);
      expect((await log.check()).findings).toEqual([]);
    },
  );
});
