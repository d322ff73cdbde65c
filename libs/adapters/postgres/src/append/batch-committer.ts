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
  planBatch,
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
  /** The commands of the next batch, once no others can join it. */
  readonly next: () => readonly AppendCommand[] | undefined;
  /** False sends every batch the sure way; for tests that compare both. */
  readonly predict?: boolean;
};

/** A batch that was planned while the one before it was committed, on the head that this one leaves. */
type PlannedAhead = {
  readonly before: RememberedHead;
  readonly commands: readonly AppendCommand[];
  readonly planned: ReturnType<typeof planBatch>;
};

/**
 * Commits the batches of one log for this process, one at a time, in one of three ways. It remembers the head that the
 * last one left, and keeps its connection from batch to batch until it is released.
 */
export class BatchCommitter {
  readonly #deps: CommitterDeps;
  readonly #others = new OtherWriters();
  #remembered: RememberedHead | undefined;
  /** The head that the optimistic batch under way leaves if it is committed. */
  #expected: RememberedHead | undefined;
  #ahead: PlannedAhead | undefined;
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
      const { onBatch, predict } = this.#deps;
      let bet: Transacted | 'lost' | undefined;
      if (isFirst && !again && predict !== false && this.#remembered !== undefined)
        bet = await orLost(this.#bet(client, commands, this.#remembered));
      if (bet === undefined || bet === 'lost') return this.#commitLocked(client, commands, again, bet === 'lost');
      onBatch?.({ requests: commands.length, way: 'optimistic', isBetLost: false });
      return bet;
    });
  }

  /**
   * Plans the next batch, if it is known, on the head that the one under way leaves: that work is done while the
   * database does its own. If the head is another one in the end, `commit` plans the batch anew.
   */
  planAhead(): void {
    const before = this.#expected;
    if (before === undefined || this.#ahead?.before === before) return;
    const commands = this.#deps.next();
    if (commands === undefined) return;
    this.#ahead = { before, commands, planned: undefined };
    try {
      const planned = planBatch(this.#deps.context, commands, before);
      if (planned instanceof Promise) planned.catch(() => undefined);
      this.#ahead = { before, commands, planned };
    } catch {
      // `commit` meets the same failure, and tells of it.
    }
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

  /**
   * Bets on the head that is remembered; undefined when memory does not suffice. Until the bet is decided, the next
   * batch may be planned on the head that it leaves.
   */
  async #bet(
    client: pg.PoolClient,
    commands: readonly AppendCommand[],
    before: RememberedHead,
  ): Promise<Transacted | undefined> {
    const planning = this.#takeAhead(commands, before) ?? planBatch(this.#deps.context, commands, before);
    const planned = planning instanceof Promise ? await planning : planning;
    if (planned === undefined) return undefined;
    this.#expected = planned.remembered;
    // After the answers to the batch before, which are made in this turn of the event loop.
    setImmediate(() => this.planAhead());
    try {
      return await commitOptimistic(client, this.#deps.context.workspaceId, planned);
    } finally {
      this.#expected = undefined;
    }
  }

  /** What was planned ahead, if it is of these commands and on this head. */
  #takeAhead(commands: readonly AppendCommand[], before: RememberedHead): PlannedAhead['planned'] {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead?.before !== before || ahead.commands.length !== commands.length) return undefined;
    return ahead.commands.every((command, n) => command === commands[n]) ? ahead.planned : undefined;
  }

  /** Returns the connection to the pool. */
  release(): void {
    this.#ahead = undefined;
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
