import { isExternalAnchor } from '@answer-evidence/contracts';
import { parseWitnessPolicy } from '@answer-evidence/note';
import type { Finding, MasterVault } from '@answer-evidence/ports';
import { createTrustStore, createWorkspaceDirectory } from '@answer-evidence/postgres';
import type { Pool } from '../open/pool-opener.ts';

const NAMED_MAX = 3;
const name = 'trust.outside';

/** Says of which logs nobody outside vouches: their policies ask for no witness and no external anchor. */
export async function inspectOutsiders(pool: Pool, vault: MasterVault): Promise<Finding> {
  const directory = createWorkspaceDirectory(pool, vault, () => undefined);
  const trust = createTrustStore(pool, directory);
  const alone: string[] = [];
  const all = await directory.list();
  for (const { id, slug } of all) {
    const { values } = await trust.policy(id);
    const asks = values.anchors.some(isExternalAnchor) || parseWitnessPolicy(values.witness_policy).quorum !== null;
    if (!asks) alone.push(slug);
  }
  if (all.length === 0) return { name, outcome: 'SKIP', text: 'there is no workspace yet' };
  if (alone.length === 0)
    return { name, outcome: 'PASS', text: `somebody outside vouches for each of ${all.length} logs` };
  const more = alone.length > NAMED_MAX ? ` and ${alone.length - NAMED_MAX} more` : '';
  return {
    name,
    outcome: 'WARN',
    text:
      `nobody outside vouches for the log of ${alone.slice(0, NAMED_MAX).join(', ')}${more}; name a witness ` +
      '(answer-evidence trust witnesses join) or an anchor, as docs/trust.md says',
  };
}
