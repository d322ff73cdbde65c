import { describe, expect, it } from '@jest/globals';
import { createTickBarrier } from './tick-barrier.ts';

describe('the barrier of a tick', () => {
  it('goes on for all who came in it, in their order and stage by stage, before anyone who comes later', async () => {
    const barrier = createTickBarrier();
    const seen: string[] = [];
    async function serve(name: string): Promise<void> {
      await barrier();
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
    const barrier = createTickBarrier();
    const one = barrier();
    expect(barrier()).toBe(one);
    await one;
    expect(barrier()).not.toBe(one);
  });
});
