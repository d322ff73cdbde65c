import { join } from 'node:path';
import { writeFileAtomically } from '@answer-evidence/filesystem';
import { systemClock, systemRandom } from '@answer-evidence/node-crypto';
import { createWorkspace, type NewWorkspace } from '@answer-evidence/postgres';
import { issueUserToken } from '@answer-evidence/stage-workspace';
import { TOKEN_LIFE_SECONDS_MAX } from '@answer-evidence/contracts';
import { stringify } from 'yaml';
import type { Config } from './config.ts';
import type { Core } from './open-core.ts';
import type { Report } from './report.ts';

/** Where callers reach the service: the setting, or the loopback address it listens on. */
export function baseUrlOf(config: Config, port = config.SERVICE_HTTP_PORT): string {
  return config.SERVICE_BASE_URL ?? `http://127.0.0.1:${port}`;
}

/** The host of an origin: host and port without a scheme, the workspace's own where hosts select workspaces. */
export function originHost(baseUrl: string, slug: string): string {
  return new URL(baseUrl.replace('{workspace}', slug)).host;
}

/** Makes a workspace with its manager and a token for them, and writes the CLI's configuration to a file of mode 0600. */
export async function createWorkspaceWithManager(
  core: Core,
  baseUrl: string,
  wanted: Pick<NewWorkspace, 'slug' | 'displayName'> & { readonly username: string },
  configFile: string,
): Promise<void> {
  const { workspaceId, userId } = await createWorkspace(
    core.pool,
    { vault: core.vault, clock: systemClock, random: systemRandom },
    {
      slug: wanted.slug,
      displayName: wanted.displayName,
      host: originHost(baseUrl, wanted.slug),
      member: { username: wanted.username, role: 'manager' },
    },
  );
  const token = await issueUserToken(
    { ledger: core.ledger, clock: systemClock, random: systemRandom },
    workspaceId,
    { id: userId },
    'first-token',
    TOKEN_LIFE_SECONDS_MAX,
    { kind: 'service', id: 'operator', token_id: null },
  );
  const yaml = stringify({
    registry: baseUrl.replace('{workspace}', wanted.slug),
    auth: { token: token.token, token_id: token.id, token_name: token.name },
    profile: { username: wanted.username, tenant_slug: wanted.slug, tenant_display_name: wanted.displayName },
  });
  await writeFileAtomically(configFile, yaml, 0o600);
}

/** On an empty installation, makes the workspace `demo`, its manager, and `config.yaml`. */
export async function createFirstWorkspace(core: Core, config: Config, port: number, report: Report): Promise<void> {
  if ((await core.directory.list()).length > 0) return;
  const configFile = join(config.SERVICE_DATA_DIR, 'config.yaml');
  const wanted = { slug: 'demo', displayName: 'Demo', username: 'manager' };
  await createWorkspaceWithManager(core, baseUrlOf(config, port), wanted, configFile);
  report(
    `made the workspace "demo" and its manager; their token is in ${configFile} (export SERVICE_CONFIG=${configFile})`,
  );
}
