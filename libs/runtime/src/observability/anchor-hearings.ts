import { Gauge, type Registry } from 'prom-client';
import type { Clock, Workspace } from '@answer-evidence/ports';
import type { AnchorHearing, readAnchorsHeard } from '@answer-evidence/stage-trust';
import type { Report } from '../ground/report.ts';

type Problem = AnchorHearing & { readonly problem: string; readonly heardAt: number };

/** Remembers which places of anchors could not be read when they were read last, and reports each change. */
export class AnchorHearings {
  readonly #report: Report;
  readonly #clock: Pick<Clock, 'nowMicros'>;
  readonly #problems = new Map<string, Problem>();

  constructor(report: Report, clock: Pick<Clock, 'nowMicros'>) {
    this.#report = report;
    this.#clock = clock;
  }

  /** The same problem is reported once. */
  note({ workspace, anchorId, problem }: AnchorHearing): void {
    const key = `${workspace.id} ${anchorId}`;
    const before = this.#problems.get(key)?.problem;
    if (problem !== undefined)
      this.#problems.set(key, { workspace, anchorId, problem, heardAt: this.#clock.nowMicros() });
    if (problem === before) return;
    const words = `what the anchor "${anchorId}" has of the ledger of "${workspace.slug}"`;
    if (problem === undefined) {
      this.#problems.delete(key);
      this.#report(`${words} was read again`);
    } else {
      this.#report(`${words} was not read in full: ${problem}. A rollback behind it would go unnoticed`);
    }
  }

  /**
   * Registers how many there are, for all workspaces together. `readHeard`: the anchors that a log still has, and when
   * another process may have read them last; what is older is forgotten.
   */
  register(registry: Registry, readHeard: (workspace: Workspace) => ReturnType<typeof readAnchorsHeard>): void {
    const problems = this.#problems;
    const forget = () => this.#forget(readHeard);
    new Gauge({
      name: 'trust_anchors_unread',
      help: 'Places of anchors whose checkpoints could not be read, or are not those of the log, when last read.',
      registers: [registry],
      async collect() {
        await forget();
        this.set(problems.size);
      },
    });
  }

  async #forget(readHeard: (workspace: Workspace) => ReturnType<typeof readAnchorsHeard>): Promise<void> {
    const workspaces = new Map([...this.#problems.values()].map(({ workspace }) => [workspace.id, workspace]));
    for (const workspace of workspaces.values()) {
      // What cannot be read now, such as an altered policy, is no reason to forget.
      const heard = await readHeard(workspace).catch(() => undefined);
      if (heard === undefined) continue;
      for (const [key, { workspace: whose, anchorId, heardAt }] of this.#problems)
        if (whose.id === workspace.id && (!heard.anchorIds.has(anchorId) || heardAt < heard.sinceMicros))
          this.#problems.delete(key);
    }
  }
}
