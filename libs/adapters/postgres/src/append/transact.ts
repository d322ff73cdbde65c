import type pg from 'pg';
import { equalSecrets } from '@answer-evidence/digest';
import {
  type AppendCommand,
  type AppendPlan,
  areEdgeHashes,
  formatHead,
  type Head,
  macOfHead,
  NOTHING_KNOWN,
  parseHead,
  planAppend,
  planTiles,
  type ReadTileHashes,
  type RowMac,
  type StateQuery,
} from '@answer-evidence/ledger';
import { TILE_WIDTH } from '@answer-evidence/merkle';
import { HeadError, StoredDamageError } from '@answer-evidence/ports';
import type { HeadRow, TileRow } from '@answer-evidence/tables';
import type { Statement } from './insert-rows.ts';
import { growTail, type LeafTail, sliceTail } from './leaf-tail.ts';
import { type BatchReads, lockAndRead, type LockedHead, type LockListener, readKnown } from './read-state.ts';
import { COMMIT, sendRest, sendTransaction } from './send-transaction.ts';
import { formatPlan, type PlanTarget } from './write-plan.ts';

/** The head as this process last wrote or read it, with what it remembers of the leaves below. */
export type RememberedHead = {
  readonly row: HeadRow;
  readonly head: Head;
  readonly tail: LeafTail;
  /** How often the log's keys have been changed below this head. */
  readonly keyChanges: number;
};

/** What a committed transaction came to. `appended` are commands of an earlier, lost attempt, by first entry id. */
export type Transacted = {
  readonly plan: AppendPlan;
  readonly remembered: RememberedHead;
  readonly appended: ReadonlyMap<string, number>;
};

/** What a transaction needs besides its commands. */
export type LogContext = PlanTarget & {
  readonly nowMicros: () => number;
  readonly onLocked?: LockListener;
};

/** A batch that is ready to be sent, on the bet that the head is `before` when it is. */
type PlannedBatch = {
  readonly before: RememberedHead;
  readonly plan: AppendPlan;
  /** The head that it leaves. */
  readonly remembered: RememberedHead;
  readonly statements: readonly Statement[];
};

/**
 * Plans a batch against memory, to bet that the head is `before` and that no idempotency key was used before. Undefined
 * when memory does not suffice to bet. A promise where a batch fills a tile, which is only one batch in some.
 */
export function planBatch(
  context: LogContext,
  commands: readonly AppendCommand[],
  before: RememberedHead,
): PlannedBatch | undefined | Promise<PlannedBatch | undefined> {
  if (commands.some(({ reads }) => needsDatabase(reads))) return undefined;
  const plan = planAppend(before.head, NOTHING_KNOWN, context.nowMicros(), commands);
  // A refusal may be wrong: with the database's knowledge the same request may be a replay, and it leaves no row whose
  // key could say so. And a plan that appends nothing sends no compare-and-swap that could confirm what memory holds.
  if (plan.commit === undefined || plan.outcomes.some(({ kind }) => kind === 'refused')) return undefined;
  const withTiles = (tiles: readonly TileRow[]): PlannedBatch => {
    const row = formatHead(plan.head, context.mac);
    const remembered = remember(row, plan, before.tail, before.keyChanges);
    const statements = formatPlan(context, before.row, row, plan, tiles);
    return { before, plan, remembered, statements };
  };
  if (!fillsTile(before.head, plan.head)) return withTiles([]);
  return planKnownTiles(before, plan).then((tiles) => (tiles === undefined ? undefined : withTiles(tiles)));
}

/**
 * Sends a planned batch in one round trip. The head's compare-and-swap and the unique keys decide the bet; a lost one
 * keeps nothing and throws (40001, 23505).
 */
export async function commitOptimistic(
  client: pg.ClientBase,
  workspaceId: string,
  { plan, remembered, statements }: PlannedBatch,
): Promise<Transacted> {
  await sendTransaction(client, workspaceId, statements);
  return { plan, remembered, appended: new Map() };
}

/** Whether memory cannot know what the command reads; used keys and calls are found by their unique index instead. */
function needsDatabase({ idempotency: _, call: __, ...reads }: StateQuery): boolean {
  return Object.values(reads).some((read) => read !== undefined);
}

function fillsTile(before: Head, after: Head): boolean {
  return Math.floor(before.treeSize / TILE_WIDTH) < Math.floor(after.treeSize / TILE_WIDTH);
}

/** The tiles that a batch fills, when memory holds all of their older hashes. */
async function planKnownTiles(remembered: RememberedHead, plan: AppendPlan): Promise<readonly TileRow[] | undefined> {
  let missing = false;
  const hashes = plan.leaves.map((leaf) => leaf.leaf_hash);
  const tiles = await planTiles(remembered.head.treeSize, hashes, (level, from, to) => {
    const known = level === 0 ? sliceTail(remembered.tail, from, to) : undefined;
    if (known === undefined) missing = true;
    return Promise.resolve(known ?? new Array<Uint8Array>(to - from).fill(new Uint8Array(32)));
  });
  return missing ? undefined : tiles;
}

/** The sure way: lock the head, read, plan, write. `again` as in `readKnown`; `seen` is the newest known head. */
export async function commitLocked(
  client: pg.ClientBase,
  context: LogContext,
  commands: readonly AppendCommand[],
  seen: RememberedHead | undefined,
  again: boolean,
): Promise<Transacted> {
  const state = await lockAndRead(client, context.workspaceId, commands, again, context.onLocked);
  return commitKnown(client, context, state, state, commands, seen);
}

/**
 * Writes a batch that was chosen when the lock of the head was held already. The head is certain then, and the bet is
 * only that no idempotency key was used before. The unique keys decide, and a lost bet keeps nothing and throws
 * (23505). Where that does not suffice, what the commands need is read first.
 */
