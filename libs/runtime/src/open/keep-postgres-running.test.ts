import { describe, expect, it } from '@jest/globals';
import { keepPostgresRunning, type KeptPostgres } from './keep-postgres-running.ts';

type Fake = KeptPostgres & { readonly closes: number; end(): void };

function createFake(): Fake {
  let end: () => void = () => undefined;
  let closes = 0;
  const exited = new Promise<{ code: null; signal: 'SIGKILL' }>((resolve) => {
    end = () => resolve({ code: null, signal: 'SIGKILL' });
  });
  return {
    exited,
    end: () => end(),
    close() {
      closes += 1;
      end();
      return Promise.resolve();
    },
    get closes() {
      return closes;
    },
  };
}

/** Lets everything that can go on without a timer go on. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('keepPostgresRunning', () => {
  it('starts again what ended unasked, as often as that happens, and ends the last one', async () => {
    const servers = [createFake(), createFake(), createFake()] as const;
    const lines: string[] = [];
    let started = 0;
    const close = keepPostgresRunning(
      servers[0],
      () => Promise.resolve(servers[++started] ?? createFake()),
      (line) => lines.push(line),
    );
    servers[0].end();
    await settle();
    servers[1].end();
    await settle();
    expect(started).toBe(2);
    await close();
    expect(started).toBe(2);
    expect(servers[2].closes).toBeGreaterThan(0);
    expect(lines).toEqual(Array<string>(2).fill('PostgreSQL exited unexpectedly; restarting it'));
  });

  it('starts nothing after a close', async () => {
    const only = createFake();
    const close = keepPostgresRunning(
      only,
      () => Promise.reject(new Error('must not be called')),
      (line) => {
        throw new Error(line);
      },
    );
    await close();
    await settle();
    expect(only.closes).toBeGreaterThan(0);
  });

  it('tries on while it does not start, and says so once a reason', async () => {
    const first = createFake();
    const second = createFake();
    const lines: string[] = [];
    const reasons = ['no disk', 'no disk', 'no memory'];
    let done: () => void = () => undefined;
    const again = new Promise<void>((resolve) => (done = resolve));
    const close = keepPostgresRunning(
      first,
      () => {
        const reason = reasons.shift();
        if (reason !== undefined) return Promise.reject(new Error(reason));
        done();
        return Promise.resolve(second);
      },
      (line) => lines.push(line),
      0,
    );
    first.end();
    await again;
    await close();
    expect(lines).toEqual([
      'PostgreSQL exited unexpectedly; restarting it',
      'PostgreSQL does not start; still trying: no disk',
      'PostgreSQL does not start; still trying: no memory',
    ]);
    expect(second.closes).toBeGreaterThan(0);
  });

  it('ends a server whose start was under way when it was closed', async () => {
    const first = createFake();
    const late = createFake();
    let deliver: () => void = () => undefined;
    const close = keepPostgresRunning(
      first,
      () => new Promise((resolve) => (deliver = () => resolve(late))),
      () => undefined,
    );
    first.end();
    await settle();
    const closed = close();
    deliver();
    await closed;
    expect(late.closes).toBeGreaterThan(0);
  });

  it('does not wait for the next attempt when it is closed between two', async () => {
    const first = createFake();
    const close = keepPostgresRunning(
      first,
      () => Promise.reject(new Error('no disk')),
      () => undefined,
      1_000_000,
    );
    first.end();
    await settle();
    await close();
  });
});
