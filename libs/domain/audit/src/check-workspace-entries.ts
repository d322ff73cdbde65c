import { hashCoreText } from '@answer-evidence/commitments';
import {
  type ApprovalDecidedCore,
  approvalDecidedCore,
  type ApprovalRequestedCore,
  approvalRequestedCore,
  epochCore,
  type ExportCore,
  exportCore,
  genesisCore,
  hashKeyCore,
  holdPlacedCore,
  holdReleasedCore,
  ledgerKeyCore,
  memberCore,
  notificationTargetCore,
  packExportCore,
  proofLinkCore,
  proofLinkUseCore,
  readingCore,
  reconciliationCore,
  revealCore,
  searchOpenedCore,
  settingsCore,
  streamCore,
  sweepConfirmedCore,
  type TokenIssuedCore,
  tokenIssuedCore,
  type TokenRevokedCore,
  tokenRevokedCore,
  trustPolicyCore,
} from '@answer-evidence/contracts';
import { canonicalize, formatHex, parseJsonText } from '@answer-evidence/encoding';
import type { LeafRow, WorkspaceEntryRow } from '@answer-evidence/tables';
import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';
import type { CheckedHold } from './check-holds.ts';
import type { CompletedRuns } from './check-reconciliations.ts';
import { ENTRY_KINDS } from './entry-kinds.ts';
import type { Findings } from './findings.ts';
import type { WorkspaceRows } from './ledger-reader.ts';
import type { MemberSeries } from './member-series.ts';

/** A name of the log. */
type LogName = { readonly logId: string; readonly origin: string; readonly vkey: string };

/** What entries of the workspace say about rows of other tables. */
export type WorkspaceStatements = {
  readonly issued: { readonly core: TokenIssuedCore; readonly leaf: LeafRow }[];
  readonly revoked: { readonly core: TokenRevokedCore; readonly leaf: LeafRow }[];
  /** The names of the log, from its genesis on; the last is in force. */
  readonly log: LogName[];
  /** Fingerprints of hash keys by their ids. */
  readonly hashKeys: Map<string, { readonly fingerprint: string; readonly leafIndex: number }>;
  /** Leaves of the keys that were added to the log, by vkey. */
  readonly ledgerKeys: Map<string, number>;
  readonly members: MemberSeries;
  /** Holds by their ids. */
  readonly holds: Map<string, CheckedHold>;
  readonly reconciliations: CompletedRuns;
  /** Requests for a second person that have not ended, by their ids. */
  readonly openApprovals: Map<string, ApprovalRequestedCore>;
  /** Exports that were approved and have not been made, by the ids of their requests. */
  readonly approvedExports: Map<string, ApprovalRequestedCore>;
  /** Roots of the trees that epochs were opened on, by the leaf index of the entry. */
  readonly epochRoots: ReadonlyMap<number, string>;
};

/** The stored core of every workspace entry of a run against its leaf, and what they state, added to `statements`. */
export async function checkWorkspaceEntries(
  rows: WorkspaceRows,
  statements: WorkspaceStatements,
  findings: Findings,
): Promise<void> {
  const stored = new Map(rows.workspaceEntries.map((row) => [row.id, row]));
  for (const leaf of rows.leaves) {
    const kind = ENTRY_KINDS[leaf.type];
    if (kind !== 'workspace' && kind !== 'genesis' && kind !== 'epoch') continue;
    const row = stored.get(leaf.id);
    stored.delete(leaf.id);
    await findings.guard(placeOf(leaf.id, leaf.leaf_index), () => checkEntry(row, leaf, statements));
  }
  for (const id of stored.keys()) findings.add(placeOf(id, null), 'its leaf has another type');
}

