import { approvalDecidedCore, approvalRequestedCore } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import type { ApprovalStore, StoredApproval } from '@answer-evidence/ports';
import type { ApprovalRow } from '@answer-evidence/tables';
import type { FakeDatabase } from './fake-database.ts';
import { findPage, type OfWorkspace } from './fake-store.ts';

/** Reads requests for a second person in memory. */
export function approvalsOver(database: FakeDatabase): OfWorkspace<ApprovalStore> {
  const coreOf = (id: string) =>
    parseJsonText(database.rows.workspace_entries.find((row) => row.id === id)?.core_json ?? 'null');
  const stored = (row: ApprovalRow): StoredApproval => ({
    row,
    asked: approvalRequestedCore.parse(coreOf(row.id)),
    decided:
      row.decision_id === null
        ? undefined
        : { core: approvalDecidedCore.parse(coreOf(row.decision_id)), at: database.leafOf(row.decision_id).at },
  });
  const all = () => database.rows.approvals.toSorted((a, b) => b.requested_at - a.requested_at);
  return {
    list({ state, nowMicros }, { before = Infinity, ...page }) {
      const stateOf = (row: ApprovalRow) => {
        if (row.state === 'used') return 'approved';
        return row.state === 'open' && row.expires_at <= nowMicros ? 'expired' : row.state;
      };
      const matching = all().filter((row) => state === undefined || stateOf(row) === state);
      const found = findPage(matching, page, (row) => row.requested_at < before);
      return { ...found, items: found.items.map(stored) };
    },
    find(approvalId) {
      const row = all().find(({ id }) => id === approvalId);
      return row && stored(row);
    },
    overdue: (nowMicros, limit) =>
      all()
        .filter((row) => row.state === 'open' && row.expires_at <= nowMicros)
        .toSorted((a, b) => a.expires_at - b.expires_at)
        .slice(0, limit)
        .map(stored),
    approvers() {
      const { members, memberChanges: changes = [] } = database.known();
      return { members, changes };
    },
  };
}
