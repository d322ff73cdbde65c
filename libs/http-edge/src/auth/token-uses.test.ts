import { describe, expect, it } from '@jest/globals';
import type { TokenUse } from '@answer-evidence/ports';
import { createTokenUses } from './token-uses.ts';

const use = (tokenId: string, usedAt: number): TokenUse => ({ workspaceId: 'w', tokenId, usedAt });

function createStore() {
  const written: (readonly TokenUse[])[] = [];
  const store = {
    failure: undefined as Error | undefined,
    written,
    record(uses: readonly TokenUse[]): Promise<void> {
      if (store.failure !== undefined) return Promise.reject(store.failure);
      written.push(uses);
      return Promise.resolve();
    },
  };
  return store;
}

describe('uses of tokens', () => {
  it('are written once for each token, the last one, and not again', async () => {
    const store = createStore();
    const uses = createTokenUses(store);
    for (const noted of [use('a', 1), use('b', 2), use('a', 3)]) uses.note(noted);
    expect(store.written).toEqual([]);
    await uses.write();
    await uses.write();
    expect(store.written).toEqual([[use('a', 3), use('b', 2)]]);
  });

  it('that could not be written are kept for the next time, and never over a later one', async () => {
    const store = createStore();
    const uses = createTokenUses(store);
    uses.note(use('a', 1));
    uses.note(use('b', 1));
    store.failure = new Error('down');
    const failing = uses.write();
    uses.note(use('a', 5));
    await expect(failing).rejects.toThrow('down');
    store.failure = undefined;
    await uses.write();
    expect(store.written).toEqual([[use('a', 5), use('b', 1)]]);
  });

  it('of more tokens than are remembered are left out, and those remembered stay', async () => {
    const store = createStore();
    const uses = createTokenUses(store);
    for (let n = 0; n < 10_001; n++) uses.note({ ...use(`t${n}`, 1), workspaceId: `w${n % 8}` });
    uses.note(use('t0', 2));
    await uses.write();
    expect(store.written[0]).toHaveLength(10_000);
    expect(store.written[0]?.[0]).toEqual(use('t0', 2));
  });

  it('of one workspace take a quarter of the room, and those of another are noted', async () => {
    const store = createStore();
    const uses = createTokenUses(store);
    for (let n = 0; n < 10_000; n++) uses.note(use(`t${n}`, 1));
    const theirs = { ...use('theirs', 1), workspaceId: 'theirs' };
    uses.note(theirs);
    await uses.write();
    expect(store.written[0]).toHaveLength(2_501);
    expect(store.written[0]?.at(-1)).toEqual(theirs);
    uses.note(use('t9999', 2));
    await uses.write();
    expect(store.written[1]).toEqual([use('t9999', 2)]);
  });
});
