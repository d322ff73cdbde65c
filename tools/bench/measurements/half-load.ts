import type { Bench } from '../bench.ts';
import { createFigure, type Figure, percentileOf, type Result } from '../figures.ts';
import { runSteady } from '../load/run-paced.ts';

const TARGET_MS = 15;

/** Measurement 3: the latency of creates that arrive at half of the measured rate. */
export async function measureHalfLoad(bench: Bench, creates: Figure): Promise<Result> {
  const { rounds, roundSeconds } = bench.options;
  const perSecond = Math.floor(creates.median / 2);
  const p50: number[] = [];
  const p99: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const latencies = await runSteady(bench.service, perSecond, roundSeconds);
    const [middle, high] = [percentileOf(latencies, 0.5), percentileOf(latencies, 0.99)];
    p50.push(middle);
    p99.push(high);
    bench.progress(
      `round ${round} of ${rounds}: creates at ${perSecond}/s: p50 ${middle.toFixed(1)} ms, p99 ${high.toFixed(1)} ms`,
    );
  }
  const measured = createFigure('p99', 'ms', p99);
  return {
    number: 3,
    work: `latency of a create at ${perSecond}/s, half of the rate`,
    measured,
    against: createFigure('p50', 'ms', p50),
    ratio: null,
    target: `p99 < ${TARGET_MS} ms`,
    holds: measured.median < TARGET_MS,
  };
}
