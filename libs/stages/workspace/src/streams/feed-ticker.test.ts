import { describe, expect, it } from '@jest/globals';
import type { StreamDeps } from './deps.ts';
import { feedStreamsTicker } from './feed-ticker.ts';

/** A ticker over workspaces of which each has ten streams that are due, and whose leases wait for the test. */
function openTicker(workspaces: readonly string[]) {
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  const deps = {
    clock: { nowMicros: () => 0 },
    work: { unstreamed: () => Promise.resolve(workspaces.map((id) => ({ id }))) },
    streams: {
      dueStreams: (id: string) => Promise.resolve(Array.from({ length: 10 }, (_, n) => `${id}/${n}`)),
      lease: (workspaceId: string) => {
        begun.push(workspaceId);
        return new Promise<undefined>((resolve) => waiting.push(() => resolve(undefined)));
      },
    },
  } as unknown as StreamDeps;
  const stopping = new AbortController();
  const ticker = feedStreamsTicker(deps);
  return {
    run: () => ticker.run(stopping.signal),
    begunOf: (workspaceId: string) => begun.filter((id) => id === workspaceId).length,
    begun,
    async close() {
      for (const end of waiting) end();
      stopping.abort();
      await ticker.run(stopping.signal);
    },
  };
}

describe('streams that are sent at once', () => {
  it('leave places to other workspaces, however slowly the collectors of one respond', async () => {
    const ticker = openTicker(['slow', 'other']);
    await ticker.run();
    await ticker.run();
    expect([ticker.begunOf('slow'), ticker.begunOf('other')]).toEqual([4, 4]);
    await ticker.close();
  });

  it('are at most sixteen of one process', async () => {
    const ticker = openTicker(['a', 'b', 'c', 'd', 'e', 'f']);
    await ticker.run();
    await ticker.run();
    expect(ticker.begun).toHaveLength(16);
    await ticker.close();
  });
});
