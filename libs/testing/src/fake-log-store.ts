import { ServiceError } from '@answer-evidence/contracts';
import { formatHead } from '@answer-evidence/ledger';
import { frontierRoot } from '@answer-evidence/merkle';
import { createTreeSigner, type LogStore, type Workspace } from '@answer-evidence/ports';
import type { FakeDatabase } from './fake-database.ts';
import type { OfWorkspace } from './fake-store.ts';

/** What stages read of a log to sign it, and of the entries about its workspace. */
type SignedLog = Pick<LogStore, 'snapshot' | 'signer' | 'workspaceEntries'>;

/** Reads a workspace's log in memory. */
export function logsOver(database: FakeDatabase, workspace: Workspace): OfWorkspace<SignedLog> {
  const { rows } = database;
  function assertBegun(): void {
    if (rows.ledger_leaves.length === 0) throw new ServiceError('not_found', 'no such workspace');
  }
  return {
    snapshot() {
      assertBegun();
      const { head } = database;
      return {
        head: formatHead(head, workspace.vault.mac),
        root: frontierRoot(head.frontier),
        nodes: () => Promise.reject(new Error('the nodes of a log in memory are not kept')),
      };
    },
    signer() {
      assertBegun();
      return createTreeSigner(workspace, [], () => {
        throw new Error('a log in memory has its first key alone');
      });
    },
    workspaceEntries: (type) => rows.workspace_entries.filter((entry) => entry.type === type),
  };
}
