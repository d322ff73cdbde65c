import { knownPayload, ServiceError } from '@answer-evidence/contracts';
import { formatHex, parseJsonText } from '@answer-evidence/encoding';
import {
  type Clock,
  HeadError,
  type OutsideClaim,
  type Ticker,
  type WorkFinder,
  type Workspace,
} from '@answer-evidence/ports';
import { inTurns } from '../in-turns.ts';
import { assertExtends, assertLogHolds, type HeadDeps } from './assert-heads-hold.ts';
import { describeClaim } from './kept-claims.ts';

const INTERVAL_MS = 1_000;
/** How long entries may be appended to a log while its head cannot be kept outside. */
const GRACE_MS = 60_000;
const LOGS_AT_ONCE = 8;
/**
 * How often all logs are looked at. In between only those are of which an entry is newer than the newest that was seen,
 * but for so long: a transaction takes up to that to commit, and clocks may differ by it.
 */
const ALL_EVERY_MS = 30_000;
const LATE_MICROS_MAX = 10_000_000;
/** Logs of other processes in one run: what this process appends must not wait for thousands of them. */
const OTHERS_A_RUN = 256;
const LOGS_CHECKED_AT_ONCE = 8;
const LEAVES_A_READ = 50_000;

/** What a keeper works with. */
export type HeadKeeperDeps = HeadDeps & {
  /** Identifies the database cluster. */
  readonly systemIdentifier: () => Promise<string>;
  readonly work: Pick<WorkFinder, 'grownLogs'>;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  /** Ends the process: a log is not the one that was kept, and nothing more may be signed on it. */
  readonly onFatal: (error: Error) => void;
  /** A log is stopped, and the others go on. Called once for each. */
  readonly onStopped: (error: HeadError) => void;
};

/** What a process does about the heads of the logs that it signs. */
export interface HeadKeeper {
  /**
   * Holds every log against its kept head. Throws `HeadError` for one that is refused; one that is disputed is stopped.
   */
  checkAll(): Promise<void>;
  /**
   * Asked before each append: undefined when it may be made at once, or a promise to wait for, which is only given for
   * the first one to a log. Throws, or rejects with, `ledger_unavailable` when nothing may be appended.
   */
  admit(workspaceId: string): Promise<void> | undefined;
  /** Asked before a tree is signed; rejects with `ledger_unavailable` when nothing may be signed. */
  admitSigning(workspaceId: string): Promise<void>;
  /** This process has committed entries, which their head outside does not cover yet. */
  noteAppended(workspaceId: string): void;
  /** Moves the head of one log outside of the database now. */
  keep(workspace: Workspace): Promise<void>;
  /** Keeps what an outside party holds against a log, and stops the log. */
  dispute(workspace: Workspace, claim: Omit<OutsideClaim, 'workspaceId' | 'origin'>): Promise<void>;
  isStopped(workspaceId: string): boolean;
  /** Moves the heads of the logs that this process has appended to, or of all. */
  ticker(logs: 'own' | 'all'): Ticker;
  /**
   * How many logs are stopped, for how long the oldest entry of this process has been without a head outside, and
   * whether that is so long that nothing more is appended.
   */
  standing(): { readonly stopped: number; readonly unkeptMs: number; readonly isOverdue: boolean };
}

/** Since when a log has entries of this process above its kept head, and the number of the newest such append. */
type Unkept = { readonly sinceMs: number; readonly newest: number };

/**
 * Keeps the heads of logs outside of the database, and the redactions up to them, so that a restore of an older
 * database is seen. Nothing of it is on the path of an append but two look-ups: the head follows within a second, and
 * while it cannot, appends go on for a minute and then stop. Only receipts cover what was committed in the last second.
 */
