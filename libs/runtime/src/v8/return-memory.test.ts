import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { countRequests, memoryOfProcess, memoryTicker } from './return-memory.ts';

const MIB = 1024 * 1024;

/** A process whose state the test sets, and that has 200 MiB after a collection. */
function openFake() {
  const state = { requests: 0, busy: 0, mib: 200, collections: 0 };
  const ticker = memoryTicker({
    requestsInProgress: () => state.requests,
    busyShare: () => state.busy,
    residentBytes: () => state.mib * MIB,
    collect() {
      state.collections += 1;
      state.mib = 200;
      return Promise.resolve();
    },
  });
  const tick = () => ticker.run(new AbortController().signal);
  return { state, tick };
}

/** In a function of its own, so that the test holds nothing of it. */
function referWeakly(): WeakRef<object> {
  return new WeakRef({});
}

describe('the return of memory', () => {
  it('happens once an idle process has grown, and again only after it has grown again', async () => {
    const { state, tick } = openFake();
    await tick();
    expect(state.collections).toBe(0);
    for (const collections of [1, 2]) {
      state.mib = 600;
      for (let n = 0; n < 3; n++) await tick();
      expect(state).toMatchObject({ collections, mib: 200 });
    }
  });

  it.each([
    ['a request is in progress', { requests: 1 }],
    ['the process is busy', { busy: 0.2 }],
    ['little has been taken', { mib: 250 }],
  ])('does not happen while %s', async (_, change) => {
    const { state, tick } = openFake();
    await tick();
    Object.assign(state, { mib: 600, ...change });
    for (let n = 0; n < 3; n++) await tick();
    expect(state.collections).toBe(0);
  });

  it('does not go on where a collection returns nothing', async () => {
    let collections = 0;
    let mib = 200;
    const ticker = memoryTicker({
      requestsInProgress: () => 0,
      busyShare: () => 0,
      residentBytes: () => mib * MIB,
      collect: () => Promise.resolve(void collections++),
    });
    await ticker.run(new AbortController().signal);
    mib = 600;
    for (let n = 0; n < 3; n++) await ticker.run(new AbortController().signal);
    expect(collections).toBe(1);
  });

  it('collects what nothing refers to any more', async () => {
    const { collect, residentBytes, busyShare } = memoryOfProcess(() => 0);
    const forgotten = referWeakly();
    await collect();
    expect(forgotten.deref()).toBeUndefined();
    expect(residentBytes()).toBeGreaterThan(0);
    expect(busyShare()).toBeGreaterThanOrEqual(0);
    expect(globalThis).not.toHaveProperty('gc');
  });
});

describe('a count of requests', () => {
  it('holds those that are neither answered nor left by their caller', () => {
    const { inProgress, note } = countRequests();
    const responses = [new EventEmitter(), new EventEmitter()];
    for (const response of responses) note(response);
    expect(inProgress()).toBe(2);
    for (const response of responses) response.emit('close');
    expect(inProgress()).toBe(0);
  });
});
