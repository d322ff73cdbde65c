import { Gauge, type Registry } from 'prom-client';
import type { Ticker } from '@answer-evidence/ports';

const INTERVAL_MS = 15_000;

/** What this process last heard of standbys that may lack what was acknowledged. */
export class StandbyWatch {
  readonly #count: () => Promise<number>;
  #asynchronous = 0;

  constructor(count: () => Promise<number>) {
    this.#count = count;
  }

  /** How many there are while no commit waits for one. */
  get asynchronous(): number {
    return this.#asynchronous;
  }

  get ticker(): Ticker {
    return {
      name: 'count-standbys',
      intervalMs: INTERVAL_MS,
      run: async () => {
        this.#asynchronous = await this.#count();
      },
    };
  }

  register(registry: Registry): void {
    const asynchronous = () => this.#asynchronous;
    new Gauge({
      name: 'database_asynchronous_standbys',
      help: 'Standbys of the database while no commit waits for one; a failover to them loses acknowledged records.',
      registers: [registry],
      collect() {
        this.set(asynchronous());
      },
    });
  }
}
