import type { MonitoredLog, TrustFile } from '@answer-evidence/contracts';
import { formatTimestamp, parseTimestamp } from '@answer-evidence/encoding';
import type { VerifySignature } from '@answer-evidence/note';
import { createTileTree, describePolicyChanges, type ReadTlog, type TileTree } from '@answer-evidence/verify';
import { CheckFailure } from '@answer-evidence/verify/verdict';
import type { Finding } from './finding.ts';
import { follow } from './follow.ts';
import { judgeCosignatures } from './judge-cosignatures.ts';
import { describeUnpinned, judgeKeys } from './judge-keys.ts';
import { belongsTo, judgeLeaf, missing, type ReadLeaf } from './kept-leaves.ts';
import type { LeafMemory } from './leaf-memory.ts';
import { readNewEntries } from './read-new-entries.ts';
import { readVerified, type SignedCheckpoint, verifySigned } from './signed-checkpoint.ts';

/** What a look at a log is made of. Times are microseconds since 1970. */
export type WatchOptions = {
  readonly source: string;
  /** Reads a resource of the log. What it throws ends the look: an unreachable host is not a finding. */
  readonly read: ReadTlog;
  readonly trust: TrustFile;
  readonly verify: VerifySignature;
  readonly now: number;
  /** How long the log may stay as it is; null when it may for ever. */
  readonly stall: number | null;
  /** How long a checkpoint may lack its quorum, and a kept receipt be newer than the checkpoint. */
  readonly grace: number;
  /** Leaves of this and of other logs. */
  readonly kept: readonly ReadLeaf[];
  /** Whether more entries may be read in this look. */
  readonly canGoOn: () => boolean;
  /** Makes what has been verified so far durable. */
  readonly keep: (log: MonitoredLog) => Promise<void>;
  /** The places of the leaves that were read. */
  readonly leaves: LeafMemory;
};

/** What a look at a log comes to. */
export type Watched = {
  /** What is verified now; undefined when nothing ever was. To be kept after the findings have been reported. */
  readonly log: MonitoredLog | undefined;
  readonly findings: readonly Finding[];
  /** What its reader should know and is not wrong. */
  readonly notices: readonly string[];
};

/** Looks at a log once. `known` is what an earlier look has verified. */
export async function watchLog(known: MonitoredLog | undefined, options: WatchOptions): Promise<Watched> {
  const stalled = known === undefined ? [] : findStall(known, options);
  const stay = (finding: Finding): Watched => ({ log: known, findings: [finding, ...stalled], notices: [] });

  const served = await options.read('checkpoint');
  if (served === undefined) {
    if (known !== undefined) return stay({ kind: 'rollback', detail: 'the log no longer shows a checkpoint' });
    return { log: undefined, findings: [], notices: ['the log has not published a checkpoint yet'] };
  }
  const shown = await verifySigned(decode(served), options.trust, options.verify);
  if ('kind' in shown) return stay(explain(shown, known, options.trust));
  const tiles = createTileTree(options.read, shown.checkpoint.size);
  try {
    const followed = await follow(options.source, known, shown, tiles, options.now);
    if (followed.kind === 'refused') {
      const lost = await findLostLeaves(shown, tiles, options);
      return { log: known, findings: [followed.finding, ...lost, ...stalled], notices: [] };
    }
    if (followed.kind === 'restarted') return { log: followed.log, findings: [followed.finding], notices: [] };
    await options.keep(followed.log);
    return await examine(followed.log, shown, tiles, options);
  } catch (error) {
    if (error instanceof CheckFailure) return stay({ kind: 'invalid_log', detail: error.message });
    throw error;
  }
}

/** Everything about a checkpoint that continues what was verified before. */
async function examine(
  followed: MonitoredLog,
  shown: SignedCheckpoint,
  tiles: TileTree,
  options: WatchOptions,
): Promise<Watched> {
  const findings: Finding[] = [];
  const notices: string[] = [];
  let log = followed;
  try {
    const policyChanges: number[] = [];
    log = await readNewEntries(log, shown.checkpoint, { ...options, tiles, policyChanges });
    if (policyChanges.length > 0) notices.push(describePolicyChanges(policyChanges));
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error;
    findings.push({ kind: 'invalid_log', detail: error.message });
  }
  if (log.entries.tree_size === shown.checkpoint.size) {
    const keys = judgeKeys(log, shown, options.trust);
    findings.push(...keys.findings);
    notices.push(...keys.notices);
  } else {
    notices.push(`${log.entries.tree_size} of ${shown.checkpoint.size} entries have been read`);
  }
  const cosigned = await examineCosignatures(log, shown, options);
  const leaves = await examineLeaves(cosigned.log, shown, tiles, options);
  findings.push(...cosigned.findings, ...leaves.findings, ...findStall(leaves.log, options));
  return { log: leaves.log, findings, notices: [...notices, ...cosigned.notices, ...leaves.notices] };
}

type Examined = Watched & { readonly log: MonitoredLog };

