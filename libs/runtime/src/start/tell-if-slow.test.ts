import { describe, expect, it } from '@jest/globals';
import { tellIfSlow } from './tell-if-slow.ts';

describe('what a start waits for', () => {
  it('is told when it takes long, and again, until it has come', async () => {
    const lines: string[] = [];
    const twice = Promise.withResolvers<string>();
    const report = (line: string): void => {
      if (lines.push(line) === 2) twice.resolve('done');
    };
    // Keeps the process, which the timers do not.
    const held = setInterval(() => undefined, 1_000);
    expect(await tellIfSlow(report, 'the folder /data', () => twice.promise, 5)).toBe('done');
    clearInterval(held);
    expect(lines).toEqual(Array(2).fill('still waiting for the folder /data'));
  });

  it('is not told when it comes at once, or fails', async () => {
    const lines: string[] = [];
    await tellIfSlow(
      (line) => void lines.push(line),
      'x',
      () => Promise.resolve(),
    );
    await expect(
      tellIfSlow(
        (line) => void lines.push(line),
        'x',
        () => Promise.reject(new Error('gone')),
      ),
    ).rejects.toThrow('gone');
    expect(lines).toEqual([]);
  });
});