export async function commitInTurn(
  client: pg.ClientBase,
  context: LogContext,
  locked: LockedHead,
  commands: readonly AppendCommand[],
  seen: RememberedHead | undefined,
): Promise<Transacted> {
  const head = checkHead(locked.row, context.mac, seen);
  if (!commands.some(({ reads }) => needsDatabase(reads))) {
    const plan = planAppend(head, NOTHING_KNOWN, context.nowMicros(), commands);
    if (!plan.outcomes.some(({ kind }) => kind === 'refused'))
      return commitPlanned(client, context, locked, head, plan, seen);
  }
  const read = await readKnown(client, context.workspaceId, commands, false);
  return commitKnown(client, context, locked, read, commands, seen);
}

async function commitKnown(
  client: pg.ClientBase,
  context: LogContext,
  locked: LockedHead,
  { appended, known }: BatchReads,
  commands: readonly AppendCommand[],
  seen: RememberedHead | undefined,
): Promise<Transacted> {
  const head = checkHead(locked.row, context.mac, seen);
  const remaining = commands.filter((command) => !isAppended(command, appended));
  const plan = planAppend(head, known, context.nowMicros(), remaining);
  return { ...(await commitPlanned(client, context, locked, head, plan, seen)), appended };
}

/** Writes a plan on the head whose lock is held, with the tiles that it fills, and commits. */
async function commitPlanned(
  client: pg.ClientBase,
  context: LogContext,
  { row: before, keyChanges }: LockedHead,
  head: Head,
  plan: AppendPlan,
  seen: RememberedHead | undefined,
): Promise<Transacted> {
  if (before === undefined) throw new Error('a head that was judged is there');
  const tail = seen?.head.treeSize === head.treeSize ? seen.tail : { size: head.treeSize, hashes: [] };
  const tiles = await planTiles(
    head.treeSize,
    plan.leaves.map((leaf) => leaf.leaf_hash),
    (level, from, to) => {
      const known = level === 0 ? sliceTail(tail, from, to) : undefined;
      return known === undefined
        ? readTileHashes(client, context.workspaceId, head)(level, from, to)
        : Promise.resolve(known);
    },
  );
  const row = formatHead(plan.head, context.mac);
  await sendRest(client, [...formatPlan(context, before, row, plan, tiles), COMMIT]);
  const changes = keyChangesAfter(plan, keyChanges);
  const remembered =
    plan.commit === undefined ? { row: before, head, tail, keyChanges: changes } : remember(row, plan, tail, changes);
  return { plan, remembered, appended: new Map() };
}

/** Whether a command was found in the log, appended by an attempt whose outcome was lost. */
export function isAppended(command: AppendCommand, appended: ReadonlyMap<string, number>): boolean {
  const [first] = command.entryIds;
  return first !== undefined && appended.has(first);
}

/** The head of a row whose MAC holds and which is neither behind nor beside what was seen. Throws `HeadError`. */
export function checkHead(row: HeadRow | undefined, mac: RowMac, seen: RememberedHead | undefined): Head {
  if (row === undefined) throw new HeadError('row_refused', 'the head of the ledger is missing');
  if (!equalSecrets(row.mac, macOfHead(row, mac)))
    throw new HeadError(
      'row_refused',
      'the MAC of the ledger head is invalid: the database was changed, or the master key is not the one it was made with',
    );
  const head = parseHead(row);
  if (seen !== undefined && head.treeSize < seen.head.treeSize)
    throw new HeadError(
      'row_refused',
      `the ledger head went back from ${seen.head.treeSize} to ${head.treeSize}: the database was restored`,
    );
  // The MAC follows from the head alone, so another MAC at this size is another history of the same length.
  if (seen !== undefined && head.treeSize === seen.head.treeSize && !equalSecrets(row.mac, seen.row.mac))
    throw new HeadError(
      'row_refused',
      `the ledger has another head of size ${head.treeSize}: the database was restored and then written to`,
    );
  return head;
}

function remember(row: HeadRow, plan: AppendPlan, tail: LeafTail, keyChanges: number): RememberedHead {
  return { row, head: plan.head, tail: growTail(tail, plan.leaves), keyChanges };
}

/** A change of keys reads its series, so it is never planned from memory: only the sure way has to look for one. */
function keyChangesAfter({ writes }: AppendPlan, before: number): number {
  return writes.reduce(
    (changes, write) =>
      write.kind === 'insert' && write.table === 'workspace_entries' && write.row.type === 'ledger_key_changed'
        ? write.row.seq
        : changes,
    before,
  );
}

/**
 * Reads the older hashes of tiles that become full, within the transaction of the connection. A tile is written once
 * and for good, so they are held against the head. Throws `StoredDamageError`.
 */
export function readTileHashes(client: pg.ClientBase, workspaceId: string, head: Head): ReadTileHashes {
  return async (level, from, to) => {
    const { rows } = await client.query<{ hash: Uint8Array }>(
      level === 0
        ? `select leaf_hash as hash from answer_evidence.ledger_leaves
             where workspace_id = $1 and leaf_index >= $2 and leaf_index < $3 order by leaf_index`
        : `select root as hash from answer_evidence.ledger_tiles
             where workspace_id = $1 and level = ${level - 1} and tile_index >= $2 and tile_index < $3 order by tile_index`,
      [workspaceId, from, to],
    );
    const hashes = rows.map((row) => row.hash);
    if (!areEdgeHashes(head, level, hashes))
      throw new StoredDamageError(`hashes at tile level ${level} were altered, cut or lost`);
    return hashes;
  };
}
