import { formatTimestamp, MICROS_PER_DAY } from '@answer-evidence/encoding';
import { systemClock } from '@answer-evidence/node-crypto';
import type { Finding, MasterVault } from '@answer-evidence/ports';
import { createTrustStore, createWorkspaceDirectory } from '@answer-evidence/postgres';
import { extractToken } from '@answer-evidence/rfc3161';
import { readRenewalStanding } from '@answer-evidence/stage-trust';
import type { Config } from '../ground/config.ts';
import type { Pool } from '../open/pool-opener.ts';

const NAME = 'anchors.renewal';

/** Whether the time-stamps of each log can still be renewed when the certificates of its authorities end. */
export async function inspectRenewals(config: Config, pool: Pool, vault: MasterVault): Promise<readonly Finding[]> {
  const directory = createWorkspaceDirectory(pool, vault, () => undefined);
  const trust = createTrustStore(pool, directory);
  const nowMicros = systemClock.nowMicros();
  const lead = config.SERVICE_RENEWAL_LEAD_DAYS * MICROS_PER_DAY;
  const warnings: string[] = [];
  const ends: number[] = [];
  for (const { id, slug } of await directory.list()) {
    const { endsAt, failing } = await readRenewalStanding({ trust, extractToken }, id);
    if (failing !== undefined)
      warnings.push(
        `the renewal ${failing.name} of the workspace "${slug}" failed ${failing.attempts} times: ${failing.lastError}`,
      );
    if (endsAt === undefined) continue;
    ends.push(endsAt);
    if (endsAt - nowMicros > lead) continue;
    const left = daysUntil(endsAt, nowMicros);
    warnings.push(
      `the certificates of all authorities of the workspace "${slug}" end by ${formatTimestamp(endsAt).slice(0, 10)}, in ` +
        `${left} days; put an authority into its trust policy whose certificate ends later`,
    );
  }
  if (warnings.length > 0) return warnings.map((text) => ({ name: NAME, outcome: 'WARN', text }));
  if (ends.length === 0) return [{ name: NAME, outcome: 'SKIP', text: 'no time-stamping authority has confirmed yet' }];
  const left = daysUntil(Math.min(...ends), nowMicros);
  return [
    { name: NAME, outcome: 'PASS', text: `the last certificate of an authority ends in ${left} days at the earliest` },
  ];
}

function daysUntil(at: number, nowMicros: number): number {
  return Math.max(0, Math.floor((at - nowMicros) / MICROS_PER_DAY));
}
