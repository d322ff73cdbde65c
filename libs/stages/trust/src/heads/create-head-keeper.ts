import { ServiceError } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import {
  HeadError,
  type HeadErrorCode,
  headRefusal,
  type HeadServer,
  StoredDamageError,
  type WorkQuestion,
  type Workspace,
} from '@answer-evidence/ports';
import { inTurns } from '../in-turns.ts';
import { assertExtends, assertLogHolds, assertNothingLacks } from './assert-heads-hold.ts';
import type { HeadKeeper, HeadKeeperDeps } from './head-keeper.ts';
import { keepRedactionsOf } from './keep-redactions.ts';
import { describeClaim } from './kept-claims.ts';
import { assertExtendsSeen, describeStep, KnownHeads } from './known-heads.ts';
import { describeServer, isNamed, isSameServer, type ServerKnowledge } from './outside-faults.ts';
import { planStartChecks } from './plan-start-checks.ts';

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
/** How often heads are copied: each of them would be twice as many files to write. */
const COPY_EVERY_MS = 30_000;
/** Logs of other processes in one run: what this process appends must not wait for thousands of them. */
const OTHERS_PER_RUN = 256;
const LOGS_CHECKED_AT_ONCE = 8;

/** Since when a log has entries of this process above its kept head, and the number of the newest such append. */
type Unkept = { readonly sinceMs: number; readonly newest: number };

/**
 * Keeps the heads of logs outside of the database, and the redactions up to them, so that a restore of an older
 * database is seen. Nothing of it is on the path of an append but two look-ups: the head follows within a second, and
 * while it cannot, appends go on for a minute and then stop. Only receipts cover what was committed in the last second.
 *
 * A log is in one of six states:
 * - unchecked: nothing is appended or signed until a request, or the start, has held it against its kept head. That
 *   leads to kept, to stopped if it is disputed, and to the end of the process if the head is refused or missing.
 * - kept: the head outside covers all that this process has appended. An append leads to unkept.
 * - unkept: entries of this process are above the kept head, which the ticker moves on.
 * - overdue: unkept for longer than `GRACE_MS`. Appends are refused until the head is kept; signing goes on.
 * - damaged: stored hashes do not lead to its head. It is unchecked until they do.
 * - stopped: somebody outside holds a head that the log does not extend. Only another start leads out.
 * When the process is ending, every log is refused. What is known of logs is written down first, for the next start.
 */
