import { Gauge, type Registry } from 'prom-client';
import type { Ticker } from '@answer-evidence/ports';

const INTERVAL_MS = 5_000;

/** What this process last heard of the nodes that hold workspaces, where the database has several. */
export class NodeWatch {
  readonly #ask: () => Promise<readonly string[]>;
  #unavailable: readonly string[] = [];

  constructor(ask: () => Promise<readonly string[]>) {
    this.#ask = ask;
  }

  /** Nodes that do not answer, as `host:port`: their workspaces are unavailable, and all others are not. */
  get unavailable(): readonly string[] {
    return this.#unavailable;
  }

  get ticker(): Ticker {
    return {
      name: 'ask-nodes',
      intervalMs: INTERVAL_MS,
      run: async () => {
        this.#unavailable = await this.#ask();
      },
    };
  }

  register(registry: Registry): void {
    const unavailable = () => this.#unavailable;
    new Gauge({
      name: 'database_nodes_unavailable',
      help: 'Nodes of the database that do not answer, each with its workspaces; 0 also where there are no nodes.',
      registers: [registry],
      collect() {
        this.set(unavailable().length);
      },
    });
  }
}
