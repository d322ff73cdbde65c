import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createTurns, SLICE_MS } from './create-turns.ts';

/** Moved by the work, so that no test depends on how fast the machine is. */
let now: number;
let turn: () => Promise<void>;

beforeEach(() => {
  now = 1_000;
  turn = createTurns(() => now);
});

/** Does so many pieces that take so long each, and notes in which order. */
async function work(name: string, pieces: number, pieceMs: number, done: string[]): Promise<void> {
  for (let n = 0; n < pieces; n++) {
    await turn();
    now += pieceMs;
    done.push(name);
  }
}

/** How many pieces are done between two rounds of the event loop, at most. */
async function busiestRound(pieces: number, done: readonly string[]): Promise<number> {
  let [before, most] = [0, 0];
  while (done.length < pieces) {
    await setImmediate();
    most = Math.max(most, done.length - before);
    before = done.length;
  }
  return most;
}

describe('turns', () => {
  it('give one slice to each round of the event loop, however many want one', async () => {
    const done: string[] = [];
    const all = Promise.all(['a', 'b', 'c', 'd'].map((name) => work(name, 5, SLICE_MS, done)));
    // What waits for the next round sees at most what two slices have brought: the one before it, and one beside it.
    expect(await busiestRound(20, done)).toBeLessThanOrEqual(2);
    await all;
  });

  it('let small pieces go on within a slice, and end it by the clock', async () => {
    const done: string[] = [];
    const all = work('a', 40, SLICE_MS / 10, done);
    const most = await busiestRound(40, done);
    expect(most).toBeGreaterThanOrEqual(10);
    expect(most).toBeLessThanOrEqual(20);
    await all;
  });

  it('cut short nobody’s piece, and begin a slice of its own after a long one', async () => {
    const done: string[] = [];
    const all = work('a', 3, 10 * SLICE_MS, done);
    expect(await busiestRound(3, done)).toBeLessThanOrEqual(2);
    await all;
  });

  it('are taken one after another by those who want them', async () => {
    const done: string[] = [];
    await Promise.all(
      (
        [
          ['a', 3],
          ['b', 3],
          ['c', 1],
        ] as const
      ).map(([name, pieces]) => work(name, pieces, SLICE_MS, done)),
    );
    expect(done.join('')).toBe('abcabab');
  });

  it('come again after nobody has wanted one', async () => {
    await turn();
    await setImmediate();
    now += SLICE_MS;
    await expect(turn()).resolves.toBeUndefined();
  });
});