export function createHeadKeeper(deps: HeadKeeperDeps): HeadKeeper {
  const checks = new Map<string, Promise<void>>();
  const checked = new Set<string>();
  /** Logs that a start has left for later, and nobody has used since. */
  const unchecked = new Set<string>();
  const stopped = new Map<string, HeadError>();
  const unkept = new Map<string, Unkept>();
  const keptSizes = new Map<string, number>();
  const known = new KnownHeads();
  let ending: Error | undefined;
  /** Counts the appends of this process, so that those which came while a head was being kept are told apart. */
  let appends = 0;
  /** Logs that were seen to be of another size than was kept, the first seen first. */
  const behind = new Map<string, Workspace>();
  /** Logs whose heads this process has kept since it copied them, and when it has looked at these last. */
  const uncopied = new Set<string>();
  let copiedAtMs = deps.monotonicMs();
  /** When the sizes of all logs were asked for last, and of those with a new entry. */
  let lookedAtAllMs: number | undefined;
  let lookedAtMicros = 0;

  function judge(workspaceId: string, error: unknown): void {
    // It is held against its head again before anything is appended to it, and refused as damaged until that succeeds.
    if (error instanceof StoredDamageError) checked.delete(workspaceId);
    if (!(error instanceof HeadError)) return;
    if (DAMAGED.has(error.code)) checked.delete(workspaceId);
    if (error.code === 'log_disputed') stop(workspaceId, error);
    else if (ENDS.has(error.code)) end(error);
  }

  function end(error: Error): void {
    if (ending !== undefined) return;
    ending = error;
    if (known.unkept(keptSizes).length === 0) return deps.onFatal(error);
    void Promise.race([known.writeDown(deps, keptSizes), deps.late()])
      .catch(() => undefined)
      .then(() => deps.onFatal(error));
  }

  function stop(workspaceId: string, error: HeadError): void {
    if (stopped.has(workspaceId)) return;
    stopped.set(workspaceId, error);
    deps.onStopped(error);
  }

  function assertRunning(workspaceId: string): void {
    if (ending !== undefined) throw unavailable('the process is ending; retry the same request', ending);
    const error = stopped.get(workspaceId);
    if (error !== undefined) throw headRefusal(error);
  }

  function serversAt(server: HeadServer): ServerKnowledge {
    return { ...deps.servers, server: () => Promise.resolve(server) };
  }

  function assertSigning(workspaceId: string): void {
    assertRunning(workspaceId);
    // It may be promoted any moment, and then holds a tree that nobody has held against anything.
    if (deps.servers.isOnStandby()) throw unavailable('the database is a standby; retry the same request');
  }

  /** Once for each log, until it has succeeded. */
  function check(workspaceId: string, server?: HeadServer): Promise<void> {
    const running = checks.get(workspaceId) ?? checkNow(workspaceId, server).finally(() => checks.delete(workspaceId));
    checks.set(workspaceId, running);
    return running;
  }

  async function checkNow(workspaceId: string, known?: HeadServer): Promise<void> {
    try {
      const workspace = await deps.directory.get(workspaceId);
      const server = known ?? (await deps.servers.server());
      const kept = await assertLogHolds({ ...deps, servers: serversAt(server) }, workspace);
      if (kept !== undefined) keptSizes.set(workspaceId, Math.max(kept.treeSize, keptSizes.get(workspaceId) ?? 0));
      // Before anything is signed here: of what follows, the next start has to know on which server it was.
      if (kept !== undefined && !isNamed(kept, server)) {
        await keep(workspace);
        if (!isSameServer(kept, server))
          deps.onMoved?.(
            `the ledger of "${workspace.slug}" goes on on another server, ${describeServer(server)}, which lacks nothing that was signed, as SERVICE_DATABASE_FAILOVER says`,
          );
      }
    } catch (error) {
      if (error instanceof HeadError && error.code === 'log_disputed') stop(workspaceId, error);
      throw error;
    }
    checked.add(workspaceId);
    unchecked.delete(workspaceId);
  }

  /** Checks some of those that wait, as a request would. */
  async function checkOthers(signal: Pick<AbortSignal, 'aborted'>): Promise<void> {
    const failures: unknown[] = [];
    await inTurns([...unchecked].slice(0, OTHERS_PER_RUN), LOGS_CHECKED_AT_ONCE, async (id) => {
      if (signal.aborted) return;
      unchecked.delete(id);
      await admitted(id).catch((error: unknown) => {
        // What is wrong with a log is said once, and again to anyone who uses it.
        if (error instanceof ServiceError && error.code === 'ledger_unavailable' && !stopped.has(id)) unchecked.add(id);
        failures.push(error);
      });
    });
    if (failures.length > 0) throw failures[0];
  }

  function admitted(workspaceId: string): Promise<void> {
    return check(workspaceId).catch((error: unknown) => {
      judge(workspaceId, error);
      throw error instanceof HeadError ? headRefusal(error) : error;
    });
  }

  /** Moves the kept head forward, and only forward on the same history. */
  async function keep(workspace: Workspace): Promise<void> {
    const { id: workspaceId, origin } = workspace;
    const startedMs = deps.monotonicMs();
    const covered = appends;
    // Looked at before what is read, which on a standby may lag behind what this process has seen.
    const server = await deps.servers.server();
    const seen = known.find(workspaceId);
    try {
      const before = await deps.headStore.find(workspaceId);
      const snapshot = await deps.logs.snapshot(workspaceId);
      const { head, root } = snapshot;
      await assertExtends(workspace, before, snapshot, deps.headStore.place);
      await assertExtendsSeen(workspace, seen, snapshot);
      await assertNothingLacks(workspace, before, serversAt(server));
      // First, so that below a kept head no redaction is missing.
      await keepRedactionsOf(deps, workspaceId, before?.treeSize ?? 0, head.tree_size);
      await deps.headStore.keep({
        workspaceId,
        origin,
        treeSize: head.tree_size,
        rootHash: formatHex(root),
        ...server,
      });
      keptSizes.set(workspaceId, head.tree_size);
    } catch (error) {
      judge(workspaceId, error);
      throw error;
    }
    checked.add(workspaceId);
    uncopied.add(workspaceId);
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

  /** What to ask before logs of others are kept; undefined while it is known that there is something to do. */
  function questionsAfterGrown(): readonly WorkQuestion[] | undefined {
    return unkept.size > 0 || behind.size > 0 || isTimeForAll()
      ? undefined
      : [{ kind: 'grown', micros: lookedAtMicros - LATE_MICROS_MAX }];
  }

  function isTimeForAll(): boolean {
    return lookedAtAllMs === undefined || deps.monotonicMs() - lookedAtAllMs >= ALL_EVERY_MS;
  }

  /** Those, and logs of another size than was kept, by whichever process. One question about all of them. */
  async function findGrown(): Promise<readonly Workspace[]> {
    const nowMs = deps.monotonicMs();
    const isAll = isTimeForAll();
    const nowMicros = deps.clock.nowMicros();
    const logs = await deps.work.grownLogs(isAll ? 0 : lookedAtMicros - LATE_MICROS_MAX);
    if (isAll) lookedAtAllMs = nowMs;
    lookedAtMicros = nowMicros;
    for (const { workspace, treeSize } of logs)
      if (treeSize !== keptSizes.get(workspace.id)) behind.set(workspace.id, workspace);
    const others = [...behind.values()].filter(({ id }) => !unkept.has(id) && !stopped.has(id));
    return [...(await findOwn()), ...others.slice(0, OTHERS_PER_RUN)];
  }

  async function keepOf(workspaces: readonly Workspace[], signal: Pick<AbortSignal, 'aborted'>): Promise<void> {
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

  /** Copies the heads that were kept since the last time; what cannot be copied now is copied with the next ones. */
  async function copyHeads(): Promise<void> {
    const ids = [...uncopied];
    uncopied.clear();
    copiedAtMs = deps.monotonicMs();
    await inTurns(ids, LOGS_AT_ONCE, (id) => deps.headStore.copyNewest(id).catch(() => void uncopied.add(id)));
  }

  return {
    async checkAtStart() {
      // A start waits for it, and each log for some replies of the place in which its head is.
      const server = await deps.servers.server();
      const { now, later } = await planStartChecks(deps, server);
      await inTurns(now, LOGS_CHECKED_AT_ONCE, ({ id }) =>
        check(id, server).catch((error: unknown) => {
          if (!stopped.has(id)) throw error;
        }),
      );
      for (const [id, treeSize] of later) {
        keptSizes.set(id, treeSize);
        unchecked.add(id);
      }
    },
    admit(workspaceId) {
      assertRunning(workspaceId);
      const waiting = unkept.get(workspaceId);
      if (waiting !== undefined && deps.monotonicMs() - waiting.sinceMs > GRACE_MS)
        throw unavailable('the head of the ledger cannot be kept outside the database; retry the same request');
      return checked.has(workspaceId) ? undefined : admitted(workspaceId);
    },
    async admitSigning(workspaceId) {
      assertSigning(workspaceId);
      if (!checked.has(workspaceId)) await admitted(workspaceId);
    },
    assertSigning,
    async see(workspaceId, read) {
      // Before the read: others may see a newer tree meanwhile.
      const before = known.find(workspaceId);
      const snapshot = await read();
      // For what was not held against its head, or lags behind what was committed, this process does not vouch.
      if (!checked.has(workspaceId) || deps.servers.isOnStandby()) return snapshot;
      const seen = { treeSize: snapshot.head.tree_size, root: snapshot.root };
      const fault = describeStep(before, seen);
      if (fault !== undefined) {
        const error = new HeadError('log_refused', `the ledger ${workspaceId} ${fault}`);
        end(error);
        throw headRefusal(error);
      }
      known.note(workspaceId, seen);
      return snapshot;
    },
    end,
    async keepLast() {
      const ids = new Set([...unkept.keys(), ...known.unkept(keptSizes)]);
      try {
        await keepOf(await Promise.all([...ids].map((id) => deps.directory.get(id))), { aborted: false });
      } finally {
        await known.writeDown(deps, keptSizes);
      }
      await copyHeads();
    },
    async assertFollows(workspace, logs, server) {
      const seen = known.find(workspace.id);
      const kept = await assertLogHolds({ logs, headStore: deps.headStore }, workspace).catch((error: unknown) => {
        judge(workspace.id, error);
        throw error;
      });
      // Whatever this process has seen was under the name before. Only a start learns the new one.
      if (checked.has(workspace.id) && (await deps.directory.get(workspace.id)).origin !== workspace.origin)
        throw new HeadError(
          'server_changed',
          `the ledger of "${workspace.slug}" goes on as ${workspace.origin} on ${describeServer(server)}`,
        );
      await assertExtendsSeen(workspace, seen, await logs.snapshot(workspace.id));
      await assertNothingLacks(workspace, kept, serversAt(server));
    },
    noteAppended(workspaceId, head) {
      if (head !== undefined) known.note(workspaceId, head);
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
      work: () => (logs === 'all' ? questionsAfterGrown() : undefined),
      async run(signal) {
        await keepOf(await (logs === 'all' ? findGrown() : findOwn()), signal);
        if (deps.monotonicMs() - copiedAtMs >= COPY_EVERY_MS) await copyHeads();
      },
    }),
    restTicker: () => ({
      name: 'check-logs',
      intervalMs: INTERVAL_MS,
      // Until the others are checked there is something to do, and never after that.
      work: () => (unchecked.size > 0 ? undefined : []),
      run: checkOthers,
    }),
    standing() {
      const nowMs = deps.monotonicMs();
      const unkeptMs = [...unkept.values()].reduce((oldest, { sinceMs }) => Math.max(oldest, nowMs - sinceMs), 0);
      return { stopped: stopped.size, unkeptMs, isOverdue: unkeptMs > GRACE_MS };
    },
  };
}

/** What is wrong with the files of a head, and not with its log. */
const DAMAGED: ReadonlySet<HeadErrorCode> = new Set(['kept_unreadable', 'kept_gone']);

/** What ends a process that meets it, once it has written down what it knows. */
const ENDS: ReadonlySet<HeadErrorCode> = new Set(['log_refused', 'head_missing', 'server_changed']);

function unavailable(detail: string, cause?: unknown): ServiceError {
  return new ServiceError('ledger_unavailable', detail, { remedy: 'retry', cause });
}
