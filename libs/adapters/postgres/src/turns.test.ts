import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { prepareAnswer } from '../fixtures/answers.ts';
import { prepareNote, prepareSettings } from '../fixtures/changes.ts';
import { holdHead } from '../fixtures/head-lock.ts';
import { openTestLog, type TestLog } from '../fixtures/open-log.ts';
import type { CommittedBatch, PostgresLedger } from './index.ts';

let log: TestLog;
let one: PostgresLedger;
let other: PostgresLedger;
let batches: CommittedBatch[];

beforeAll(async () => {
  log = await openTestLog();
  one = log.openLedger();
  other = log.openLedger({ onBatch: (batch) => void batches.push(batch) });
});

/** Each has written since the other did, so the second one knows that it is not alone. */
beforeEach(async () => {
  batches = [];
  await note(other);
  await note(one);
  await note(other);
  batches = [];
});

afterAll(async () => {
  expect((await log.check()).findings).toEqual([]);
  await log.close();
});

const note = (ledger: PostgresLedger) => ledger.append(log.workspace.id, prepareNote(log));
const create = (ledger: PostgresLedger, key: string, question = key) =>
  ledger.append(log.workspace.id, prepareAnswer(log, { question, key }));

describe('a process that has met another writer', () => {
  it('takes as one batch all that has come when it is given the lock', async () => {
    const lock = await holdHead(log);
    const first = create(other, 'first to come');
    await lock.waiter();
    const more = Array.from({ length: 20 }, (_, n) => create(other, `comes while it waits ${n}`));
    await new Promise((resolve) => setImmediate(resolve));
    await lock.release();
    const outcomes = await Promise.all([first, ...more]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => 'appended'));
    expect(batches).toEqual([{ requests: 21, way: 'in_turn', isBetLost: false, lockMs: expect.any(Number) }]);
  });

  it('bets again after four turns in which nobody else wrote, and not after three', async () => {
    for (let turn = 0; turn < 3; turn++) await note(other);
    await note(one);
    for (let turn = 0; turn < 5; turn++) await note(other);
    await note(other);
    // The turn that meets the other's entry is none of the four.
    expect(batches.map(({ way }) => way)).toEqual([...Array.from({ length: 8 }, () => 'in_turn'), 'optimistic']);
    expect(batches.every(({ isBetLost }) => !isBetLost)).toBe(true);
  });

  it('replays a key that the other has used, beside what is new', async () => {
    const kept = await create(one, 'used by the other', 'asked');
    const outcomes = await Promise.all([
      create(other, 'used by the other', 'asked'),
      create(other, 'new beside it'),
      note(other),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['replayed', 'appended', 'appended']);
    expect(outcomes[0]).toMatchObject({ objectId: kept.kind === 'appended' ? kept.entries[0].id : '' });
    expect(batches).toMatchObject([{ requests: 3, way: 'locked', isBetLost: true }]);
  });

  it('refuses what the settings refuse, and a replay of it is not refused', async () => {
    await create(one, 'from before', 'asked');
    await one.append(log.workspace.id, prepareSettings(log, { answer_audit_accept_text: false }));
    const said = await Promise.allSettled([
      create(other, 'from before', 'asked'),
      create(other, 'too late'),
      note(other),
    ]);
    await one.append(log.workspace.id, prepareSettings(log, { answer_audit_accept_text: true }));
    expect(said.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(said[0]).toMatchObject({ value: { kind: 'replayed' } });
    expect((said[1] as PromiseRejectedResult).reason).toBeInstanceOf(ServiceError);
    expect(batches.every(({ isBetLost }) => !isBetLost)).toBe(true);
  });
});

describe('two processes that write at the same time', () => {
  it('lose few bets, and pass nobody over', async () => {
    const ways: CommittedBatch[] = [];
    const writers = [0, 1].map(() => log.openLedger({ onBatch: (batch) => void ways.push(batch) }));
    // Both have their connection: to open one takes as long as many creates.
    await Promise.all(writers.map((writer, who) => create(writer, `before both ${who}`)));
    const order: number[] = [];
    await Promise.all(
      writers.flatMap((writer, who) =>
        Array.from({ length: 4 }, async (_, place) => {
          for (let n = 0; n < 40; n++) {
            await create(writer, `at the same time ${who} ${place} ${n}`);
            order.push(who);
          }
        }),
      ),
    );
    const lost = ways.filter(({ isBetLost }) => isBetLost).length;
    expect(lost / ways.length).toBeLessThan(0.1);
    // When one is done, the other has done most of its own.
    const first = order.at(-1) === 0 ? 1 : 0;
    const then = order.slice(0, order.lastIndexOf(first)).filter((who) => who !== first).length;
    expect(then).toBeGreaterThan(80);
  });
});
