import type pg from 'pg';
import { equalSecrets } from '@answer-evidence/digest';
import { formatHead, macOfHead, macOfHeadV1, parseHead } from '@answer-evidence/ledger';
import { type MasterVault, VaultError, type WorkspaceVault } from '@answer-evidence/ports';
import {
  type AnyTable,
  type HeadRow,
  HEADS,
  TABLES,
  TOKEN_KEYS,
  type TokenKeyRow,
  type WorkspaceRow,
  WORKSPACES,
} from '@answer-evidence/tables';
import { settle } from './append/read-state.ts';
import { lockInstallation, writeCounts } from './installation.ts';
import { macOfRow } from './rows/row-macs.ts';
import { connect, queryOn } from './session.ts';
import { fenceQuery } from './workspace-setting.ts';

const AUTHENTICATED = Object.values<AnyTable>(TABLES).filter(({ authenticated }) => authenticated);

/**
 * Gives MACs to the rows that were written before their tables had any: once for a workspace, in the transaction that
 * gives its head the MAC of the new form. A workspace whose head has that form already was sealed; a row of it without
 * a MAC was altered, stays as it is, and is named by the ledger check. So is one whose head has no valid MAC at all.
 * Needs the installation's row. Returns how many workspaces were sealed.
 */
export async function sealRows(pool: pg.Pool, vault: MasterVault): Promise<number> {
  const client = await connect(pool);
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ unsealed: boolean }>(
      `select exists (select from answer_evidence.installation where mac is null)
         or exists (select from answer_evidence.workspaces where mac is null) as unsealed`,
    );
    if (rows[0]?.unsealed !== true) return 0;
    await client.query('begin');
    // Several processes may start at once; the first one seals, and the others wait for it.
    await client.query('set local lock_timeout = 0');
    const installation = await lockInstallation(queryOn(client));
    const { rows: workspaces } = await client.query<WorkspaceRow & { mac: Uint8Array | null }>(
      `select ${WORKSPACES.columns.join(', ')}, mac from answer_evidence.workspaces order by id`,
    );
    const forms: HeadForm[] = [];
    for (const workspace of workspaces) forms.push(await sealWorkspace(client, vault, workspace));
    // Together with its first workspace, an installation is sealed. Its rows are never sealed after that.
    if (installation?.mac === null && !forms.includes('sealed before')) {
      const tokenKeys = await sealTokenKeys(client, vault);
      await writeCounts(queryOn(client), vault, {
        master_key_check: installation.master_key_check ?? new Uint8Array(),
        workspaces: workspaces.length,
        token_keys: tokenKeys,
      });
    }
    await client.query('commit');
    return forms.filter((form) => form === 'sealed now').length;
  } catch (error) {
    await client.query('rollback').catch((failure: unknown) => {
      broken = failure instanceof Error ? failure : new Error('the connection failed');
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

type HeadForm = 'sealed now' | 'sealed before' | 'unreadable';

async function sealWorkspace(
  client: pg.ClientBase,
  master: MasterVault,
  workspace: WorkspaceRow & { readonly mac: Uint8Array | null },
): Promise<HeadForm> {
  const vault = openVault(master, workspace);
  if (vault === undefined) return 'unreadable';
  await client.query(fenceQuery(client, 'answer_evidence.workspace_id', workspace.id));
  const { rows: heads } = await client.query<HeadRow>(
    `select ${HEADS.columns.join(', ')} from answer_evidence.ledger_heads where workspace_id = $1 for update`,
    [workspace.id],
  );
  const [head] = heads;
  if (head === undefined) return 'unreadable';
  if (equalSecrets(head.mac, macOfHead(head, vault.mac))) return 'sealed before';
  if (!equalSecrets(head.mac, macOfHeadV1(head, vault.mac))) return 'unreadable';
  for (const table of AUTHENTICATED) await sealTable(client, vault, workspace.id, table);
  await client.query('update answer_evidence.workspaces set mac = $2 where id = $1', [
    workspace.id,
    macOfRow(vault, WORKSPACES, workspace),
  ]);
  await client.query('update answer_evidence.ledger_heads set mac = $2 where workspace_id = $1', [
    workspace.id,
    formatHead(parseHead(head), vault.mac).mac,
  ]);
  return 'sealed now';
}

function openVault(master: MasterVault, row: WorkspaceRow): WorkspaceVault | undefined {
  try {
    return master.openWorkspace(row.id, row.wrapped_key, row.wrapped_ledger_seed);
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    return undefined;
  }
}

async function sealTable(
  client: pg.ClientBase,
  vault: WorkspaceVault,
  workspaceId: string,
  table: AnyTable,
): Promise<void> {
  const { rows } = await client.query<Record<string, unknown>>(
    `select ${table.columns.join(', ')} from answer_evidence.${table.name} where workspace_id = $1`,
    [workspaceId],
  );
  const keys = table.key.map((column, n) => `${column} = $${n + 3}`).join(' and ');
  const text = `update answer_evidence.${table.name} set mac = $2 where workspace_id = $1 and ${keys}`;
  await settle(
    rows.map((row) => {
      const values = [workspaceId, macOfRow(vault, table, row), ...table.key.map((column) => row[column])];
      return client.query({ name: `seal_${table.name}`, text, values });
    }),
  );
}

/** Returns how many there are. */
async function sealTokenKeys(client: pg.ClientBase, vault: MasterVault): Promise<number> {
  const { rows } = await client.query<TokenKeyRow & Record<string, unknown>>(
    `select ${TOKEN_KEYS.columns.join(', ')} from answer_evidence.token_signing_keys`,
  );
  for (const row of rows)
    await client.query('update answer_evidence.token_signing_keys set mac = $2 where kid = $1', [
      row.kid,
      macOfRow(vault, TOKEN_KEYS, row),
    ]);
  return rows.length;
}
