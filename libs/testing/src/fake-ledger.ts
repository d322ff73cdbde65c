import type { ServiceError } from '@answer-evidence/contracts';
import { type AppendCommand, planAppend, type VersionedSettings } from '@answer-evidence/ledger';
import type { AppendOutcome, AppendResult, Clock, Ledger, Workspace } from '@answer-evidence/ports';
import type { FakeDatabase } from './fake-database.ts';
import { logsOver } from './fake-log-store.ts';

/** How an append fails: before the commit, or after it, so that the entries are there and only the answer is not. */
export type FakeFailure = { readonly error: ServiceError; readonly kept: boolean };

/**
 * A ledger in memory, one process's writer: it decides by the same pure planner as the real one, one command a commit,
 * and signs the same checkpoints. Several over one database are several processes: each goes on with the
 * settings that it read last, until a command says that it was prepared under others.
 */
export class FakeLedger implements Ledger {
  readonly #workspace: Workspace;
  readonly #database: FakeDatabase;
  readonly #clock: Clock;
  #settings: VersionedSettings | undefined;
  #failure: FakeFailure | undefined;

  constructor(workspace: Workspace, database: FakeDatabase, clock: Clock) {
    this.#workspace = workspace;
    this.#database = database;
    this.#clock = clock;
  }

  /** Makes the next append fail. */
  failNext(failure: FakeFailure): void {
    this.#failure = failure;
  }

  async append<C extends AppendCommand>(
    workspaceId: string,
    prepare: (settings: VersionedSettings) => C | Promise<C>,
  ): Promise<AppendOutcome<C>> {
    if (workspaceId !== this.#workspace.id) throw new Error('the fake ledger has one workspace');
    for (;;) {
      this.#settings ??= this.#database.settings();
      const result = await this.#commit(await prepare(this.#settings));
      if (result.kind === 'failed') throw result.error;
      // It holds the very command that was put in.
      if (result.kind !== 'reprepare') return result as AppendOutcome<C>;
      this.#settings = undefined;
    }
  }

  async appendAll<C extends AppendCommand>(
    workspaceId: string,
    commands: readonly C[],
  ): Promise<readonly AppendResult<C>[]> {
    if (workspaceId !== this.#workspace.id) throw new Error('the fake ledger has one workspace');
    const results: AppendResult<C>[] = [];
    // It holds the very command that was put in.
    for (const command of commands) results.push((await this.#commit(command)) as AppendResult<C>);
    return results;
  }

  async #commit(command: AppendCommand): Promise<AppendResult> {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure?.kept === false) return { kind: 'failed', error: failure.error };
    const plan = planAppend(this.#database.head, this.#database.known(), this.#clock.nowMicros(), [command]);
    const [outcome] = plan.outcomes;
    if (outcome === undefined) throw new Error('every command has an outcome');
    this.#database.commit(plan);
    if (failure !== undefined) return { kind: 'failed', error: failure.error };
    switch (outcome.kind) {
      case 'appended': {
        const treeSize = plan.head.treeSize;
        const signer = await logsOver(this.#database, this.#workspace).signer();
        const checkpoint = await signer.signReceipt({ size: treeSize, root: plan.root });
        return { kind: 'appended', command, entries: outcome.entries, checkpoint, treeSize };
      }
      case 'replayed':
        return { kind: 'replayed', command, objectId: outcome.objectId };
      case 'refused':
        return { kind: 'failed', error: outcome.error };
      case 'reprepare':
        return { kind: 'reprepare' };
    }
  }
}
