import type pg from 'pg';
import { ServiceError } from '@answer-evidence/contracts';
import type { MasterVault, Workspace, WorkspaceDirectory } from '@answer-evidence/ports';
import { readInstallation } from '../session.ts';

type WorkspaceRow = {
  id: string;
  slug: string;
  display_name: string;
  log_id: string;
  origin: string;
  vkey: string;
  wrapped_key: Uint8Array;
  wrapped_ledger_seed: Uint8Array;
};

const COLUMNS = 'id, slug, display_name, log_id, origin, vkey, wrapped_key, wrapped_ledger_seed';

/** The workspaces of the database, with their secrets opened once and kept. A workspace never changes what is kept. */
export function createWorkspaceDirectory(pool: pg.Pool, vault: MasterVault): WorkspaceDirectory {
  const opened = new Map<string, Workspace>();

  function open(row: WorkspaceRow): Workspace {
    const known = opened.get(row.id);
    if (known !== undefined) return known;
    const workspace: Workspace = {
      id: row.id,
      slug: row.slug,
      displayName: row.display_name,
      logId: row.log_id,
      origin: row.origin,
      vkey: row.vkey,
      vault: vault.openWorkspace(row.id, row.wrapped_key, row.wrapped_ledger_seed),
    };
    opened.set(row.id, workspace);
    return workspace;
  }

  async function select(name: string, where: string, values: readonly unknown[]): Promise<readonly Workspace[]> {
    const rows = await readInstallation(pool, (query) =>
      query<WorkspaceRow>(name, `select ${COLUMNS} from answer_evidence.workspaces ${where}`, values),
    );
    return rows.map(open);
  }

  return {
    async get(workspaceId) {
      const known = opened.get(workspaceId);
      if (known !== undefined) return known;
      const [workspace] = await select('workspace_by_id', 'where id = $1', [workspaceId]);
      if (workspace === undefined) throw new ServiceError('not_found', 'no such workspace');
      return workspace;
    },
    async findBySlug(slug) {
      for (const workspace of opened.values()) if (workspace.slug === slug) return workspace;
      const [workspace] = await select('workspace_by_slug', 'where slug = $1', [slug]);
      return workspace;
    },
    list: () => select('workspaces', 'order by created_at, id', []),
  };
}
