import { createFigure, type Figure } from './figures.ts';
import type { CpuTimes } from './machine/read-cpu.ts';

/** What one request cost, in microseconds of processors, and how much of all cores was idle meanwhile, in percent. */
export type Cost = {
  readonly mainThread: number;
  readonly otherThreads: number;
  readonly postgres: number;
  readonly idle: number;
};

/** The costs of one kind of request, over all rounds. */
export type Costs = { readonly work: string } & { readonly [Part in keyof Cost]: Figure };

/** What each of so many requests cost. */
export function costOf({ mainThread, otherThreads, postgres, idle, cores }: CpuTimes, requests: number): Cost {
  return {
    mainThread: mainThread / requests,
    otherThreads: otherThreads / requests,
    postgres: postgres / requests,
    idle: (100 * idle) / cores,
  };
}

/** The costs of all rounds. */
export function createCosts(work: string, rounds: readonly Cost[]): Costs {
  const figureOf = (name: string, unit: string, part: keyof Cost) =>
    createFigure(
      name,
      unit,
      rounds.map((round) => round[part]),
    );
  return {
    work,
    mainThread: figureOf('main thread', ' µs', 'mainThread'),
    otherThreads: figureOf('other threads', ' µs', 'otherThreads'),
    postgres: figureOf('PostgreSQL', ' µs', 'postgres'),
    idle: figureOf('idle cores', ' %', 'idle'),
  };
}

/** One line about one round. */
export function formatCost({ mainThread, otherThreads, postgres, idle }: Cost): string {
  const parts = [`${mainThread.toFixed(1)} µs of the main thread`, `${otherThreads.toFixed(1)} of other threads`];
  return `${[...parts, `${postgres.toFixed(1)} of PostgreSQL`].join(', ')}; ${idle.toFixed(0)} % of the cores idle`;
}
