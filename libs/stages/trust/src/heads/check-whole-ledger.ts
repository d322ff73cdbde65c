import { FINDINGS_LISTED_MAX } from '@answer-evidence/audit';
import { type LedgerCheckReport, type LedgerFinding, ServiceError } from '@answer-evidence/contracts';
import { HeadError, type HeadErrorCode, StoredDamageError, type Workspace } from '@answer-evidence/ports';
import { findOutsideFaults, type OutsideDeps, type OutsideFault } from './outside-faults.ts';

/** What a whole ledger is checked with. */
export type WholeLedgerDeps = OutsideDeps & {
  /** Re-derives everything that the database holds of a workspace. */
  readonly checkStored: (workspace: Workspace) => Promise<LedgerCheckReport>;
  /** Reads the objects of originals, after the rest; nothing where this process has no object store. */
  readonly checkOriginals?: (workspace: Workspace) => Promise<OriginalsFound | undefined>;
};

/** What was found of the originals of evidence. Those that were not read are not in `read`. */
type OriginalsFound = {
  readonly stored: number;
  readonly read: number;
  readonly findings: readonly LedgerFinding[];
  readonly findingsTotal: number;
};

/**
 * Re-derives a ledger, and adds everything that is held against it outside of its database. A head that is missing or
 * cannot be read is a fault as well: nothing was compared then. `say` words a fault for anyone who reads the report.
 */
export async function checkWholeLedger(
  deps: WholeLedgerDeps,
  workspace: Workspace,
  say: (fault: OutsideFault) => string,
): Promise<LedgerCheckReport> {
  const report = await deps.checkStored(workspace);
  const findings = (await readFaults(deps, workspace)).map((fault): LedgerFinding => ({
    check: 'outside_head',
    object: 'the head kept outside the database',
    leaf_index: null,
    detail: say(fault),
  }));
  const originals = await deps.checkOriginals?.(workspace);
  const total = findings.length + (originals?.findingsTotal ?? 0);
  const more = [...findings, ...(originals?.findings ?? [])].slice(0, FINDINGS_LISTED_MAX);
  return {
    ...report,
    outcome: total === 0 ? report.outcome : 'FAIL',
    findings_total: report.findings_total + total,
    findings: [...report.findings.slice(0, FINDINGS_LISTED_MAX - more.length), ...more],
    ...(originals !== undefined && { originals: { stored: originals.stored, read: originals.read } }),
  };
}

async function readFaults(deps: WholeLedgerDeps, workspace: Workspace): Promise<readonly OutsideFault[]> {
  const unread = (code: HeadErrorCode, reason: string, where = ''): readonly OutsideFault[] => [
    { code, detail: `nothing was compared with the head kept outside: ${reason}`, where },
  ];
  try {
    return await findOutsideFaults(deps, workspace, await deps.headStore.find(workspace.id));
  } catch (error) {
    if (error instanceof HeadError) return unread(error.code, 'it cannot be read', `: ${error.message}`);
    // The head, the keys, the workspace or a tile were altered in the database, which the report says as well.
    if (error instanceof StoredDamageError) return unread('row_refused', error.message);
    if (!(error instanceof ServiceError)) throw error;
    if (error.remedy !== 'stop-process' && !(error.cause instanceof StoredDamageError)) throw error;
    return unread('row_refused', error.message);
  }
}
