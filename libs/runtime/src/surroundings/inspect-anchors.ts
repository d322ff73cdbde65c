import { systemClock } from '@answer-evidence/node-crypto';
import { type Finding, type MasterVault } from '@answer-evidence/ports';
import { createTrustStore, createWorkspaceDirectory } from '@answer-evidence/postgres';
import { createObjectLockAnchor } from '@answer-evidence/s3';
import { describeUnusable, examineAllPlaces } from '@answer-evidence/stage-trust';
import type { Config } from '../ground/config.ts';
import { createOutbound } from '../ground/create-outbound.ts';
import type { Pool } from '../open/pool-opener.ts';

const EXAMINE_MS = 10_000;

/** Asks the bucket of every object-lock anchor whether it can lock, with the rights of the service. */
export async function inspectAnchors(config: Config, pool: Pool, vault: MasterVault): Promise<readonly Finding[]> {
  const name = 'anchors.lock';
  const directory = createWorkspaceDirectory(pool, vault, () => undefined);
  const { asked, unusable } = await examineAllPlaces(
    {
      directory,
      trust: createTrustStore(pool, directory),
      // The others have nothing that could be asked.
      anchors: { 'object-lock': createObjectLockAnchor({ outbound: createOutbound(config), clock: systemClock }) },
    },
    AbortSignal.timeout(EXAMINE_MS),
  );
  if (asked === 0) return [{ name, outcome: 'SKIP', text: 'no trust policy has an object-lock anchor' }];
  if (unusable.length === 0)
    return [{ name, outcome: 'PASS', text: `no fault is known of ${asked} buckets of anchors` }];
  return unusable.map((anchor) => ({ name, outcome: 'WARN', text: describeUnusable(anchor) }));
}
