import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { TOKEN_LIFE_SECONDS_MAX } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import { writeFileAtomically } from '@answer-evidence/filesystem';
import { EMPTY_ROOT } from '@answer-evidence/merkle';
import { systemClock, systemRandom } from '@answer-evidence/node-crypto';
import { LogKeyError } from '@answer-evidence/ports';
import {
  createWorkspace,
  type FoundServer,
  listStoredWorkspaces,
  type NewWorkspace,
  readServer,
  SlugTakenError,
} from '@answer-evidence/postgres';
import { issueUserToken, revokeLostToken } from '@answer-evidence/stage-workspace';
import { baseUrlOf, originHost, workspaceUrl } from '../ground/addresses.ts';
import type { Config } from '../ground/config.ts';
import type { Report } from '../ground/report.ts';
import { StartError } from '../ground/start-error.ts';
import { findLostOrigins } from './describe-lost-workspaces.ts';
import type { Stores } from './open-stores.ts';

type WantedWorkspace = Pick<NewWorkspace, 'slug' | 'displayName'> & { readonly username: string };

/**
 * Makes a workspace with its manager and a token, and writes the CLI's configuration (mode 0600). Throws `StartError`
 * where no key can be made for its log.
 */
export async function createWorkspaceWithManager(
  stores: Stores,
  baseUrl: string,
  wanted: WantedWorkspace,
  configFile: string,
): Promise<void> {
  const server = await readServer(stores.pool);
  const stored = await listStoredWorkspaces(stores.pool, stores.vault);
  const { workspaceId, userId } = await createWorkspace(
    stores.pool,
    {
      vault: stores.vault,
      clock: systemClock,
      random: systemRandom,
      // A workspace of this slug may have been lost a moment ago, with its signed trees.
      usedOrigins: await findLostOrigins(stores.headStore, stored),
      // A log that has entries and no head is refused, so the head of the empty one comes first.
      onNamed: async (log) => stores.headStore.keep(headOf(log, server)),
      // What is left where this fails, or the process is killed first, is a matter of `heads-forget`.
      onRefused: async (log) => stores.headStore.takeBack(headOf(log, server)).catch(() => undefined),
    },
    {
      slug: wanted.slug,
      displayName: wanted.displayName,
      host: originHost(baseUrl, wanted.slug),
      member: { username: wanted.username, role: 'manager' },
    },
  ).catch((error: unknown) => {
    if (!(error instanceof LogKeyError)) throw error;
    throw new StartError(`no key was made for the log of "${wanted.slug}": ${error.message}`, { cause: error });
  });
  await issueManagerToken(stores, baseUrl, wanted, { workspaceId, userId, name: 'first-token' }, configFile);
}

/** That of a log before its first entry. */
function headOf({ id, origin }: { readonly id: string; readonly origin: string }, server: FoundServer) {
  return { workspaceId: id, origin, treeSize: 0, rootHash: formatHex(EMPTY_ROOT), ...server };
}

async function issueManagerToken(
  stores: Stores,
  baseUrl: string,
  wanted: WantedWorkspace,
  of: { readonly workspaceId: string; readonly userId: string; readonly name: string },
  configFile: string,
): Promise<void> {
  const deps = { ledger: stores.ledger, clock: systemClock, random: systemRandom };
  const operator = { kind: 'service', id: 'operator', token_id: null } as const;
  const token = await issueUserToken(
    deps,
    of.workspaceId,
    { id: of.userId },
    of.name,
    TOKEN_LIFE_SECONDS_MAX,
    operator,
  );
  const yaml = stringify({
    registry: workspaceUrl(baseUrl, wanted.slug),
    auth: { token: token.token, token_id: token.id, token_name: token.name },
    profile: { username: wanted.username, tenant_slug: wanted.slug, tenant_display_name: wanted.displayName },
  });
  try {
    await writeFileAtomically(configFile, yaml, 0o600);
  } catch (error) {
    const isRevoked = await revokeLostToken(deps, of.workspaceId, token.id, operator).then(
      () => true,
      () => false,
    );
    throw new TokenNotWrittenError(isRevoked, { cause: error });
  }
}

/** A token was issued and its file could not be written, so that nobody has its secret. */
export class TokenNotWrittenError extends Error {
  /** Whether the token is no longer good. */
  readonly isRevoked: boolean;

  constructor(isRevoked: boolean, options: ErrorOptions) {
    super('the file of a token could not be written', options);
    this.name = 'TokenNotWrittenError';
    this.isRevoked = isRevoked;
  }
}

/** On an empty installation, makes workspace `demo`, its manager and `config.yaml`; resumes after a crash. */
export async function createFirstWorkspace(
  stores: Stores,
  config: Config,
  port: number,
  report: Report,
): Promise<void> {
  const configFile = join(config.SERVICE_DATA_DIR, 'config.yaml');
  const wanted = { slug: 'demo', displayName: 'Demo', username: 'manager' };
  const made = await stores.directory.list();
  // An installation whose workspaces were all altered is not an empty one.
  if (stores.damagedWorkspaces.ids.length > 0) return;
  if (made.length > 0) {
    const [only] = made;
    if (made.length > 1 || only?.slug !== wanted.slug || existsSync(configFile)) return;
    if (!(await isUnused(stores, only.id))) return;
    // A crash after the workspace and before the file would leave it without anybody who could enter.
    const userId = (await stores.members.findByName(only.id, wanted.username))?.row.id;
    if (userId === undefined) return;
    const name = `first-token-${formatHex(systemRandom.bytes(4))}`;
    await issueManagerToken(
      stores,
      baseUrlOf(config, port),
      wanted,
      { workspaceId: only.id, userId, name },
      configFile,
    );
  } else {
    try {
      await createWorkspaceWithManager(stores, baseUrlOf(config, port), wanted, configFile);
    } catch (error) {
      // Another process on this database was faster; the workspace and its file are that one's.
      if (error instanceof SlugTakenError) return;
      // What is wrong with the folder is what the person has to know.
      throw error instanceof TokenNotWrittenError ? error.cause : error;
    }
  }
  report(
    `created the workspace "demo" and its manager; their token is in ${configFile} (export SERVICE_CONFIG=${configFile})`,
  );
  report('for a password: npm run operator -- member-password-link --workspace demo --username manager');
}

/** Whether nothing but tokens and members was appended since the genesis and the first settings. */
async function isUnused(stores: Stores, workspaceId: string): Promise<boolean> {
  const issued = await stores.logs.workspaceEntries(workspaceId, 'token_issued');
  const members = await stores.logs.workspaceEntries(workspaceId, 'member_changed');
  const revoked = await stores.logs.workspaceEntries(workspaceId, 'token_revoked');
  const { head } = await stores.logs.snapshot(workspaceId);
  return head.tree_size === 2 + issued.length + revoked.length + members.length;
}
