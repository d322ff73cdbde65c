import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createTurns } from './create-turns.ts';

/** Does so many pieces, and notes in which order. */
async function work(name: string, pieces: number, turn: () => Promise<void>, done: string[]): Promise<void> {
  for (let n = 0; n < pieces; n++) {
    await turn();
    done.push(name);
  }
}

describe('turns', () => {
  it('give one piece of work to each round of the event loop, however many want one', async () => {
    const turn = createTurns();
    const done: string[] = [];
    const all = Promise.all(['a', 'b', 'c', 'd'].map((name) => work(name, 5, turn, done)));
    let before = 0;
    while (done.length < 20) {
      await setImmediate();
      // What waits for the next round sees at most what two turns have brought: the one before it, and one beside it.
      expect(done.length - before).toBeLessThanOrEqual(2);
      before = done.length;
    }
    await all;
  });

  it('are taken one after another by those who want them', async () => {
    const turn = createTurns();
    const done: string[] = [];
    await Promise.all([work('a', 3, turn, done), work('b', 3, turn, done), work('c', 1, turn, done)]);
    expect(done.join('')).toBe('abcabab');
  });

  it('come again after nobody has wanted one', async () => {
    const turn = createTurns();
    await turn();
    await setImmediate();
    await expect(turn()).resolves.toBeUndefined();
  });
});
