import { existsSync } from 'node:fs';
import { createMasterVault } from '@answer-evidence/node-crypto';
import { type CheckResult, fault, type Finding, fine, type MasterVault, skipped } from '@answer-evidence/ports';
import { assertWrites, judgeSchema, openLogins, openPool, planLogins } from '@answer-evidence/postgres';
import type { Config } from '../ground/config.ts';
import { assertPlacesLast } from '../open/fleeting-places.ts';
import { masterKeyFile } from '../open/master-key-files.ts';
import { findKeyCheck, isKeyOf, readMasterKey } from '../open/open-master-vault.ts';
import type { Pool } from '../open/pool-opener.ts';
import { inspectAnchors } from './inspect-anchors.ts';
import { inspectLogKeys } from './inspect-log-keys.ts';
import { inspectOutsiders } from './inspect-outsiders.ts';
import { inspectRenewals } from './inspect-renewals.ts';
import { findingOf, type Look } from './look.ts';

type Explain = (error: unknown) => unknown;

/** Looks at the master key, and at the logins of the service, whose passwords follow from it. */
export async function inspectLogins(
  config: Config,
  url: string,
  owner: Pool,
  look: Look,
  explain: Explain,
): Promise<readonly Finding[]> {
  if (config.SERVICE_MASTER_KEY === undefined && !existsSync(masterKeyFile(config)))
    return [
      await look('key.master', async () => {
        if ((await findKeyCheck(owner)) === undefined) await assertPlacesLast(config);
        return skipped(`there is no key in ${masterKeyFile(config)}; the first start makes one`);
      }),
    ];
  let vault: MasterVault | undefined;
  const key = await look(
    'key.master',
    async () => {
      vault = createMasterVault(await readMasterKey(config, true));
      return judgeKey(vault, owner);
    },
    explain,
  );
  if (vault === undefined || key.outcome === 'FAIL') return [key];
  const { passwordOf } = vault;
  const roles = await look('database.roles', () => judgeRoles(url, owner, passwordOf), explain);
  if (roles.outcome === 'FAIL' || !/are made/.test(roles.text)) return [key, roles];
  const logins = await look('database.logins', () => judgeLogins(url, owner, passwordOf), explain);
  if (logins.outcome === 'FAIL') return [key, roles, logins];
  return [key, roles, logins, ...(await inspectStored(config, url, owner, vault))];
}

/** Whether the key is that of the database, where the database has one. */
async function judgeKey(vault: MasterVault, owner: Pool): Promise<CheckResult> {
  const check = await findKeyCheck(owner);
  if (check === undefined) return fine('a key of 32 bytes; the database has none yet');
  return isKeyOf(vault, check)
    ? fine('is the key of the database')
    : fault('the master key is not the key that this database was created with; provide the right key');
}

async function judgeRoles(url: string, owner: Pool, passwordOf: MasterVault['passwordOf']): Promise<CheckResult> {
  const { statements, mayMakeRoles } = await planLogins(url, owner, passwordOf);
  if (statements.length === 0) return fine('the roles and logins of the service are made');
  return mayMakeRoles
    ? fine(`the next start runs ${statements.length} statements for the roles of the service`)
    : fault(
        'roles of the service are missing, which the user of DATABASE_URL may not make; have an administrator run: ' +
          statements.map((statement) => `${statement};`).join(' '),
      );
}

/** With the login of the service, as rows of tenants are read; another schema than today's is left alone. */
async function inspectStored(
  config: Config,
  url: string,
  owner: Pool,
  vault: MasterVault,
): Promise<readonly Finding[]> {
  const { text } = await judgeSchema(owner);
  if (text !== 'is the newest') return [];
  const { answer_evidence_app: appUrl } = await openLogins(url, owner, vault.passwordOf);
  const pool = openPool({ url: appUrl, role: 'answer_evidence_app', connectionsMax: 2, onError: () => undefined });
  try {
    return [
      ...(await inspectLogKeys(config, pool)),
      ...(await inspectAnchors(config, pool, vault)),
      await inspectOutsiders(pool, vault),
      ...(await inspectRenewals(config, pool, vault)),
    ];
  } catch {
    // A row that was altered; a ledger check names it.
    return [findingOf('anchors.lock', skipped('a trust policy cannot be read; run: npm run operator -- ledger-check'))];
  } finally {
    await pool.end();
  }
}

/** Logs in as the service does: every connection is held to its settings and to the rights of its role. */
async function judgeLogins(url: string, owner: Pool, passwordOf: MasterVault['passwordOf']): Promise<CheckResult> {
  const urls = await openLogins(url, owner, passwordOf);
  for (const role of ['answer_evidence_app', 'answer_evidence_relay'] as const) {
    const pool = openPool({ url: urls[role], role, connectionsMax: 1, onError: () => undefined });
    try {
      await assertWrites(pool);
    } finally {
      await pool.end();
    }
  }
  return fine('the logins have the rights of their roles and no more');
}
