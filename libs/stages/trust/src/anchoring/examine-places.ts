import type { AnchorConfig } from '@answer-evidence/contracts';
import type { Workspace } from '@answer-evidence/ports';
import type { AnchorHearing, TrustDeps } from '../deps.ts';
import { describeAnchorFault } from '../policy/examine-anchors.ts';
import { withSecret } from './anchor-target.ts';

/** An anchor of a policy that nothing can be anchored by before somebody changes its place or its configuration. */
type UnusableAnchor = AnchorHearing & { readonly problem: string };

type Deps = Pick<TrustDeps, 'trust'> & { readonly anchors: Partial<TrustDeps['anchors']> };

/** Whether the place of an anchor says of itself that it cannot be used; undefined where it does not. */
export async function examinePlace(
  deps: Deps,
  workspace: Workspace,
  config: AnchorConfig,
  signal: AbortSignal,
): Promise<UnusableAnchor | undefined> {
  const target = await withSecret(deps, workspace, config);
  const fault = await deps.anchors[config.type]?.examine?.({ config: target, signal });
  if (fault === undefined) return undefined;
  const { pointer, detail } = describeAnchorFault(fault, '');
  return { workspace, anchorId: config.id, problem: `${pointer.slice(1)} ${detail}` };
}

/** Asks every place that can be asked of every policy: how many they are, and which cannot be used. */
export async function examineAllPlaces(
  deps: Deps & Pick<TrustDeps, 'directory'>,
  signal: AbortSignal,
): Promise<{ readonly asked: number; readonly unusable: readonly UnusableAnchor[] }> {
  let asked = 0;
  const unusable: UnusableAnchor[] = [];
  for (const workspace of await deps.directory.list()) {
    const { values } = await deps.trust.policy(workspace.id);
    for (const config of values.anchors) {
      if (deps.anchors[config.type]?.examine === undefined) continue;
      asked += 1;
      const found = await examinePlace(deps, workspace, config, signal);
      if (found !== undefined) unusable.push(found);
    }
  }
  return { asked, unusable };
}

/** The sentence about such an anchor. */
export function describeUnusable({ workspace, anchorId, problem }: UnusableAnchor): string {
  return `nothing can be anchored by "${anchorId}" of the workspace "${workspace.slug}": its ${problem}`;
}
