import { Gauge, type Registry } from 'prom-client';
import type { AnchorHearing } from '@answer-evidence/stage-trust';
import type { Report } from '../ground/report.ts';

/** Remembers which places of anchors could not be read when they were read last, and reports each change. */
export class AnchorHearings {
  readonly #report: Report;
  readonly #problems = new Map<string, string>();

  constructor(report: Report) {
    this.#report = report;
  }

  /** The same problem is reported once. */
  note({ workspace, anchorId, problem }: AnchorHearing): void {
    const key = `${workspace.id} ${anchorId}`;
    const before = this.#problems.get(key);
    if (problem === before) return;
    const words = `what the anchor "${anchorId}" has of the ledger of "${workspace.slug}"`;
    if (problem === undefined) {
      this.#problems.delete(key);
      this.#report(`${words} was read again`);
    } else {
      this.#problems.set(key, problem);
      this.#report(`${words} was not read in full: ${problem}. A rollback behind it would go unnoticed`);
    }
  }

  /** Registers how many there are, for all workspaces together. */
  register(registry: Registry): void {
    const problems = this.#problems;
    new Gauge({
      name: 'trust_anchors_unread',
      help: 'Places of anchors whose checkpoints could not be read, or are not those of the log, when last read.',
      registers: [registry],
      collect() {
        this.set(problems.size);
      },
    });
  }
}
