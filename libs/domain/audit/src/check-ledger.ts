import type { LedgerCheckReport } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import { assertSame } from '@answer-evidence/verify/verdict';
import { checkAttestations } from './check-attestations.ts';
import { checkEvidence } from './check-evidence.ts';
import { checkHashKeys } from './check-hash-keys.ts';
import { checkHead } from './check-head.ts';
import { checkIdempotency } from './check-idempotency.ts';
import { checkLeaves, type LogWalk } from './check-leaves.ts';
import { checkLedgerKeys } from './check-ledger-keys.ts';
import { checkMembers } from './check-members.ts';
import { checkReconciliations } from './check-reconciliations.ts';
import { checkRecords } from './check-records.ts';
import { checkTiles } from './check-tiles.ts';
import { checkTokens } from './check-tokens.ts';
import { checkWorkspaceEntries, type WorkspaceStatements } from './check-workspace-entries.ts';
import { checkWorkspaceRow } from './check-workspace-row.ts';
import { NO_EVIDENCE } from './evidence-rows.ts';
import { Findings } from './findings.ts';
import type { LeafRange, LedgerReader, LooseRowReader } from './ledger-reader.ts';
import { MemberSeries } from './member-series.ts';

/**
 * Re-derives a whole ledger from what is stored and reports whatever differs. First all leaves in one walk, with
 * commits, tiles and head; then, run by run, the rows that hang on the leaves; last the rows that hang on none. Memory
 * does not grow with the log but for 32 bytes in 256 leaves, the versions of the settings, the hash keys, the members
 * and the cores of runs. It calls `turn` before each piece of work, and goes on when that resolves.
 */
export async function checkLedger(reader: LedgerReader, turn: () => Promise<void>): Promise<LedgerCheckReport> {
  const findings = new Findings(turn);
  const walk = await checkLeaves(reader, findings);
  await checkTiles(reader, walk.tree, findings);
  await checkHead(reader, walk, findings);
  await checkLeafRanges(reader, walk, findings);
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

async function checkLeafRanges(reader: LedgerReader, walk: LogWalk, findings: Findings): Promise<void> {
  const hashKeys: WorkspaceStatements['hashKeys'] = new Map();
  const ledgerKeys: WorkspaceStatements['ledgerKeys'] = new Map();
  const members = new MemberSeries();
  const reconciliations: WorkspaceStatements['reconciliations'] = new Map();
  const log: WorkspaceStatements['log'] = [];
  const { epochRoots } = walk;
  let checkedUntil = Number.MIN_SAFE_INTEGER;
  const checkRange = async ({ from, to }: LeafRange): Promise<void> => {
    const place = { check: 'leaf', object: `the rows of leaves ${from} to ${to - 1}`, leafIndex: from };
    const rows = await findings.guard(place, () => reader.rowsOf(from, to));
    if (rows === undefined) return;
    const statements: WorkspaceStatements = {
      issued: [],
      revoked: [],
      log,
      hashKeys,
      ledgerKeys,
      members,
      reconciliations,
      epochRoots,
    };
    await checkRecords(rows, walk.settings, reader, findings);
    const evidence = (await findings.guard(place, () => reader.evidenceOf(from, to))) ?? NO_EVIDENCE;
    await checkEvidence(rows, evidence, walk.settings, reader, findings);
    await checkIdempotency(rows, evidence, reader, findings);
    await checkWorkspaceEntries(rows, statements, findings);
    const until = (rows.leaves.at(-1)?.at ?? checkedUntil - 1) + 1;
    await checkTokens(reader, statements, checkedUntil, until, findings);
    checkedUntil = until;
  };
  await findings.guard({ check: 'leaf', object: 'the rows of leaves', leafIndex: null }, async () => {
    for await (const range of reader.ranges()) await checkRange(range);
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
