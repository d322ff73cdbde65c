import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { countWork } from './count-work.ts';

const SLEPT_MS = 400;

function sleep(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLEPT_MS);
}

/** Until this thread has been on a processor for so long, however long others keep it waiting. */
function compute(ms: number): void {
  const before = process.threadCpuUsage();
  for (let spent = 0; spent < ms;) {
    const { user, system } = process.threadCpuUsage(before);
    spent = (user + system) / 1_000;
  }
}

describe('the work of a task', () => {
  it('is the time on a processor, and no time in which the thread waited', () => {
    expect(countWork(sleep).ms).toBeLessThan(SLEPT_MS / 2);
    expect(countWork(() => compute(30)).ms).toBeGreaterThanOrEqual(30);
  });

  it('is counted of a task that is refused, too', () => {
    const refuse = () => {
      compute(30);
      throw new ServiceError('malformed_json', 'it is not JSON', { errors: [{ pointer: '/a', detail: 'b' }] });
    };
    const { value, refusal, ms } = countWork(refuse);
    expect([value, refusal?.code, refusal?.errors]).toEqual([
      undefined,
      'malformed_json',
      [{ pointer: '/a', detail: 'b' }],
    ]);
    expect(ms).toBeGreaterThanOrEqual(30);
  });

  it('is not the place where faults of the program become results', () => {
    const fail = () => {
      throw new TypeError('a fault');
    };
    expect(() => countWork(fail)).toThrow('a fault');
  });
});
