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
import { checkRanges, type RangeOptions } from './check-ranges.ts';
import { checkReconciliations } from './check-reconciliations.ts';
import { checkTiles } from './check-tiles.ts';
import { checkTokens } from './check-tokens.ts';
import { checkWorkspaceEntries, type WorkspaceStatements } from './check-workspace-entries.ts';
import { checkWorkspaceRow } from './check-workspace-row.ts';
import type { CheckedLog } from './checked-log.ts';
import { Findings } from './findings.ts';
import type { LedgerReader, LooseRowReader } from './ledger-reader.ts';
import { MemberSeries } from './member-series.ts';

/** How a check goes about its work. Left out: here, one range after another, from leaf 0, and nothing is known. */
export type CheckOptions = RangeOptions & {
  /**
   * A log that a check found no fault in, and which this one holds: its leaves are not read again, nor what hangs on
   * them unless a later leaf speaks of it, nor are rows looked for that hang on no leaf.
   */
  readonly since?: CheckedLog | undefined;
  /** Told how many leaves were walked, and then how many of them were gone through with their rows. */
  readonly onProgress?: (part: 'leaves' | 'rows', done: number) => void;
  /** Told of a log without a fault, for a later check to go on from. */
  readonly onSound?: (log: CheckedLog) => void;
};

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
  const { since } = options;
  const begin = since?.treeSize ?? 0;
  const walk = await checkLeaves(reader, findings, {
    since,
    sizeBefore: options.progress?.before?.treeSize,
    onWalked: (done) => options.onProgress?.('leaves', done),
  });
  await checkTiles(reader, walk.tree, findings);
  await checkHead(reader, walk, findings);
  await checkRanges(reader, walk, findings, { ...options, begin });
  await checkStatements(reader, walk, findings, begin);
  if (since === undefined) await checkOrphans(reader, findings);
  await checkWorkspaceRow(reader, walk, findings);
  await checkAttestations(reader, findings);
  if (findings.total === 0) options.onSound?.(walk.log);
  return {
    origin: reader.origin,
    tree_size: walk.tree.size,
    root_hash: formatHex(walk.tree.root()),
    entries_checked: walk.tree.size - begin,
    outcome: findings.total === 0 ? 'PASS' : 'FAIL',
    findings_total: findings.total,
    findings: findings.listed,
  };
}

/** What the entries of the workspace state, in the order of the log, against the tables that they speak of. */
async function checkStatements(reader: LedgerReader, walk: LogWalk, findings: Findings, begin: number): Promise<void> {
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
    for await (const rows of reader.workspaceRows(begin)) {
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
  await checkReconciliations(reader, reconciliations, begin, findings);
  await checkHolds(reader, holds, begin, findings);
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
