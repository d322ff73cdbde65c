import { MICROS_PER_SECOND } from '@answer-evidence/encoding';
import {
  beginsWith,
  HeadError,
  type LogSnapshot,
  type VersionedTrustPolicy,
  type Workspace,
} from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';
import { alignLogKeys } from '../log-keys/align-log-keys.ts';
import { notAhead } from '../not-ahead.ts';

/**
 * Publishes the tree of a log when it has grown and the policy's interval has passed, or at once when `hurry` says so.
 * Before that it returns when it will have passed. Only for anyone who leads the log. What is published extends what
 * was published, and stands outside of the database before anybody can read it. The keys are first made those that the
 * policy asks for.
 */
export async function publishCheckpoint(
  deps: TrustDeps,
  workspace: Workspace,
  hurry: boolean,
): Promise<number | undefined> {
  const newest = await deps.trust.newestPublished(workspace.id);
  const policy = await deps.trust.policy(workspace.id);
  const nowMicros = deps.clock.nowMicros();
  const published = notAhead(newest?.published_at ?? 0, nowMicros);
  const dueAt = published + intervalOf(policy);
  if (!hurry && nowMicros < dueAt) return dueAt;
  await alignLogKeys(deps, workspace, policy);
  const snapshot = await deps.logs.snapshot(workspace.id);
  if (newest !== undefined) {
    await assertExtendsPublished(deps, workspace, newest, snapshot);
    if (snapshot.head.tree_size === newest.tree_size) return undefined;
  }
  // Anyone who reads a published checkpoint may hold the log to it for ever, so a restored database must not be able to
  // forget it.
  await deps.heads.keep(workspace);
  await deps.trust.publish(workspace.id, {
    tree_size: snapshot.head.tree_size,
    root: snapshot.root,
    policy_version: policy.version,
    published_at: nowMicros,
  });
  return undefined;
}

function intervalOf({ values }: VersionedTrustPolicy): number {
  return values.checkpoint_interval_seconds * MICROS_PER_SECOND;
}

async function assertExtendsPublished(
  deps: TrustDeps,
  workspace: Workspace,
  newest: { readonly tree_size: number; readonly root: Uint8Array },
  { head, root, nodes }: LogSnapshot,
): Promise<void> {
  const isBehind = head.tree_size < newest.tree_size;
  const published = { size: newest.tree_size, root: newest.root };
  if (!isBehind && (await beginsWith(nodes, published, { size: head.tree_size, root }))) return;
  const error = new HeadError(
    'log_refused',
    isBehind
      ? `the ledger of "${workspace.slug}" holds ${head.tree_size} entries, but ${newest.tree_size} were published`
      : `the ledger of "${workspace.slug}" differs from the one published at size ${newest.tree_size}`,
  );
  deps.heads.end(error);
  throw error;
}
