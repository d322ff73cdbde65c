import { describe, expect, it } from '@jest/globals';
import { runTickers } from './run-tickers.ts';

/** A promise that the test settles. */
function openGate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

function refuse(name: string, error: unknown): never {
  throw new Error(`${name} must not fail`, { cause: error });
}

describe('runTickers', () => {
  it('runs a ticker at once and again after each run, and never twice at a time', async () => {
    const thrice = openGate();
    let runs = 0;
    let atOnce = 0;
    const stop = runTickers(
      [
        {
          name: 'counts',
          intervalMs: 0,
          async run() {
            atOnce += 1;
            expect(atOnce).toBe(1);
            await Promise.resolve();
            atOnce -= 1;
            if (++runs === 3) thrice.open();
          },
        },
      ],
      refuse,
    );
    expect(runs + atOnce).toBe(1);
    await thrice.opened;
    await stop();
    const atStop = runs;
    await new Promise((resolve) => setImmediate(resolve));
    expect(runs).toBe(atStop);
  });

  it('tells a running ticker to stop and waits until it has', async () => {
    const running = openGate();
    const finish = openGate();
    let signal: AbortSignal | undefined;
    let finished = false;
    const stop = runTickers(
      [
        {
          name: 'slow',
          intervalMs: 1_000_000,
          async run(given) {
            signal = given;
            running.open();
            await finish.opened;
            finished = true;
          },
        },
      ],
      refuse,
    );
    await running.opened;
    expect(signal?.aborted).toBe(false);
    const stopped = stop();
    expect(signal?.aborted).toBe(true);
    expect(finished).toBe(false);
    finish.open();
    await stopped;
    expect(finished).toBe(true);
  });

  it('runs them one after another at first, and holds none up for one that takes long', async () => {
    const order: string[] = [];
    const [finish, ran] = [openGate(), openGate()];
    const ticker = (name: string, run: () => Promise<void>) => ({
      name,
      intervalMs: 1_000_000,
      run: () => {
        order.push(name);
        return run();
      },
    });
    const stop = runTickers(
      [
        ticker('first', () => Promise.resolve()),
        ticker('slow', () => finish.opened),
        ticker('held up', () => Promise.resolve(ran.open())),
      ],
      refuse,
    );
    expect(order).toEqual(['first']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual(['first', 'slow']);
    await ran.opened;
    expect(order).toEqual(['first', 'slow', 'held up']);
    finish.open();
    await stop();
  });

  it('cuts a pause short', async () => {
    const ran = openGate();
    const stop = runTickers([{ name: 'rare', intervalMs: 1_000_000, run: () => Promise.resolve(ran.open()) }], refuse);
    await ran.opened;
    await new Promise((resolve) => setImmediate(resolve));
    await stop();
  });

  it('reports an error, also one that is no promise, and goes on with all tickers', async () => {
    const failures: (readonly [string, unknown])[] = [];
    const [first, second, healthy] = [openGate(), openGate(), openGate()];
    const [rejected, thrown] = [new Error('rejected'), new Error('thrown')];
    let runs = 0;
    let others = 0;
    const stop = runTickers(
      [
        {
          name: 'fails',
          intervalMs: 0,
          run() {
            runs += 1;
            if (runs === 1) return Promise.reject(rejected);
            if (runs === 2) throw thrown;
            second.open();
            return Promise.resolve();
          },
        },
        {
          name: 'healthy',
          intervalMs: 0,
          run() {
            if (++others === 2) healthy.open();
            return Promise.resolve();
          },
        },
      ],
      (name, error) => {
        failures.push([name, error]);
        first.open();
      },
    );
    await Promise.all([first.opened, second.opened, healthy.opened]);
    await stop();
    expect(failures).toEqual([
      ['fails', rejected],
      ['fails', thrown],
    ]);
  });

  it('runs once more at the stop what wants it, after its last run and with a signal that lets it', async () => {
    const bothRan = openGate();
    const aborted: boolean[] = [];
    const ticker = (atStop: boolean) => ({
      name: 'keeps',
      intervalMs: 1_000_000,
      atStop,
      run(signal: AbortSignal) {
        if (aborted.push(signal.aborted) === 2) bothRan.open();
        return Promise.resolve();
      },
    });
    const stop = runTickers([ticker(true), ticker(false)], refuse);
    await bothRan.opened;
    await stop();
    expect(aborted).toEqual([false, false, false]);
  });

  it('runs one that asks for work only where there is any, and one that need not ask in any case', async () => {
    const asked: unknown[] = [];
    const twice = openGate();
    const ran: string[] = [];
    let isKnown = false;
    const stop = runTickers(
      [
        {
          name: 'asks',
          intervalMs: 0,
          work: () => (isKnown ? undefined : [{ kind: 'untold' }]),
          run() {
            ran.push(`after ${asked.length}`);
            if (isKnown) twice.open();
            isKnown = true;
            return Promise.resolve();
          },
        },
      ],
      refuse,
      (questions) => Promise.resolve(asked.push(...questions) === 3),
    );
    await twice.opened;
    await stop();
    expect(ran.slice(0, 2)).toEqual(['after 3', 'after 3']);
    expect(asked).toEqual(Array.from({ length: 3 }, () => ({ kind: 'untold' })));
  });

  it('reports a question that fails, asks again, and waits for no answer when it stops', async () => {
    const failures: unknown[] = [];
    const pending = openGate();
    const unavailable = new Error('the database is unavailable');
    let times = 0;
    const stop = runTickers(
      [{ name: 'asks', intervalMs: 0, work: () => [{ kind: 'untold' }], run: () => refuse('asks', 'no work') }],
      (_, error) => failures.push(error),
      () => {
        if (++times === 1) return Promise.reject(unavailable);
        pending.open();
        return new Promise(() => undefined);
      },
    );
    await pending.opened;
    await stop();
    expect(failures).toEqual([unavailable]);
  });

  it('stops when there is nothing to run', async () => {
    await runTickers([], refuse)();
  });
});
