import type { LedgerCheckReport } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import { assertSame } from '@answer-evidence/verify/verdict';
import { checkAttestations } from './check-attestations.ts';
import { checkHashKeys } from './check-hash-keys.ts';
import { checkHead } from './check-head.ts';
import { checkHolds } from './check-holds.ts';
import { checkLeaves, type LogWalk } from './check-leaves.ts';
import { checkLedgerKeys } from './check-ledger-keys.ts';
import { checkMembers } from './check-members.ts';
import { type CheckedRange, checkRange } from './check-range.ts';
import { checkReconciliations } from './check-reconciliations.ts';
import { checkTiles } from './check-tiles.ts';
import { checkTokens } from './check-tokens.ts';
import { checkWorkspaceEntries, type WorkspaceStatements } from './check-workspace-entries.ts';
import { checkWorkspaceRow } from './check-workspace-row.ts';
import { Findings } from './findings.ts';
import { inOrder } from './in-order.ts';
import type { LeafRange, LedgerReader, LooseRowReader } from './ledger-reader.ts';
import { MemberSeries } from './member-series.ts';
import type { SettingsChange } from './settings-series.ts';

/** How a check goes about ranges. Left out: they are checked here, one after another, and nothing is known of them. */
export type CheckOptions = {
  /** Checks ranges elsewhere, several at once; as `checkRange` does. */
  readonly ranges?: {
    readonly atOnce: number;
    readonly check: (range: LeafRange, settings: readonly SettingsChange[]) => Promise<CheckedRange>;
  };
  /** What an earlier check, which was interrupted, has found in ranges of the same log. */
  readonly progress?: CheckProgress;
  /** Told how many leaves were walked, and then how many of them were gone through with their rows. */
  readonly onProgress?: (part: 'leaves' | 'rows', done: number) => void;
};

/** Keeps what was found in ranges, so that a check that was interrupted goes on where it ended. */
export interface CheckProgress {
  /** The log as the last check saw it. Undefined if there was none. */
  readonly before: LogSeen | undefined;
  /** Begins, with the log as it is now. Unless it `isSame`, so holds the one that was seen before, all is forgotten. */
  begin(log: LogSeen, isSame: boolean): Promise<void>;
  /** What was found in a range, and the size of the log then. */
  find(range: LeafRange): { readonly checked: CheckedRange; readonly treeSize: number } | undefined;
  keep(checked: CheckedRange): Promise<void>;
}

/** A log by its size and root. */
type LogSeen = { readonly treeSize: number; readonly rootHash: string };

/**
 * Re-derives a whole ledger from what is stored and reports whatever differs. First all leaves in one walk, with
 * commits, tiles and head; then, range by range, the rows that hang on the leaves; last the rows that hang on none. The
 * report is the same however many ranges are checked at once. Memory does not grow with the log but for 32 bytes in 256
 * leaves, the versions of the settings, the hash keys, the members and the cores of runs. It calls `turn` before each
 * piece of work, and goes on when that resolves.
 */
export async function checkLedger(
  reader: LedgerReader,
  turn: () => Promise<void>,
  options: CheckOptions = {},
): Promise<LedgerCheckReport> {
  const findings = new Findings(turn);
  const walk = await checkLeaves(reader, findings, {
    sizeBefore: options.progress?.before?.treeSize,
    onWalked: (done) => options.onProgress?.('leaves', done),
  });
  await checkTiles(reader, walk.tree, findings);
  await checkHead(reader, walk, findings);
  await checkRanges(reader, walk, findings, options);
  await checkStatements(reader, walk, findings);
  await checkOrphans(reader, findings);
  await checkWorkspaceRow(reader, walk, findings);
  await checkAttestations(reader, findings);
  return {
    origin: reader.origin,
    tree_size: walk.tree.size,
    root_hash: formatHex(walk.tree.root()),
    entries_checked: walk.tree.size,
    outcome: findings.total === 0 ? 'PASS' : 'FAIL',
    findings_total: findings.total,
    findings: findings.listed,
  };
}

