import { Gauge, type Registry } from 'prom-client';
import type { SweepHold } from '@answer-evidence/ports';
import type { Report } from '../ground/report.ts';

/** What sweeps of this process hold back, by kind and workspace; says once what is new of it. */
export class SweepHolds extends Map<string, SweepHold> {
  readonly #report: Report;

  constructor(report: Report) {
    super();
    this.#report = report;
  }

  override set(key: string, hold: SweepHold): this {
    if (!this.has(key))
      this.#report(
        `the sweep holds back ${key}: ${hold.due} of ${hold.kept} would be erased at once; look at the clock and the retention settings, then confirm it: npm run operator -- sweep-confirm`,
      );
    return super.set(key, hold);
  }
}

/** Registers how much is held back. */
export function registerSweepMetrics(registry: Registry, holds: ReadonlyMap<string, SweepHold>): void {
  new Gauge({
    name: 'sweep_held_objects',
    help: 'Objects that are due to be erased and wait for npm run operator -- sweep-confirm, as this process last found them.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const kind of ['texts', 'evidence', 'triage']) {
        const held = [...holds].filter(([key]) => key.startsWith(`${kind} `));
        this.set(
          { kind },
          held.reduce((sum, [, { due }]) => sum + due, 0),
        );
      }
    },
  });
}
