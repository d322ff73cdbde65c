import type pg from 'pg';
import {
  type Actor,
  type GenesisCore,
  NEW_WORKSPACE_SETTINGS,
  type ReadingRule,
  type Role,
  type SettingsCore,
} from '@answer-evidence/contracts';
import { createUuidV7, formatHex } from '@answer-evidence/encoding';
import {
  createMemberCommand,
  EMPTY_HEAD,
  formatHead,
  NOTHING_KNOWN,
  placeWorkspaceEntry,
  planAppend,
  settingsEntry,
} from '@answer-evidence/ledger';
import { createVkey, ED25519, formatVkey } from '@answer-evidence/note';
import type { Clock, MasterVault, RandomSource, Workspace } from '@answer-evidence/ports';
import { type WorkspaceRow, WORKSPACES } from '@answer-evidence/tables';
import { settle } from './append/read-state.ts';
import { formatPlan } from './append/write-plan.ts';
import { constraintOf, isConnectionFailure } from './failures.ts';
import { countOne, lockInstallation } from './installation.ts';
import { createLogName } from './log-name.ts';
import { columnsWithMac, macOfRow } from './rows/row-macs.ts';
import { connect, queryOn, toCallerError, writeInstallation } from './session.ts';
import { fenceQuery } from './workspace-setting.ts';

/** A new workspace and its first member. `host` becomes part of the log's origin, for ever. */
export type NewWorkspace = {
  readonly slug: string;
  readonly displayName: string;
  readonly host: string;
  readonly member: { readonly username: string; readonly role: Role };
  /** Left out: that of new workspaces. */
  readonly readingRule?: ReadingRule;
};

/** The slug is another workspace's. */
export class SlugTakenError extends Error {
  override readonly name = 'SlugTakenError';
}

const NAMING_MAX = '60s';
const SERVICE: Actor = { kind: 'service', id: 'operator', token_id: null };

/**
 * Makes a workspace in one transaction: secrets, genesis (leaf 0), settings (1), member (2). `onNamed` is waited for
 * when everything is written but not committed, so that the log is known outside of the database before it is there,
 * and only if the database accepts it. `onRefused` is called if it was not made after all. Throws `SlugTakenError`, and
 * `StoredDamageError` when the count of workspaces was altered.
 */
