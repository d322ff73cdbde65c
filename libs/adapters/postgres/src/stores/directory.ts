import type pg from 'pg';
import { ServiceError } from '@answer-evidence/contracts';
import {
  type MasterVault,
  StoredDamageError,
  VaultError,
  type Workspace,
  type WorkspaceDirectory,
} from '@answer-evidence/ports';
import { type WorkspaceRow, WORKSPACES } from '@answer-evidence/tables';
import { readInstallation } from '../session.ts';
import { damagedColumnsWithMac, isMacValid } from './row-macs.ts';

type StoredRow = WorkspaceRow & { readonly mac: Uint8Array | null };

/**
 * The workspaces of the database, with their secrets opened once and kept. A workspace never changes what is kept. A
 * row that was altered is `ledger_unavailable`: nothing is signed, sealed or said under its name.
 */
export function createWorkspaceDirectory(pool: pg.Pool, vault: MasterVault): WorkspaceDirectory {
  const opened = new Map<string, Workspace>();

  function open(row: StoredRow): Workspace {
    const known = opened.get(row.id);
    if (known !== undefined) return known;
    try {
      const workspace = openWorkspace(vault, row);
      if (!isMacValid(workspace.vault, WORKSPACES, row))
        throw new StoredDamageError(`the MAC of the row of the workspace "${row.slug}" is missing or wrong`);
      opened.set(row.id, workspace);
      return workspace;
    } catch (cause) {
      if (!(cause instanceof StoredDamageError)) throw cause;
      throw new ServiceError(
        'ledger_unavailable',
        'the stored workspace was altered; restore it, and see what else "npm run ledger:check" names',
        { remedy: 'stop-process', cause },
      );
    }
  }

  async function select(name: string, where: string, values: readonly unknown[]): Promise<readonly Workspace[]> {
    return (await readRows(pool, name, where, values)).map(open);
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

/** A workspace as it is stored, be its row altered or not. */
export type StoredWorkspace = {
  readonly id: string;
  readonly slug: string;
  /** Throws `StoredDamageError` when its secrets do not open. */
  open(): Workspace;
};

/** All workspaces, also damaged ones, for a check that names them. */
export async function listStoredWorkspaces(pool: pg.Pool, vault: MasterVault): Promise<readonly StoredWorkspace[]> {
  const rows = await readRows(pool, 'workspaces', 'order by created_at, id', []);
  return rows.map((row) => ({ id: row.id, slug: row.slug, open: () => openWorkspace(vault, row) }));
}

function readRows(
  pool: pg.Pool,
  name: string,
  where: string,
  values: readonly unknown[],
): Promise<readonly StoredRow[]> {
  return readInstallation(pool, (query) =>
    query<StoredRow>(
      name,
      `select ${damagedColumnsWithMac(WORKSPACES)} from answer_evidence.workspaces ${where}`,
      values,
    ),
  );
}

function openWorkspace(vault: MasterVault, row: WorkspaceRow): Workspace {
  try {
    return {
      id: row.id,
      slug: row.slug,
      displayName: row.display_name,
      logId: row.log_id,
      origin: row.origin,
      vkey: row.vkey,
      vault: vault.openWorkspace(row.id, row.wrapped_key, row.wrapped_ledger_seed),
    };
  } catch (cause) {
    if (!(cause instanceof VaultError)) throw cause;
    throw new StoredDamageError(`the keys of the workspace "${row.slug}" do not open`, { cause });
  }
}