export function createHeadKeeper(deps: HeadKeeperDeps): HeadKeeper {
  const checks = new Map<string, Promise<void>>();
  const checked = new Set<string>();
  const stopped = new Map<string, HeadError>();
  const unkept = new Map<string, Unkept>();
  const keptSizes = new Map<string, number>();
  /** Counts the appends of this process, so that those which came while a head was being kept are told apart. */
  let appends = 0;
  /** Logs that were seen to be of another size than was kept, the first seen first. */
  const behind = new Map<string, Workspace>();
  /** When the sizes of all logs were asked for last, and of those with a new entry. */
  let lookedAtAllMs: number | undefined;
  let lookedAtMicros = 0;

  function judge(workspaceId: string, error: unknown): void {
    if (!(error instanceof HeadError)) return;
    if (error.code === 'log_disputed') stop(workspaceId, error);
    else if (error.code === 'log_refused' || error.code === 'head_missing') deps.onFatal(error);
  }

  function stop(workspaceId: string, error: HeadError): void {
    if (stopped.has(workspaceId)) return;
    stopped.set(workspaceId, error);
    deps.onStopped(error);
  }

  function assertRunning(workspaceId: string): void {
    const error = stopped.get(workspaceId);
    if (error !== undefined) throw unavailable('the ledger of this workspace is stopped; tell the operator', error);
  }

  /** Once for each log, until it has succeeded. */
  function check(workspaceId: string): Promise<void> {
    const running = checks.get(workspaceId) ?? checkNow(workspaceId).finally(() => checks.delete(workspaceId));
    checks.set(workspaceId, running);
    return running;
  }

  async function checkNow(workspaceId: string): Promise<void> {
    try {
      await assertLogHolds(deps, await deps.directory.get(workspaceId));
    } catch (error) {
      if (error instanceof HeadError && error.code === 'log_disputed') stop(workspaceId, error);
      throw error;
    }
    checked.add(workspaceId);
  }

  function admitted(workspaceId: string): Promise<void> {
    return check(workspaceId).catch((error: unknown) => {
      judge(workspaceId, error);
      throw error instanceof HeadError ? unavailable(reasonOf(error), error) : error;
    });
  }

  /** Moves the kept head forward, and only forward on the same history. */
  async function keep(workspace: Workspace): Promise<void> {
    const { id: workspaceId, origin } = workspace;
    const startedMs = deps.monotonicMs();
    const covered = appends;
    const before = await deps.headStore.find(workspaceId);
    const snapshot = await deps.logs.snapshot(workspaceId);
    const { head, root } = snapshot;
    try {
      await assertExtends(workspace, before, snapshot, deps.headStore.place);
      // First, so that below a kept head no redaction is missing.
      await keepRedactions(deps, workspaceId, before?.treeSize ?? 0, head.tree_size);
      await deps.headStore.keep({
        workspaceId,
        origin,
        treeSize: head.tree_size,
        rootHash: formatHex(root),
        systemIdentifier: await deps.systemIdentifier(),
      });
    } catch (error) {
      judge(workspaceId, error);
      throw error;
    }
    checked.add(workspaceId);
    keptSizes.set(workspaceId, head.tree_size);
    behind.delete(workspaceId);
    const left = unkept.get(workspaceId);
    // Behind all that have waited for longer.
    unkept.delete(workspaceId);
    if (left !== undefined && left.newest > covered) unkept.set(workspaceId, { ...left, sinceMs: startedMs });
  }

  /** The logs that this process has appended to since their heads were kept, the oldest first. */
  function findOwn(): Promise<readonly Workspace[]> {
    return Promise.all([...unkept.keys()].map((id) => deps.directory.get(id)));
  }

  /** Those, and logs of another size than was kept, by whichever process. One question about all of them. */
  async function findGrown(): Promise<readonly Workspace[]> {
    const nowMs = deps.monotonicMs();
    const isAll = lookedAtAllMs === undefined || nowMs - lookedAtAllMs >= ALL_EVERY_MS;
    const nowMicros = deps.clock.nowMicros();
    const logs = await deps.work.grownLogs(isAll ? 0 : lookedAtMicros - LATE_MICROS_MAX);
    if (isAll) lookedAtAllMs = nowMs;
    lookedAtMicros = nowMicros;
    for (const { workspace, treeSize } of logs)
      if (treeSize !== keptSizes.get(workspace.id)) behind.set(workspace.id, workspace);
    const others = [...behind.values()].filter(({ id }) => !unkept.has(id) && !stopped.has(id));
    return [...(await findOwn()), ...others.slice(0, OTHERS_A_RUN)];
  }

  async function keepOf(workspaces: readonly Workspace[], signal: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    await inTurns(workspaces, LOGS_AT_ONCE, async (workspace) => {
      if (signal.aborted || stopped.has(workspace.id)) return;
      try {
        await keep(workspace);
      } catch (error) {
        // A log that is damaged keeps no other's head from being kept. One that was stopped has been told of.
        if (!stopped.has(workspace.id)) failures.push(error);
        if (behind.delete(workspace.id)) behind.set(workspace.id, workspace);
      }
    });
    if (failures.length > 0) throw failures[0];
  }

  return {
    async checkAll() {
      // A start waits for it, and each log for some replies of the place in which its head is.
      await inTurns(await deps.directory.list(), LOGS_CHECKED_AT_ONCE, ({ id }) =>
        check(id).catch((error: unknown) => {
          if (!stopped.has(id)) throw error;
        }),
      );
    },
    admit(workspaceId) {
      assertRunning(workspaceId);
      const waiting = unkept.get(workspaceId);
      if (waiting !== undefined && deps.monotonicMs() - waiting.sinceMs > GRACE_MS)
        throw unavailable('the head of the ledger cannot be kept outside the database; retry the same request');
      return checked.has(workspaceId) ? undefined : admitted(workspaceId);
    },
    async admitSigning(workspaceId) {
      assertRunning(workspaceId);
      if (!checked.has(workspaceId)) await admitted(workspaceId);
    },
    noteAppended(workspaceId) {
      appends += 1;
      unkept.set(workspaceId, { sinceMs: unkept.get(workspaceId)?.sinceMs ?? deps.monotonicMs(), newest: appends });
    },
    keep,
    async dispute(workspace, claim) {
      const { id: workspaceId, origin } = workspace;
      // The claim is kept first: a start, and every other process, has to hear of it as well.
      try {
        await deps.headStore.dispute({ ...claim, workspaceId, origin });
      } finally {
        const seen = claim.seenAt === undefined ? '' : ` (seen at ${claim.seenAt})`;
        const words = `the ledger of "${workspace.slug}" was rolled back: ${describeClaim(claim)}${seen}`;
        stop(workspaceId, new HeadError('log_disputed', words));
      }
    },
    isStopped: (workspaceId) => stopped.has(workspaceId),
    ticker: (logs) => ({
      name: 'keep-heads',
      intervalMs: INTERVAL_MS,
      atStop: true,
      run: async (signal) => keepOf(await (logs === 'all' ? findGrown() : findOwn()), signal),
    }),
    standing() {
      const nowMs = deps.monotonicMs();
      const unkeptMs = [...unkept.values()].reduce((oldest, { sinceMs }) => Math.max(oldest, nowMs - sinceMs), 0);
      return { stopped: stopped.size, unkeptMs, isOverdue: unkeptMs > GRACE_MS };
    },
  };
}

async function keepRedactions(
  { headStore, logs }: HeadDeps,
  workspaceId: string,
  from: number,
  to: number,
): Promise<void> {
  const isBegun = await headStore.hasRedactions(workspaceId);
  if (!isBegun) await headStore.keepRedactions(workspaceId, 0, []);
  for (let at = isBegun ? from : 0; at < to; at += LEAVES_A_READ) {
    const found = await logs.redactions(workspaceId, at, Math.min(at + LEAVES_A_READ, to));
    if (found.length === 0) continue;
    await headStore.keepRedactions(
      workspaceId,
      at,
      found.map((row) => ({
        recordId: row.record_id,
        eventId: row.id,
        payload: knownPayload.parse(parseJsonText(row.payload_json)),
      })),
    );
  }
}

/** What callers of the API are told; the place and its sentence are for those who run the service. */
function reasonOf({ code }: HeadError): string {
  return code === 'place_unavailable' || code === 'kept_unreadable'
    ? 'the head of the ledger outside the database cannot be read; retry the same request'
    : 'the ledger of this workspace is stopped; tell the operator';
}

function unavailable(detail: string, cause?: unknown): ServiceError {
  return new ServiceError('ledger_unavailable', detail, { remedy: 'retry', cause });
}
