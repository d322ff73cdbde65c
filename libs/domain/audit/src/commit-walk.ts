import { equalBytes } from '@answer-evidence/encoding';
import type { CommitRow } from '@answer-evidence/tables';
import type { Findings } from './findings.ts';
import type { TreeBuilder } from './tree-builder.ts';

/** The commits in step with the leaves: they leave no gap, and each states the root of its tree. */
export class CommitWalk {
  /** The tree size at which the next comparison is due. */
  nextSize = Infinity;
  readonly #batches: AsyncIterator<readonly CommitRow[]>;
  readonly #findings: Findings;
  #batch: readonly CommitRow[] = [];
  #at = 0;
  #size: number;
  #rootsDiffer = false;

  /** Commits after the one that ended at `size`. */
  constructor(commits: AsyncIterable<readonly CommitRow[]>, findings: Findings, size = 0) {
    this.#size = size;
    this.#batches = commits[Symbol.asyncIterator]();
    this.#findings = findings;
  }

  /** Reads on to the next commit. A read that fails is a finding and ends the walk. */
  async start(): Promise<void> {
    const place = { check: 'commit', object: 'commits', leafIndex: null };
    while (this.#at >= this.#batch.length) {
      const next = await this.#findings.guard(place, () => this.#batches.next());
      if (next === undefined || next.done === true) {
        this.nextSize = Infinity;
        return;
      }
      this.#batch = next.value;
      this.#at = 0;
    }
    this.nextSize = this.#batch[this.#at]?.tree_size ?? Infinity;
  }

  /** Compares the commits that end at or before this tree. */
  async compare(tree: TreeBuilder): Promise<void> {
    while (this.nextSize <= tree.size) {
      const commit = await this.#take();
      if (commit === undefined) return;
      if (commit.tree_size < tree.size) this.#find(commit, 'it ends where no leaf does');
      // After the first root that differs all later ones must, and would only hide what else is wrong.
      else if (!this.#rootsDiffer && !equalBytes(tree.root(), commit.root)) {
        this.#rootsDiffer = true;
        this.#find(commit, 'its root does not match the leaves; later commits are not compared');
      }
    }
  }

  async finish(treeSize: number): Promise<void> {
    while (this.nextSize !== Infinity) {
      const commit = await this.#take();
      if (commit !== undefined) this.#find(commit, `it ends beyond the ${treeSize} leaves`);
    }
    if (this.#size < treeSize) {
      const place = { check: 'commit', object: 'commits', leafIndex: this.#size };
      this.#findings.add(place, `no commit covers the leaves from ${this.#size} on`);
    }
  }

  /** The next commit, checked to begin where the one before ended. */
  async #take(): Promise<CommitRow | undefined> {
    const commit = this.#batch[this.#at];
    this.#at += 1;
    await this.start();
    if (commit === undefined) return undefined;
    if (commit.from_size !== this.#size)
      this.#find(commit, `it begins at ${commit.from_size}, but the previous commit ends at ${this.#size}`);
    if (commit.tree_size <= commit.from_size) this.#find(commit, 'it adds no leaf');
    this.#size = commit.tree_size;
    return commit;
  }

  #find(commit: CommitRow, detail: string): void {
    this.#findings.add({ check: 'commit', object: `commit ${commit.tree_size}`, leafIndex: commit.from_size }, detail);
  }
}
