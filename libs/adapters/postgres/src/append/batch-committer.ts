import type pg from 'pg';
import type { AppendCommand } from '@answer-evidence/ledger';
import { HeadError } from '@answer-evidence/ports';
import { classifyFailure } from '../failures.ts';
import { connect } from '../session.ts';
import { OtherWriters } from './other-writers.ts';
import { lockHead } from './read-state.ts';
import { breakConnection } from './send-transaction.ts';
import {
  commitInTurn,
  commitLocked,
  commitOptimistic,
  type LogContext,
  type RememberedHead,
  type Transacted,
} from './transact.ts';

/** How a batch was committed. */
export type CommittedBatch = {
  readonly requests: number;
  /**
   * `optimistic`: in one round trip, without waiting for the head's lock first. `locked`: the lock, with what the batch
   * needs, and then the batch. `in_turn`: the lock, and then a batch of all that had come by then.
   */
  readonly way: 'optimistic' | 'locked' | 'in_turn';
  /** It was tried without knowing, and the head or a key was not as this process remembered it. */
  readonly isBetLost: boolean;
  /** How long the lock of the head was waited for, with the way there and back; of any but an optimistic batch. */
  readonly lockMs?: number;
};

/** What the batches of a log are committed with. */
type CommitterDeps = {
  readonly pool: pg.Pool;
  readonly context: LogContext;
  readonly onBatch?: (batch: CommittedBatch) => void;
  /** False sends every batch the sure way; for tests that compare both. */
  readonly predict?: boolean;
};

/**
 * Commits the batches of one log for this process, one at a time, in one of three ways. It remembers the head that the
 * last one left, and keeps its connection from batch to batch until it is released.
 */
export class BatchCommitter {
  readonly #deps: CommitterDeps;
  readonly #others = new OtherWriters();
  #remembered: RememberedHead | undefined;
  /** Kept from batch to batch: asking the pool anew costs a turn of the event loop with an idle database. */
  #client: pg.PoolClient | undefined;

  constructor(deps: CommitterDeps) {
    this.#deps = deps;
  }

  /** Whether other processes write this log too, so that batches are better committed in turn. */
  get mustTakeTurns(): boolean {
    return this.#others.areSeen && this.#deps.predict !== false;
  }

  /**
   * Commits a batch; nothing is awaited before an optimistic one is sent, if the connection is there. `isFirst`: it was
   * not sent before. `again`: an attempt with these ids may have been kept.
   */
  commit(commands: readonly AppendCommand[], isFirst: boolean, again: boolean): Promise<Transacted> {
    return this.#transact(async (client) => {
      const { context, onBatch, predict } = this.#deps;
      let bet: Transacted | 'lost' | undefined;
      if (isFirst && !again && predict !== false && this.#remembered !== undefined)
        bet = await orLost(commitOptimistic(client, context, commands, this.#remembered));
      if (bet === undefined || bet === 'lost') return this.#commitLocked(client, commands, again, bet === 'lost');
      onBatch?.({ requests: commands.length, way: 'optimistic', isBetLost: false });
      return bet;
    });
  }

  /**
   * Waits for the lock of the head, and then commits the batch that `take` gives. The longer others had the lock, the
   * larger it is. PostgreSQL gives the lock in order of arrival, so nobody is passed over.
   */
  commitInTurn(take: () => readonly AppendCommand[]): Promise<Transacted> {
    return this.#transact(async (client) => {
      const { context, onBatch } = this.#deps;
      const { lock, onLocked } = this.#watchLock();
      const locked = await lockHead(client, context.workspaceId, onLocked);
      const commands = take();
      const bet = await orLost(commitInTurn(client, context, locked, commands, this.#remembered));
      if (bet === 'lost') {
        await client.query('rollback');
        return this.#commitLocked(client, commands, false, true);
      }
      onBatch?.({ requests: commands.length, way: 'in_turn', isBetLost: false, lockMs: lock.waitedMs });
      return bet;
    });
  }

  /** Returns the connection to the pool. */
  release(): void {
    this.#client?.release();
    this.#client = undefined;
  }

  async #commitLocked(
    client: pg.PoolClient,
    commands: readonly AppendCommand[],
    again: boolean,
    isBetLost: boolean,
  ): Promise<Transacted> {
    const { lock, onLocked } = this.#watchLock();
    const context = { ...this.#deps.context, onLocked };
    const sure = await commitLocked(client, context, commands, this.#remembered, again);
    const { waitedMs } = lock;
    this.#deps.onBatch?.({ requests: commands.length, way: 'locked', isBetLost, lockMs: waitedMs });
    return sure;
  }

  #watchLock() {
    const lock = { waitedMs: 0 };
    const onLocked: LogContext['onLocked'] = (waitedMs, treeSize) => {
      lock.waitedMs = waitedMs;
      if (this.#remembered !== undefined) this.#others.note(treeSize === this.#remembered.head.treeSize);
    };
    return { lock, onLocked };
  }

  async #transact(send: (client: pg.PoolClient) => Promise<Transacted>): Promise<Transacted> {
    const client = this.#client ?? (await connect(this.#deps.pool));
    this.#client = client;
    try {
      const transacted = await send(client);
      this.#remembered = transacted.remembered;
      return transacted;
    } catch (error) {
      const isUsable =
        classifyFailure(error) !== 'unknown-outcome' &&
        (await client.query('rollback').then(
          () => true,
          () => false,
        ));
      if (!isUsable) {
        breakConnection(client);
        this.#client = undefined;
      }
      throw error;
    }
  }
}

/** What a bet came to. `lost`: the head or a key was not as believed, and nothing was kept. */
async function orLost<T>(bet: Promise<T>): Promise<T | 'lost'> {
  try {
    return await bet;
  } catch (error) {
    if (error instanceof HeadError) throw error;
    const failure = classifyFailure(error);
    if (failure === 'try-again' || failure === 'guilty-request') return 'lost';
    throw error;
  }
}