async function examineCosignatures(
  log: MonitoredLog,
  shown: SignedCheckpoint,
  { trust, verify, now, grace }: WatchOptions,
): Promise<Examined> {
  const { tree_size: read, last_at: at } = log.entries;
  const youngest = at === undefined ? undefined : { name: `leaf ${read - 1}`, at: parseTimestamp(at) };
  const judgement = await judgeCosignatures(shown, trust, verify, youngest);
  if (judgement.kind === 'none' || judgement.kind === 'reached')
    return { log: { ...log, uncosigned_since: null }, findings: [], notices: [] };
  const since = log.uncosigned_since ?? formatTimestamp(now);
  const kept = { ...log, uncosigned_since: since };
  if (judgement.kind === 'lacking' && now - parseTimestamp(since) < grace)
    return { log: kept, findings: [], notices: [`${judgement.detail} so far, which is not the quorum`] };
  const detail = judgement.kind === 'invalid' ? judgement.detail : `no quorum since ${since}: ${judgement.detail}`;
  return { log: kept, findings: [{ kind: 'missing_cosignature', detail }], notices: [] };
}

async function examineLeaves(
  log: MonitoredLog,
  shown: SignedCheckpoint,
  tiles: TileTree,
  options: WatchOptions,
): Promise<Examined> {
  const findings: Finding[] = [];
  const proven = new Set<string>();
  const newer: ReadLeaf[] = [];
  const isRead = log.entries.tree_size === shown.checkpoint.size;
  const world = { ...options, shown, tiles, epochs: isRead ? log.epochs : undefined };
  const before = new Set(log.proven);
  for (const leaf of leavesOf(shown, options)) {
    if (before.has(leaf.digest)) {
      // What is in a tree that this one extends is in this one.
      proven.add(leaf.digest);
      continue;
    }
    const judgement = await judgeLeaf(leaf, world);
    if (judgement.kind === 'proven') proven.add(leaf.digest);
    else if (judgement.kind === 'newer') newer.push(leaf);
    else if (judgement.kind === 'wrong') findings.push(...judgement.findings);
  }
  const awaited = planAwaited(log, newer, shown.checkpoint.size, options.now);
  const late = awaited !== null && options.now - parseTimestamp(awaited.since) >= options.grace;
  if (late) {
    findings.push(...newer.map((leaf) => missing(leaf, `${describeNewer(leaf, shown)} since ${awaited.since}`)));
  }
  const notices = newer.length > 0 && !late ? [`${newer.length} kept leaves are newer than the checkpoint`] : [];
  return { log: { ...log, awaited, proven: [...proven] }, findings, notices };
}

/** Kept leaves that a log lacks which has gone back or forked: there is nothing to wait for. */
async function findLostLeaves(
  shown: SignedCheckpoint,
  tiles: TileTree,
  options: WatchOptions,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const leaf of leavesOf(shown, options)) {
    const judgement = await judgeLeaf(leaf, { ...options, shown, tiles, epochs: undefined });
    if (judgement.kind === 'newer') findings.push(missing(leaf, describeNewer(leaf, shown)));
    if (judgement.kind === 'wrong') findings.push(...judgement.findings.filter(({ kind }) => kind === 'missing_entry'));
  }
  return findings;
}

function leavesOf({ checkpoint }: SignedCheckpoint, { kept, trust }: WatchOptions): readonly ReadLeaf[] {
  return kept.filter((leaf) => belongsTo(leaf, checkpoint.origin, trust));
}

function describeNewer({ given }: ReadLeaf, { checkpoint }: SignedCheckpoint): string {
  return `it is in a signed tree of ${given.size} leaves, but the log shows ${checkpoint.size}`;
}

/** The smallest tree that the log owes. It stays the same until the log shows it, whatever newer receipts are kept. */
function planAwaited(
  { awaited }: MonitoredLog,
  newer: readonly ReadLeaf[],
  size: number,
  now: number,
): MonitoredLog['awaited'] {
  if (newer.length === 0) return null;
  if (awaited !== null && awaited.tree_size > size) return awaited;
  return { tree_size: Math.min(...newer.map(({ given }) => given.size)), since: formatTimestamp(now) };
}

/** Whether a log has not been seen to grow for too long, for whatever reason. */
export function findStall(log: MonitoredLog, { now, stall }: Pick<WatchOptions, 'now' | 'stall'>): readonly Finding[] {
  if (stall === null || now - parseTimestamp(log.grown_at) < stall) return [];
  const detail = `the log has not grown since ${log.grown_at}; it has ${readVerified(log.checkpoint).size} leaves`;
  return [{ kind: 'stall', detail }];
}

/** A log that is refused for its key may have announced the change. */
function explain(finding: Finding, known: MonitoredLog | undefined, trust: TrustFile): Finding {
  if (finding.kind !== 'unknown_key' || known === undefined) return finding;
  const announced = describeUnpinned(known, trust, readVerified(known.checkpoint).origin);
  return announced === undefined ? finding : { ...finding, detail: `${finding.detail}; ${announced}` };
}

/** A text that is not UTF-8 is not a note, which says so. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
