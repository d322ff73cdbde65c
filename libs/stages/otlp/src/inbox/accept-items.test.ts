import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { OtlpDeps } from '../deps.ts';
import { createAcceptItems } from './accept-items.ts';

const SETTINGS = { version: 1, values: {}, updatedAt: 0 };
const WORKSPACE = { id: 'one' } as Parameters<ReturnType<typeof createAcceptItems>>[0];
const OTHER = { id: 'other' } as typeof WORKSPACE;
const ACTOR = { type: 'system', id: 'test' } as unknown as Parameters<ReturnType<typeof createAcceptItems>>[2];

/** Requests without items, each of which is opened until it is told to go on. */
function openRequests(waitMs = 1_000) {
  const timeUp = Promise.withResolvers<undefined>();
  const opened: string[] = [];
  const accept = createAcceptItems(
    {
      otlpLedgerWaitMs: waitMs,
      readFreshSettings: () => Promise.resolve(SETTINGS),
      turn: () => Promise.resolve(),
      pause: () => timeUp.promise,
      otlp: { accept: () => Promise.resolve('accepted') },
    } as unknown as OtlpDeps,
    () => Promise.reject(new Error('no item has a hash')),
  );
  function send(name: string, { workspace = WORKSPACE, isLarge = true } = {}) {
    const going = Promise.withResolvers<undefined>();
    const accepted = accept(
      workspace,
      async () => {
        opened.push(name);
        await going.promise;
        return { own: [], held: [], summary: name };
      },
      ACTOR,
      isLarge,
    );
    return { accepted, go: () => going.resolve(undefined), fail: () => going.reject(new Error(name)) };
  }
  return { send, opened, timeUp: () => timeUp.resolve(undefined) };
}

describe('large requests of one workspace', () => {
  it('are opened one after another, also after one that failed', async () => {
    const { send, opened } = openRequests();
    const [first, second, third] = [send('first'), send('second'), send('third')];
    await setImmediate();
    expect(opened).toEqual(['first']);
    first.fail();
    await expect(first.accepted).rejects.toThrow('first');
    await setImmediate();
    expect(opened).toEqual(['first', 'second']);
    second.go();
    expect((await second.accepted).summary).toBe('second');
    third.go();
    expect((await third.accepted).summary).toBe('third');
  });

  it('hold up neither a small one nor those of another workspace', async () => {
    const { send, opened } = openRequests();
    const all = [send('first'), send('small', { isLarge: false }), send('other', { workspace: OTHER })];
    await setImmediate();
    expect(opened.toSorted()).toEqual(['first', 'other', 'small']);
    for (const { go } of all) go();
    await Promise.all(all.map(({ accepted }) => accepted));
  });

  it('wait no longer for one another than a request waits for the ledger', async () => {
    const { send, opened, timeUp } = openRequests();
    const [first, second] = [send('first'), send('second')];
    await setImmediate();
    expect(opened).toEqual(['first']);
    timeUp();
    await setImmediate();
    expect(opened).toEqual(['first', 'second']);
    for (const { go } of [second, first]) go();
    await Promise.all([first.accepted, second.accepted]);
  });

  it('do not wait where nothing is written through', async () => {
    const { send, opened } = openRequests(0);
    const all = [send('first'), send('second')];
    await setImmediate();
    expect(opened).toEqual(['first', 'second']);
    for (const { go } of all) go();
    await Promise.all(all.map(({ accepted }) => accepted));
  });
});
