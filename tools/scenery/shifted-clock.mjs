/**
 * Preloaded into a process under test (`node --import`): its wall clock is off by the milliseconds that the file named
 * by SHIFTED_CLOCK_FILE holds, as of a fifth of a second ago. The clocks that only count are left alone.
 */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const file = process.env.SHIFTED_CLOCK_FILE ?? '';
const rightNow = Date.now.bind(Date);
let shiftMs = 0;
let readAt = -Infinity;

Date.now = () => {
  if (performance.now() - readAt > 200) {
    readAt = performance.now();
    shiftMs = Number(readFileSync(file, 'utf8'));
  }
  return rightNow() + shiftMs;
};
