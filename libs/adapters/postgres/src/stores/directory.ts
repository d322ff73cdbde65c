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
import { damagedColumnsWithMac, isMacValid } from '../rows/row-macs.ts';
import { readInstallation } from '../session.ts';

type StoredRow = WorkspaceRow & { readonly mac: Uint8Array | null };

/** A workspace whose row was altered: nothing is done under its name. */
export type DamagedWorkspace = { readonly id: string; readonly slug: string; readonly reason: string };

/**
 * The workspaces of the database, with their secrets opened once and kept. A workspace never changes what is kept. One
 * whose row was altered is `ledger_unavailable` and not listed: nothing is signed, sealed or said under its name, and
 * the others go on. `onListed` is told of all such rows each time that the workspaces are listed.
 */
export function createWorkspaceDirectory(
  pool: pg.Pool,
  vault: MasterVault,
  onListed: (damaged: readonly DamagedWorkspace[]) => void = () => undefined,
): WorkspaceDirectory {
  const opened = new Map<string, Workspace>();

  function open(row: StoredRow): Workspace {
    const known = opened.get(row.id);
    if (known !== undefined) return known;
    const workspace = openWorkspace(vault, row);
    if (!isMacValid(workspace.vault, WORKSPACES, row))
      throw new StoredDamageError(`the MAC of the row of the workspace "${row.slug}" is missing or wrong`);
    opened.set(row.id, workspace);
    return workspace;
  }

  async function find(name: string, where: string, value: string): Promise<Workspace | undefined> {
    const [row] = await readRows(pool, name, where, [value]);
    try {
      return row === undefined ? undefined : open(row);
    } catch (cause) {
      if (!(cause instanceof StoredDamageError)) throw cause;
      throw new ServiceError(
        'content_damaged',
        'the stored row of this workspace was altered, and nothing is served until it is restored; tell the operator',
        {
          remedy: 'retry',
          cause,
        },
      );
    }
  }

  return {
    async get(workspaceId) {
      const known = opened.get(workspaceId);
      if (known !== undefined) return known;
      const workspace = await find('workspace_by_id', 'where id = $1', workspaceId);
      if (workspace === undefined) throw new ServiceError('not_found', 'no such workspace exists; check its id');
      return workspace;
    },
    async findBySlug(slug) {
      for (const workspace of opened.values()) if (workspace.slug === slug) return workspace;
      return find('workspace_by_slug', 'where slug = $1', slug);
    },
    async list() {
      const damaged: DamagedWorkspace[] = [];
      const sound: Workspace[] = [];
      for (const row of await readRows(pool, 'workspaces', 'order by created_at, id', [])) {
        try {
          sound.push(open(row));
        } catch (error) {
          if (!(error instanceof StoredDamageError)) throw error;
          damaged.push({ id: row.id, slug: row.slug, reason: error.message });
        }
      }
      onListed(damaged);
      return sound;
    },
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