function checkEntry(row: WorkspaceEntryRow | undefined, leaf: LeafRow, statements: WorkspaceStatements): void {
  if (row === undefined) throw new CheckFailure('its row is missing');
  assertSame('its type', leaf.type, row.type);
  assertSame('its seq', leaf.seq, row.seq);
  assertSame('its hash', formatHex(leaf.hash), formatHex(hashCoreText(row.type, row.core_json)));
  const core = parseJsonText(row.core_json);
  const read = <Core extends { readonly id: string }>(schema: { parse(core: unknown): Core }): Core => {
    const parsed = schema.parse(core);
    assertSame('the id in its core', row.id, parsed.id);
    return parsed;
  };
  switch (row.type) {
    case 'genesis': {
      const genesis = read(genesisCore);
      statements.log.push({ logId: genesis.id, origin: genesis.origin, vkey: genesis.vkey });
      return;
    }
    case 'epoch_opened': {
      const epoch = epochCore.parse(core);
      const before = statements.log.at(-1);
      statements.log.push({ logId: epoch.id, origin: epoch.origin, vkey: epoch.vkey });
      assertSame('the id in its core', row.id, epoch.id);
      assertSame('its number', statements.log.length - 1, leaf.seq);
      assertSame('the log that it continues', before?.logId ?? 'none', epoch.continued.log_id);
      assertSame('the origin that it continues', before?.origin ?? 'none', epoch.continued.origin);
      assertSame('the key of the log that it continues', before?.vkey ?? 'none', epoch.continued.vkey);
      assertSame('the size of the tree that it continues', leaf.leaf_index, epoch.continued.tree_size);
      assertSame(
        'the root of the tree that it continues',
        statements.epochRoots.get(leaf.leaf_index) ?? 'none',
        epoch.continued.root_hash,
      );
      return;
    }
    case 'settings_changed':
      return assertSame('the version in its core', row.seq, read(settingsCore).version);
    case 'hash_key_changed': {
      const key = read(hashKeyCore);
      if (statements.hashKeys.has(key.hash_key_id)) throw new CheckFailure('it creates a hash key that already exists');
      statements.hashKeys.set(key.hash_key_id, { fingerprint: key.fingerprint, leafIndex: leaf.leaf_index });
      return;
    }
    case 'token_issued':
      statements.issued.push({ core: read(tokenIssuedCore), leaf });
      return;
    case 'token_revoked':
      statements.revoked.push({ core: read(tokenRevokedCore), leaf });
      return;
    case 'ledger_key_changed': {
      const key = read(ledgerKeyCore);
      if (key.change === 'added') statements.ledgerKeys.set(key.vkey, leaf.leaf_index);
      return;
    }
    case 'trust_policy_changed':
      return assertSame('the version in its core', row.seq, read(trustPolicyCore).version);
    case 'stream_changed':
      return assertSame('the version in its core', row.seq, read(streamCore).version);
    case 'notification_target_changed':
      return assertSame('the version in its core', row.seq, read(notificationTargetCore).version);
    case 'member_changed':
      return statements.members.add(read(memberCore), leaf);
    case 'reconciliation_completed': {
      const run = read(reconciliationCore);
      if (statements.reconciliations.has(run.run_id)) throw new CheckFailure('it completes a run a second time');
      statements.reconciliations.set(run.run_id, { core: run, leafIndex: leaf.leaf_index });
      return;
    }
    case 'sweep_confirmed':
      read(sweepConfirmedCore);
      return;
    case 'export_made':
      // An evidence pack is an export too; of any other format, the first schema says what is wrong.
      return checkExport(packExportCore.safeParse(core).success ? read(packExportCore) : read(exportCore), statements);
    case 'texts_revealed':
      // Of any other form, the first schema says what is wrong.
      if (readingCore.safeParse(core).success) read(readingCore);
      else read(revealCore);
      return;
    case 'proof_link_made':
      read(proofLinkCore);
      return;
    case 'proof_link_opened':
    case 'proof_link_revoked':
      read(proofLinkUseCore);
      return;
    case 'hold_placed': {
      const hold = read(holdPlacedCore);
      statements.holds.set(hold.id, { core: hold, from: leaf.leaf_index, until: Infinity });
      return assertSame('the version in its core', row.seq, hold.version);
    }
    case 'hold_released': {
      const release = read(holdReleasedCore);
      const hold = statements.holds.get(release.hold_id);
      const state = hold === undefined ? 'none' : hold.until === Infinity ? 'in_force' : 'released';
      assertSame('the hold that it releases', 'in_force', state);
      if (hold !== undefined) hold.until = leaf.leaf_index;
      return assertSame('the version in its core', row.seq, release.version);
    }
    case 'search_opened':
      read(searchOpenedCore);
      return;
    case 'approval_requested': {
      const asked = read(approvalRequestedCore);
      statements.openApprovals.set(asked.id, asked);
      return;
    }
    case 'approval_decided':
      return checkDecision(read(approvalDecidedCore), statements);
    default:
      // Of a type that this version does not make: its hash, compared above, is all that can be.
      return;
  }
}

function checkExport(
  { approval_id: id, records, actor }: Pick<ExportCore, 'approval_id' | 'records' | 'actor'>,
  { approvedExports }: WorkspaceStatements,
): void {
  if (id === undefined) return;
  const asked = approvedExports.get(id);
  if (asked === undefined) throw new CheckFailure('it names an approval that is for no export, or was used before');
  approvedExports.delete(id);
  assertSame('who asked for the export', asked.actor.id, actor.id);
  assertSame('the number of records', asked.records ?? -1, records);
}

function checkDecision(decided: ApprovalDecidedCore, { openApprovals, approvedExports }: WorkspaceStatements): void {
  const { approval_id: id, act, decision, requested_by: requester, actor } = decided;
  const isSame = requester.kind === actor.kind && requester.id === actor.id;
  if (id === null) {
    if (decision !== 'alone' || !isSame) throw new CheckFailure('it decides about no request');
    return;
  }
  const asked = openApprovals.get(id);
  if (asked === undefined) throw new CheckFailure('it ends a request that is not open');
  openApprovals.delete(id);
  assertSame('the act that was asked for', asked.act, act);
  assertSame('who asked', canonicalize(asked.actor), canonicalize(requester));
  if (decision === 'approved' && isSame) throw new CheckFailure('who asked approved it');
  if (decision === 'approved' && act === 'export') approvedExports.set(id, asked);
}

function placeOf(id: string, leafIndex: number | null) {
  return { check: 'workspace_entry', object: `entry ${id}`, leafIndex };
}