export async function createWorkspace(
  pool: pg.Pool,
  deps: {
    readonly vault: MasterVault;
    readonly clock: Clock;
    readonly random: RandomSource;
    /** Names of logs that the database does not have any more. None of them is given again. */
    readonly usedOrigins?: readonly string[];
    readonly onNamed?: (log: Pick<Workspace, 'id' | 'origin'>) => Promise<void>;
    readonly onRefused?: (log: Pick<Workspace, 'id' | 'origin'>) => Promise<void>;
  },
  wanted: NewWorkspace,
): Promise<{ readonly workspaceId: string; readonly userId: string }> {
  const nowMicros = deps.clock.nowMicros();
  const newId = () => createUuidV7(Math.floor(nowMicros / 1000), deps.random.bytes(10));
  const nonce = () => formatHex(deps.random.bytes(16));
  const workspaceId = newId();
  const place = `${wanted.host}/${wanted.slug}`;
  const { logId, origin } = createLogName(deps.random, Math.floor(nowMicros / 1000), place, deps.usedOrigins ?? []);
  const userId = newId();
  const secrets = deps.vault.createWorkspaceSecrets(workspaceId);
  const wrappedLedgerSeed = (await deps.vault.createOutsideSeed(workspaceId)) ?? secrets.wrappedLedgerSeed;
  const vault = deps.vault.openWorkspace(workspaceId, secrets.wrappedKey, wrappedLedgerSeed);
  const vkey = formatVkey(createVkey(origin, ED25519, vault.firstLedgerKey.publicKey));

  const genesis: GenesisCore = { id: logId, nonce: nonce(), origin, vkey };
  const { readingRule = NEW_WORKSPACE_SETTINGS.answer_audit_reading_rule } = wanted;
  const settings = { ...NEW_WORKSPACE_SETTINGS, answer_audit_reading_rule: readingRule };
  const policy: SettingsCore = { id: newId(), nonce: nonce(), version: 1, settings, actor: SERVICE };
  const placedGenesis = placeWorkspaceEntry(logId, { type: 'genesis', seq: 0, core: genesis });
  const placedPolicy = placeWorkspaceEntry(workspaceId, settingsEntry(policy));
  const plan = planAppend(EMPTY_HEAD, NOTHING_KNOWN, nowMicros, [
    {
      subject: logId,
      entryIds: [logId],
      settingsVersion: null,
      reads: {},
      sizeBytes: 0,
      decide: () => ({
        kind: 'append',
        entries: [placedGenesis.entry, placedPolicy.entry],
        writes: [placedGenesis.write, placedPolicy.write],
      }),
    },
    createMemberCommand(
      { workspaceId, memberId: userId, identity: { id: newId(), nonce: nonce() }, actor: SERVICE },
      { kind: 'add', ...wanted.member, link: null },
    ),
  ]);
  const row: WorkspaceRow = {
    id: workspaceId,
    slug: wanted.slug,
    display_name: wanted.displayName,
    log_id: logId,
    origin,
    vkey,
    wrapped_key: secrets.wrappedKey,
    wrapped_ledger_seed: wrappedLedgerSeed,
    created_at: nowMicros,
  };
  const empty = formatHead(EMPTY_HEAD, vault.mac);
  const log = { id: workspaceId, origin };
  let isNamed = false;
  let broken: Error | undefined;
  const client = await connect(pool);
  try {
    await client.query('begin');
    // The place of the heads may take longer than a process that is paused may.
    await client.query(`set local idle_in_transaction_session_timeout = '${NAMING_MAX}'`);
    await countOne(queryOn(client), deps.vault, 'workspaces');
    await settle([
      client.query(fenceQuery(client, 'answer_evidence.workspace_id', workspaceId)),
      client.query(
        `insert into answer_evidence.workspaces (${columnsWithMac(WORKSPACES)})
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [...WORKSPACES.columns.map((column) => row[column]), macOfRow(vault, WORKSPACES, row)],
      ),
      client.query(
        `insert into answer_evidence.ledger_heads (workspace_id, tree_size, right_edge, last_at, settings_version, mac)
           values ($1, $2, $3, $4, $5, $6)`,
        [workspaceId, empty.tree_size, empty.right_edge, empty.last_at, empty.settings_version, empty.mac],
      ),
      ...formatPlan({ workspaceId, mac: vault.mac }, empty, formatHead(plan.head, vault.mac), plan, []).map(
        (statement) => client.query(statement),
      ),
    ]);
    isNamed = true;
    await deps.onNamed?.(log);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    if (isConnectionFailure(error)) broken = error instanceof Error ? error : new Error('the connection failed');
    // A commit of which nothing was heard may have been made: then the log is there, and its head stays.
    if (isNamed && !(await mayBeMade(pool, workspaceId, broken))) await deps.onRefused?.(log);
    if (constraintOf(error) === 'workspaces_slug_key') throw new SlugTakenError(`the slug "${wanted.slug}" is taken`);
    throw toCallerError(error);
  } finally {
    client.release(broken);
  }
  return { workspaceId, userId };
}

/** Whether a workspace is there, or nobody can tell, after a failure that came with a broken connection or without. */
async function mayBeMade(pool: pg.Pool, workspaceId: string, broken: Error | undefined): Promise<boolean> {
  if (broken === undefined) return false;
  try {
    // Waits for a transaction that the server has not ended yet: both lock the row of the installation.
    const rows = await writeInstallation(pool, async (query) => {
      await lockInstallation(query);
      return query('workspace_made', 'select from answer_evidence.workspaces where id = $1', [workspaceId]);
    });
    return rows.length > 0;
  } catch {
    return true;
  }
}
