import { Gauge, type Registry } from 'prom-client';
import type { DamagedWorkspace } from '@answer-evidence/postgres';
import type { Report } from '../ground/report.ts';

/** Remembers which workspaces had altered rows when all were listed last, and reports each of them once. */
export class DamagedWorkspaces {
  readonly #report: Report;
  readonly #reported = new Set<string>();
  #ids: readonly string[] = [];

  constructor(report: Report) {
    this.#report = report;
  }

  /** All that there are now. */
  note(damaged: readonly DamagedWorkspace[]): void {
    this.#ids = damaged.map(({ id }) => id);
    for (const { id, slug, reason } of damaged) {
      if (this.#reported.has(id)) continue;
      this.#reported.add(id);
      this.#report(
        `the workspace "${slug}" (${id}) is refused, and the others are served: ${reason}. "npm run operator -- ledger-check" compares its log with what was signed and names what else was altered; see docs/operations.md, "A refused start"`,
      );
    }
  }

  /** Their ids: a slug may be what was altered. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  /** Registers how many there are. */
  register(registry: Registry): void {
    const count = (): number => this.#ids.length;
    new Gauge({
      name: 'workspaces_damaged',
      help: 'Workspaces that are not served, because their rows were altered in the database.',
      registers: [registry],
      collect() {
        this.set(count());
      },
    });
  }
}
