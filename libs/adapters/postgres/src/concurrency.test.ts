import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyInclusion } from '@answer-evidence/merkle';
import { verifySignature } from '@answer-evidence/node-crypto';
import { parseCheckpoint, parseNote, parseVkey, verifyNote } from '@answer-evidence/note';
import type { AppendOutcome } from '@answer-evidence/ports';
import { prepareAnswer } from '../fixtures/answers.ts';
import { prepareSettings } from '../fixtures/changes.ts';
import { openTestLog, type TestLog } from '../fixtures/open-log.ts';
import { openPool, readSettings } from './index.ts';

let log: TestLog;

beforeAll(async () => {
  log = await openTestLog();
});

afterAll(async () => {
  expect((await log.check()).findings).toEqual([]);
  await log.close();
});

function idsOf(outcomes: readonly AppendOutcome[]): ReadonlySet<string | undefined> {
  return new Set(outcomes.map((outcome) => (outcome.kind === 'appended' ? outcome.entries[0]?.id : outcome.objectId)));
}

async function recordsWith(prefix: string): Promise<number> {
  const { rows } = await log.owner.query<{ n: number }>(
    'select count(*) as n from answer_evidence.answer_records where starts_with(idempotency_key, $1)',
    [prefix],
  );
  return rows[0]?.n ?? -1;
}

describe('equal creates at the same time', () => {
  it('make one record, of which exactly one request hears that it was new', async () => {
    const ledgers = [log.openLedger(), log.openLedger({ predict: false })];
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, async (_, n) => {
        const ledger = ledgers[n % 2] ?? log.openLedger();
        return ledger.append(log.workspace.id, prepareAnswer(log, { question: 'same', key: 'equal' }));
      }),
    );
    expect(outcomes.filter(({ kind }) => kind === 'appended')).toHaveLength(1);
    expect(idsOf(outcomes).size).toBe(1);
    expect(await recordsWith('equal')).toBe(1);
  });
});

describe('two processes on one workspace', () => {
  it.each([true, false])(
    'that send the same keys in opposite orders neither deadlock nor double, with predict %s',
    async (predict) => {
      const pools = [0, 1].map(() =>
        openPool({
          url: log.logins.answer_evidence_app,
          role: 'answer_evidence_app',
          connectionsMax: 2,
          onError: () => undefined,
        }),
      );
      try {
        const ledgers = pools.map((pool) => log.openLedger({ pool, predict }));
        for (let round = 0; round < 40; round++) {
          const keys = Array.from({ length: 6 }, (_, n) => `${predict} round ${round} key ${n}`);
          const orders = [keys, keys.toReversed()];
          const outcomes = await Promise.all(
            ledgers.flatMap((ledger, n) =>
              (orders[n] ?? []).map((key) =>
                ledger.append(log.workspace.id, prepareAnswer(log, { question: key, key })),
              ),
            ),
          );
          expect(idsOf(outcomes).size).toBe(keys.length);
          expect(await recordsWith(`${predict} round ${round} `)).toBe(keys.length);
        }
        await Promise.all(ledgers.map((ledger) => ledger.drain()));
      } finally {
        await Promise.all(pools.map((pool) => pool.end()));
      }
    },
  );

  it('obey each other’s changes of policy from the next create on', async () => {
    const [one, other] = [log.openLedger(), log.openLedger()];
    const create = (question: string) => other.append(log.workspace.id, prepareAnswer(log, { question }));
    await create('before');
    for (let round = 0; round < 3; round++) {
      await one.append(log.workspace.id, prepareSettings(log, { answer_audit_accept_text: false }));
      await expect(create('refused')).rejects.toMatchObject({ code: 'text_not_accepted' });
      await one.append(log.workspace.id, prepareSettings(log, { answer_audit_accept_text: true }));
      expect((await create('accepted')).kind).toBe('appended');
    }
  });

  it('obey a switch to keyed commitments although they had prepared plain ones', async () => {
    const [one, other] = [log.openLedger(), log.openLedger()];
    await other.append(log.workspace.id, prepareAnswer(log, { question: 'known' }));
    await one.append(
      log.workspace.id,
      prepareSettings(log, { answer_audit_keyed_hash_enabled: true }, 'hk_concurrent'),
    );
    const ids: string[] = [];
    const onId = (id: string) => void ids.push(id);
    const kept = await other.append(log.workspace.id, prepareAnswer(log, { question: 'keyed', onId }));
    // Prepared twice, and what the second preparation made is what the caller hears of.
    expect(ids).toHaveLength(2);
    expect(kept.command.subject).toBe(ids.at(-1));
    const stored = await log.records.find(log.workspace.id, ids.at(-1) ?? '');
    expect(stored?.record.question_hash).toMatch(/^hmac-sha256:/);
    expect(stored?.record.settings_version).toBe((await readSettings(log.logs, log.workspace.id)).version);
    await one.append(log.workspace.id, prepareSettings(log, { answer_audit_keyed_hash_enabled: false }));
  });
});

describe('every outcome', () => {
  it('carries proofs that lead to the root of its own signed checkpoint', async () => {
    const ledger = log.openLedger();
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        ledger.append(log.workspace.id, prepareAnswer(log, { question: `proved ${n}` })),
      ),
    );
    const vkey = parseVkey(log.workspace.vkey);
    for (const outcome of outcomes) {
      if (outcome.kind !== 'appended') throw new Error('all of these are new');
      const [entry] = outcome.entries;
      if (entry === undefined) throw new Error('a create has an entry');
      const note = parseNote(outcome.checkpoint);
      await expect(verifyNote(note, [vkey], verifySignature)).resolves.toEqual([vkey]);
      const checkpoint = parseCheckpoint(note.text);
      expect(checkpoint).toMatchObject({ origin: log.workspace.origin, size: outcome.treeSize });
      expect(() =>
        verifyInclusion(entry.leafIndex, outcome.treeSize, entry.leafHash, entry.proof, checkpoint.root),
      ).not.toThrow();
    }
  });
});
