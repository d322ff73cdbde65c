import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AppendCommand } from '@answer-evidence/ledger';
import { TILE_WIDTH } from '@answer-evidence/merkle';
import type { AppendResult } from '@answer-evidence/ports';
import { prepareAnswer } from '../fixtures/answers.ts';
import { holdHead } from '../fixtures/head-lock.ts';
import { openTestLog, type TestLog } from '../fixtures/open-log.ts';
import type { CommittedBatch, PostgresLedger } from './index.ts';

/** Requests of one transaction. */
const BATCH = 128;

let log: TestLog;

beforeAll(async () => {
  log = await openTestLog();
});

afterAll(async () => {
  expect((await log.check()).findings).toEqual([]);
  await log.close();
});

/** Answers, of which it is noted how often each was decided. */
async function answersOf(ledger: PostgresLedger, name: string, count: number) {
  const settings = await ledger.settings(log.workspace.id);
  const decided = new Array<number>(count).fill(0);
  const commands = Array.from({ length: count }, (_, n): AppendCommand => {
    const command = prepareAnswer(log, { question: `${name} ${n}`, key: `${name} ${n}` })(settings);
    return {
      ...command,
      decide(state) {
        decided[n] = (decided[n] ?? 0) + 1;
        return command.decide(state);
      },
    };
  });
  return { commands, decided };
}

let opened = 0;

/** A ledger that remembers the head and the leaves of its last tile, with the ways in which it has committed since. */
async function openBetting() {
  const ways: string[] = [];
  const note = ({ way, isBetLost }: CommittedBatch) => void ways.push(isBetLost ? `${way}, bet lost` : way);
  const ledger = log.openLedger({ onBatch: note });
  const { commands } = await answersOf(ledger, `before ${opened++}`, TILE_WIDTH);
  await ledger.appendAll(log.workspace.id, commands);
  ways.length = 0;
  return { ledger, ways };
}

const leavesOf = (results: readonly AppendResult[]) =>
  results.flatMap((one) => (one.kind === 'appended' ? [one.entries[0].leafIndex] : []));

describe('the next batch', () => {
  it('is planned while the one before it is committed, once, and only when it is full', async () => {
    const { ledger, ways } = await openBetting();
    const { commands, decided } = await answersOf(ledger, 'ahead', 3 * BATCH - 1);
    const held = await holdHead(log);
    const appending = ledger.appendAll(log.workspace.id, commands);
    while (decided[2 * BATCH - 1] === 0) await delay(1);
    expect(decided.slice(2 * BATCH)).toEqual(new Array(BATCH - 1).fill(0));
    await held.release();
    const leaves = leavesOf(await appending);
    expect(leaves).toEqual(Array.from(commands, (_, n) => (leaves[0] ?? 0) + n));
    expect(new Set(decided)).toEqual(new Set([1]));
    expect(new Set(ways)).toEqual(new Set(['optimistic']));
  });

  it('is planned anew where the one before it leaves another head, and nothing is lost or doubled', async () => {
    const { ledger, ways } = await openBetting();
    const { commands, decided } = await answersOf(ledger, 'lost', 3 * BATCH);
    // A key of the first batch is used by another process: that bet is lost, and one request less is appended.
    const { commands: used } = await answersOf(log.openLedger(), 'lost', 1);
    await log.openLedger().appendAll(log.workspace.id, used);
    const results = await ledger.appendAll(log.workspace.id, commands);
    expect(results.slice(0, 2).map(({ kind }) => kind)).toEqual(['replayed', 'appended']);
    expect(ways).toContain('locked, bet lost');
    const leaves = leavesOf(results);
    expect(leaves).toEqual(Array.from(commands.slice(1), (_, n) => (leaves[0] ?? 0) + n));
    expect(Math.max(...decided)).toBeGreaterThan(1);
  });

  it('fails alone for a command that cannot be decided', async () => {
    const { ledger } = await openBetting();
    const { commands } = await answersOf(ledger, 'bug', 2 * BATCH);
    const bug: AppendCommand = {
      ...(commands[BATCH + 1] as AppendCommand),
      decide() {
        throw new Error('a bug');
      },
    };
    const results = await ledger.appendAll(log.workspace.id, commands.with(BATCH + 1, bug));
    expect(results.map(({ kind }) => kind)).toEqual(
      Array.from(commands, (_, n) => (n === BATCH + 1 ? 'failed' : 'appended')),
    );
  });
});