/** What hangs on the leaves and can be checked range by range. */
async function checkRanges(
  reader: LedgerReader,
  { tree, settings, rootBefore }: LogWalk,
  findings: Findings,
  { ranges, progress, onProgress }: CheckOptions,
): Promise<void> {
  const check = ranges?.check ?? ((range, changes) => checkRange(range, changes, reader, findings.turn));
  const isSame = rootBefore !== undefined && rootBefore === progress?.before?.rootHash;
  await progress?.begin({ treeSize: tree.size, rootHash: formatHex(tree.root()) }, isSame);
  const checkOrKnow = async (range: LeafRange): Promise<CheckedRange> => {
    const known = progress?.find(range);
    // A new event or expiry changes what has to be stored of an old record.
    if (known !== undefined && !(await reader.isAboutRange(range, known.treeSize))) return known.checked;
    const checked = await check(range, settings.changes);
    await progress?.keep(checked);
    return checked;
  };
  await findings.guard({ check: 'leaf', object: 'the rows of leaves', leafIndex: null }, async () => {
    for await (const checked of inOrder(reader.ranges(), ranges?.atOnce ?? 1, checkOrKnow)) {
      findings.take(checked);
      onProgress?.('rows', checked.to);
    }
  });
}

/** What the entries of the workspace state, in the order of the log, against the tables that they speak of. */
async function checkStatements(reader: LedgerReader, walk: LogWalk, findings: Findings): Promise<void> {
  const hashKeys: WorkspaceStatements['hashKeys'] = new Map();
  const ledgerKeys: WorkspaceStatements['ledgerKeys'] = new Map();
  const members = new MemberSeries();
  const reconciliations: WorkspaceStatements['reconciliations'] = new Map();
  const openApprovals: WorkspaceStatements['openApprovals'] = new Map();
  const approvedExports: WorkspaceStatements['approvedExports'] = new Map();
  const log: WorkspaceStatements['log'] = [];
  const holds: WorkspaceStatements['holds'] = new Map();
  const { epochRoots } = walk;
  let checkedUntil = Number.MIN_SAFE_INTEGER;
  const place = { check: 'leaf', object: 'the entries of the workspace', leafIndex: null };
  await findings.guard(place, async () => {
    for await (const rows of reader.workspaceRows()) {
      const statements: WorkspaceStatements = {
        issued: [],
        revoked: [],
        log,
        hashKeys,
        ledgerKeys,
        members,
        holds,
        reconciliations,
        openApprovals,
        approvedExports,
        epochRoots,
      };
      await checkWorkspaceEntries(rows, statements, findings);
      const until = (rows.leaves.at(-1)?.at ?? checkedUntil - 1) + 1;
      await checkTokens(reader, statements, checkedUntil, until, findings);
      checkedUntil = until;
    }
  });
  await checkTokens(reader, { issued: [], revoked: [] }, checkedUntil, Number.MAX_SAFE_INTEGER, findings);
  await findings.guard({ check: 'log_name', object: 'the name of the log', leafIndex: null }, () => {
    const { logId, origin, vkey } = log.at(-1) ?? { logId: 'none', origin: 'none', vkey: 'none' };
    assertSame('the id of the log', logId, reader.logId);
    assertSame('the origin of the log', origin, reader.origin);
    assertSame('the key of the log', vkey, reader.vkey);
  });
  await checkHashKeys(reader, hashKeys, findings);
  await checkLedgerKeys(reader, ledgerKeys, findings);
  await checkMembers(reader, members, findings);
  await checkReconciliations(reader, reconciliations, findings);
  await checkHolds(reader, holds, findings);
}

async function checkOrphans(reader: LooseRowReader, findings: Findings): Promise<void> {
  await findings.guard({ check: 'orphan', object: 'orphans', leafIndex: null }, async () => {
    for await (const batch of reader.orphans()) {
      for (const { kind, id } of batch) {
        const object = `${kind.replace('_', ' ')} ${id}`;
        findings.add({ check: 'orphan', object, leafIndex: null }, 'it belongs to no leaf of the log');
      }
    }
  });
}
