import type pg from 'pg';
import { ServiceError } from '@answer-evidence/contracts';
import type { AppendCommand, VersionedSettings } from '@answer-evidence/ledger';
import {
  type AppendOutcome,
  type AppendResult,
  HeadError,
  headRefusal,
  type TreeSigner,
  type Workspace,
} from '@answer-evidence/ports';
import { classifyFailure } from '../failures.ts';
import { toCallerError } from '../session.ts';
import { BatchCommitter, type CommittedBatch } from './batch-committer.ts';
import { failed, resolveBatch, type ResolveDeps, type Waiting } from './resolve-batch.ts';
import type { RememberedHead, Transacted } from './transact.ts';
import { WaitingQueue } from './waiting-queue.ts';

const ATTEMPTS_MAX = 3;
/** Batches of a log that are signed at once by a key outside of this process. */
const SIGNING_MAX = 2;
/** How often a request is prepared again because the settings, or what it is about, changed in between. */
const PREPARATIONS_MAX = 5;

/** Gives every request of a committed batch its outcome; later, if a key of the log is outside of this process. */
type Release = () => Promise<void> | undefined;
const NOTHING_TO_RELEASE: Release = () => undefined;

/** The tree that a committed batch left. */
export type CommittedHead = { readonly treeSize: number; readonly root: Uint8Array };

/** What a log needs from around it. */
type LogAppenderOptions = {
  readonly pool: pg.Pool;
  readonly workspace: Workspace;
  readonly nowMicros: () => number;
  readonly readSettings: () => Promise<VersionedSettings>;
  readonly readSigner: () => Promise<TreeSigner>;
  /** Loads the outcome of commands that an earlier, lost attempt appended. */
  readonly readAppended: (command: AppendCommand) => Promise<AppendOutcome>;
  /** Something that this process must not go on with: the ledger's head cannot be trusted. */
  readonly onFatal: (error: Error) => void;
  /** A batch was committed, which left the head, or it may have been. */
  readonly onCommitted?: (head?: CommittedHead) => void;
  readonly onBatch?: (batch: CommittedBatch) => void;
  /** Jobs were committed with a batch. */
  readonly onJobs?: () => void;
  /** False sends every batch the sure way; for tests that compare both. */
  readonly predict?: boolean;
};

/**
 * Appends to the log of one workspace, for all requests of this process. It is in one of four states:
 *
 * - idle: nothing waits and no connection is held. A request goes to gathering.
 * - gathering: the first batch is not taken yet. Requests of the same turn of the event loop join it; at the end of the
 *   turn it goes in flight.
 * - in flight: one transaction is under way. Requests wait and form the next batch, which is planned as soon as it is
 *   full. When the transaction has committed, the next batch is sent before the requests of this one are resolved; when
 *   nothing waits, the connection is released and it goes to idle. A failed batch is sent again, or in halves, before
 *   anything that waits behind it.
 * - stopped: the head cannot be trusted. Whatever waits is rejected, and so is every later request. Nothing leads out.
 *
 * At most one transaction is in flight, so the head that it leaves is the head that the next one expects. While other
 * processes write the same log, the lock of the head comes first, and the batch is taken when the lock is given. What
 * was rejected, and by which figures: decisions 0006, 0113 and 0126.
 */
export class LogAppender {
  readonly #options: LogAppenderOptions;
  readonly #committer: BatchCommitter;
  readonly #settling: ResolveDeps;
  readonly #queue = new WaitingQueue();
  #running: Promise<void> | undefined;
  /** Batches that are committed, and wait for a signer outside of this process. */
  readonly #signing = new Set<Promise<void>>();
  #settings: Promise<VersionedSettings> | undefined;
  #fatal: HeadError | undefined;
  /** Knows at least the keys that this process has seen the log to have. */
  #signer: TreeSigner | undefined;

