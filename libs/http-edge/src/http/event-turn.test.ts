import { describe, expect, it } from '@jest/globals';
import { createEventTurn } from './event-turn.ts';

describe('the turn of the event loop', () => {
  it('goes on for all who came in it, in their order and stage by stage, before anyone who comes later', async () => {
    const turn = createEventTurn();
    const seen: string[] = [];
    async function serve(name: string): Promise<void> {
      await turn();
      seen.push(`${name} read`);
      await Promise.resolve();
      seen.push(`${name} done`);
    }
    const first = [serve('a'), serve('b')];
    const later = new Promise<void>((resolve) => {
      setImmediate(() => resolve(serve('c')));
    });
    await Promise.all([...first, later]);
    expect(seen).toEqual(['a read', 'b read', 'a done', 'b done', 'c read', 'c done']);
  });

  it('is another one once it has ended', async () => {
    const turn = createEventTurn();
    const one = turn();
    expect(turn()).toBe(one);
    await one;
    expect(turn()).not.toBe(one);
  });
});
