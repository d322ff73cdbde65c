import type { Bench } from '../bench.ts';
import { createFigure, medianOf, type Result } from '../figures.ts';
import { runLone } from '../load/run-paced.ts';

const COUNT = 200;

/** Measurement 4: a lone create costs one commit; nothing waits for company. */
export async function measureLoneCreate(bench: Bench): Promise<Result> {
  const { rounds } = bench.options;
  const creates: number[] = [];
  const commits: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const create = medianOf(await runLone(bench.service, COUNT));
    const commit = medianOf(await bench.raw.measureLone(COUNT));
    creates.push(create);
    commits.push(commit);
    bench.progress(
      `round ${round} of ${rounds}: a lone create ${create.toFixed(2)} ms, a lone INSERT ${commit.toFixed(2)} ms`,
    );
  }
  const measured = createFigure('create', 'ms', creates);
  const against = createFigure('raw INSERT by pgbench', 'ms', commits);
  return {
    number: 4,
    work: `median of ${COUNT} creates, one after the other`,
    measured,
    against,
    ratio: measured.median / against.median,
    target: 'one commit, no wait',
    holds: null,
  };
}