  constructor(options: LogAppenderOptions) {
    this.#options = options;
    const { nowMicros, workspace } = options;
    this.#committer = new BatchCommitter({
      ...options,
      context: { workspaceId: workspace.id, mac: workspace.vault.mac, nowMicros },
      next: () => {
        const batch = this.#queue.fullBatch();
        return batch === undefined ? undefined : commandsOf(batch);
      },
    });
    this.#settling = {
      sign: (size, root) => {
        if (this.#signer === undefined) throw new Error('the keys of the log could not be read');
        return this.#signer.signReceipt({ size, root });
      },
      readAppended: options.readAppended,
    };
  }

  async append<C extends AppendCommand>(
    prepare: (settings: VersionedSettings) => C | Promise<C>,
  ): Promise<AppendOutcome<C>> {
    for (let preparation = 0; preparation < PREPARATIONS_MAX; preparation++) {
      const reading = this.settings();
      const command = await prepare(await reading);
      const result = await new Promise<AppendResult>((settle) => {
        this.#enqueue({ command, settle });
      });
      if (result.kind === 'failed') throw result.error;
      // It holds the very command that was put in.
      if (result.kind !== 'reprepare') return result as AppendOutcome<C>;
      // Once for all who were prepared under it: the first to hear reads the settings anew, the others wait for that.
      if (this.#settings === reading) this.#settings = undefined;
    }
    throw unavailable('the settings or the object of the request kept changing; retry the same request');
  }

  /** As `Ledger.appendAll`; without a promise for each of them. */
  appendAll<C extends AppendCommand>(commands: readonly C[]): Promise<readonly AppendResult<C>[]> {
    const results = new Array<AppendResult<C>>(commands.length);
    let left = commands.length;
    if (left === 0) return Promise.resolve(results);
    return new Promise((resolve) => {
      for (const [n, command] of commands.entries())
        this.#enqueue({
          command,
          settle: (result) => {
            // It holds the very command that was put in.
            results[n] = result as AppendResult<C>;
            left -= 1;
            if (left === 0) resolve(results);
          },
        });
    });
  }

  /** The settings that this process believes in force; what was prepared under others is prepared again. */
  settings(): Promise<VersionedSettings> {
    if (this.#settings === undefined) {
      const reading = this.#options.readSettings();
      this.#settings = reading;
      reading.catch(() => {
        if (this.#settings === reading) this.#settings = undefined;
      });
    }
    return this.#settings;
  }

  /** Resolves when nothing is waiting or in flight. */
  async drain(): Promise<void> {
    while (this.#running !== undefined || this.#signing.size > 0) await Promise.all([this.#running, ...this.#signing]);
  }

  #enqueue(waiting: Waiting): void {
    if (this.#fatal !== undefined) {
      waiting.settle(failed(headRefusal(this.#fatal)));
      return;
    }
    if (!this.#queue.add(waiting)) {
      const detail = 'too many requests are waiting; retry the same request';
      waiting.settle(failed(new ServiceError('overloaded', detail, { remedy: 'retry' })));
      return;
    }
    this.#running ??= this.#run();
    this.#committer.planAhead();
  }

  async #run(): Promise<void> {
    // Requests of the same turn of the event loop join the first batch.
    await Promise.resolve();
    let release = NOTHING_TO_RELEASE;
    while (this.#queue.length > 0) {
      // A slow signer is not outrun: while it signs two batches, the others gather.
      while (this.#signing.size >= SIGNING_MAX) await Promise.race(this.#signing);
      const committing = this.#committer.mustTakeTurns
        ? this.#commitInTurn()
        : this.#commit(this.#queue.takeBatch(), 1, false);
      // The next batch is on its way to the database by now, and the answers to the one before are made while it works.
      this.#follow(release());
      release = await committing;
    }
    this.#committer.release();
    this.#running = undefined;
    this.#follow(release());
  }

  #follow(signing: Promise<void> | undefined): void {
    if (signing === undefined) return;
    const followed = signing.finally(() => this.#signing.delete(followed));
    this.#signing.add(followed);
  }

  /**
   * Commits a batch; never throws. Nothing is awaited before an optimistic batch is sent. The result settles those
   * requests that have an outcome, and must be called. `again`: an attempt with these ids may have been kept.
   */
  async #commit(batch: readonly Waiting[], attempt: number, again: boolean): Promise<Release> {
    let transacted: Transacted;
    try {
      transacted = await this.#committer.commit(commandsOf(batch), attempt === 1, again);
    } catch (error) {
      return this.#recover(batch, attempt, again, error);
    }
    return this.#conclude(batch, transacted);
  }

  /** Commits what waits when the lock of the head is given; as `#commit`. */
  async #commitInTurn(): Promise<Release> {
    let batch: readonly Waiting[] | undefined;
    let transacted: Transacted;
    try {
      transacted = await this.#committer.commitInTurn(() => commandsOf((batch = this.#queue.takeBatch())));
    } catch (error) {
      return this.#recover(batch ?? this.#queue.takeBatch(), 1, false, error);
    }
    return this.#conclude(batch ?? [], transacted);
  }

  async #conclude(batch: readonly Waiting[], transacted: Transacted): Promise<Release> {
    // The entries exist from here on, whatever happens to this process. Signing before the commit could leave a signed
    // tree head that the database never held: a second history. So it comes after.
    this.#options.onCommitted?.({ treeSize: transacted.remembered.head.treeSize, root: transacted.plan.root });
    if (this.#signer?.changes !== transacted.remembered.keyChanges) await this.#readSigner(transacted.remembered);
    if (transacted.plan.writes.some((write) => write.kind === 'insert' && write.table === 'outbox'))
      this.#options.onJobs?.();
    return () => resolveBatch(batch, transacted, this.#settling);
  }

  /**
   * Keys change only together with the head, so a head that this process wrote itself has the keys that it knows. One
   * that is newer than asked for signs the same: which keys a tree is signed by follows from its size. Without it
   * nothing is signed.
   */
  async #readSigner({ keyChanges }: RememberedHead): Promise<void> {
    if (this.#signer !== undefined && this.#signer.changes > keyChanges) return;
    try {
      this.#signer = await this.#options.readSigner();
    } catch {
      this.#signer = undefined;
    }
  }

  async #recover(batch: readonly Waiting[], attempt: number, again: boolean, error: unknown): Promise<Release> {
    if (error instanceof HeadError) {
      this.#fatal = error;
      // Anyone who waits behind this batch is turned away too: nothing more may be written on top of such a head.
      for (const waiting of [...batch, ...this.#queue.takeAll()]) waiting.settle(failed(headRefusal(error)));
      this.#options.onFatal(error);
      return NOTHING_TO_RELEASE;
    }
    const failure = error instanceof ServiceError ? 'try-again' : classifyFailure(error);
    if (failure === 'guilty-request' || failure === 'fatal') {
      const [only] = batch;
      if (batch.length > 1) return this.#commitHalves(batch, again || failure === 'fatal');
      only?.settle(failed(toCallerError(error)));
      return NOTHING_TO_RELEASE;
    }
    if (attempt >= ATTEMPTS_MAX) {
      this.#options.onCommitted?.();
      for (const waiting of batch)
        waiting.settle(failed(unavailable('the ledger is not writable at the moment; retry the same request', error)));
      return NOTHING_TO_RELEASE;
    }
    return this.#commit(batch, attempt + 1, again || failure === 'unknown-outcome');
  }

  /**
   * Commits the halves of a failed batch separately, so that one request at fault does not fail the others. With
   * `again` the ids are looked up, because a part may have been committed.
   */
  async #commitHalves(batch: readonly Waiting[], again: boolean): Promise<Release> {
    const half = Math.ceil(batch.length / 2);
    const releases = [
      await this.#commit(batch.slice(0, half), 1, again),
      await this.#commit(batch.slice(half), 1, again),
    ];
    return () => {
      const signing = releases.map((release) => release()).filter((one) => one !== undefined);
      return signing.length === 0 ? undefined : Promise.all(signing).then(() => undefined);
    };
  }
}

function commandsOf(batch: readonly Waiting[]): readonly AppendCommand[] {
  return batch.map(({ command }) => command);
}

function unavailable(detail: string, cause?: unknown): ServiceError {
  return new ServiceError('ledger_unavailable', detail, { remedy: 'retry', cause });
}
