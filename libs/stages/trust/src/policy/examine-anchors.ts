import { type ProblemError, type PutTrustPolicyRequest, secretOf } from '@answer-evidence/contracts';
import type { AnchorFault, Workspace } from '@answer-evidence/ports';
import { withSecret } from '../anchoring/anchor-target.ts';
import type { TrustDeps } from '../deps.ts';

/** A place that does not respond by then is accepted: it may respond when it is needed. */
const EXAMINE_MS = 3_000;

/** What the places of the anchors of a policy say of themselves that somebody has to change, all at once. */
export async function examineAnchors(
  deps: TrustDeps,
  workspace: Workspace,
  { anchors }: PutTrustPolicyRequest,
): Promise<readonly ProblemError[]> {
  const signal = AbortSignal.timeout(EXAMINE_MS);
  const faults = await Promise.all(
    anchors.map(async (anchor, n): Promise<readonly ProblemError[]> => {
      const kind = deps.anchors[anchor.type];
      if (kind.examine === undefined) return [];
      const isGiven = secretOf(anchor) !== undefined;
      const config = isGiven ? anchor : await withSecret(deps, workspace, anchor);
      const fault = await kind.examine({ config, signal });
      return fault === undefined ? [] : [describeAnchorFault(fault, `/anchors/${n}`)];
    }),
  );
  return faults.flat();
}

/** What to change of the configuration of an anchor that `pointer` leads to. */
export function describeAnchorFault(fault: AnchorFault, pointer: string): ProblemError {
  switch (fault) {
    case 'no-object-lock':
      return {
        pointer: `${pointer}/bucket`,
        detail: 'must be a bucket with object lock, which only a new bucket can be given; create one with it',
      };
    case 'no-such-bucket':
      return { pointer: `${pointer}/bucket`, detail: 'must be a bucket that exists; create it with object lock' };
    case 'another-region':
      return { pointer: `${pointer}/region`, detail: 'must be the region of the bucket; correct it' };
    case 'unknown-key':
      return { pointer: `${pointer}/access_key_id`, detail: 'must be a key that the store knows; correct it' };
    case 'wrong-secret':
      return { pointer: `${pointer}/secret_access_key`, detail: 'must be the secret of access_key_id; correct it' };
  }
}
