import { approvalDecidedCore, approvalRequestedCore } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import type { ApprovalStore, StoredApproval } from '@answer-evidence/ports';
import type { ApprovalRow } from '@answer-evidence/tables';
import type { FakeDatabase } from './fake-database.ts';

/** Reads requests for a second person in memory. */
export function createFakeApprovalStore(database: FakeDatabase, workspaceId: string): ApprovalStore {
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
  const all = (asked: string) =>
    asked === workspaceId ? database.rows.approvals.toSorted((a, b) => b.requested_at - a.requested_at) : [];
  return {
    list(asked, { state, nowMicros }, { before = Infinity, offset, limit }) {
      const stateOf = (row: ApprovalRow) => {
        if (row.state === 'used') return 'approved';
        return row.state === 'open' && row.expires_at <= nowMicros ? 'expired' : row.state;
      };
      const matching = all(asked).filter((row) => state === undefined || stateOf(row) === state);
      const below = matching.filter((row) => row.requested_at < before);
      return Promise.resolve({
        items: below.slice(offset, offset + limit).map(stored),
        total: matching.length,
        totalIsExact: true,
      });
    },
    find(asked, approvalId) {
      const row = all(asked).find(({ id }) => id === approvalId);
      return Promise.resolve(row && stored(row));
    },
    overdue: (asked, nowMicros, limit) =>
      Promise.resolve(
        all(asked)
          .filter((row) => row.state === 'open' && row.expires_at <= nowMicros)
          .toSorted((a, b) => a.expires_at - b.expires_at)
          .slice(0, limit)
          .map(stored),
      ),
    approvers() {
      const { members, memberChanges: changes = [] } = database.known();
      return Promise.resolve({ members, changes });
    },
  };
}
