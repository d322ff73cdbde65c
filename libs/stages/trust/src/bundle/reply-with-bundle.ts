import type { Caller } from '@answer-evidence/access';
import type { TextDoor } from '@answer-evidence/ports';
import type { RouteReply } from '@answer-evidence/routes';
import { QUORUM_PATIENCE_MICROS } from '../anchoring/plan-round.ts';
import { chooseCheckpoint } from '../checkpoints/choose-checkpoint.ts';
import type { TrustDeps } from '../deps.ts';
import { buildBundle } from './build-bundle.ts';
import { formatInPieces } from './format-in-pieces.ts';
import { readConsistently } from './read-consistently.ts';
import { soundProofs } from './read-proofs.ts';

/** A bundle with more attachments is formatted and sent piece by piece; it may have many megabytes. */
const WHOLE_MAX = 256;

/**
 * The bundle of a record of the caller's, as it leaves by this door. Throws `not_found`, `application_not_allowed`,
 * `StoredDamageError` where the log does not prove it, and what reading throws.
 */
export async function replyWithBundle(
  deps: TrustDeps,
  caller: Caller,
  recordId: string,
  door: TextDoor,
): Promise<RouteReply> {
  const workspace = await deps.directory.get(caller.workspaceId);
  const { stored, evidence, holds, snapshot, lastLeaf } = await readConsistently(deps, caller, recordId);
  const policy = await deps.trust.policy(workspace.id);
  // Witnesses have a minute; afterwards the bundle shows that they are late.
  const passOverFrom = deps.clock.nowMicros() - QUORUM_PATIENCE_MICROS;
  const chosen = await chooseCheckpoint(deps, workspace, policy, snapshot, lastLeaf, passOverFrom);
  const shown = { stored, evidence, holds, door };
  const bundle = await buildBundle(deps, workspace, shown, soundProofs(snapshot.nodes), chosen, policy);
  if (bundle.attachments.length <= WHOLE_MAX) return { status: 200, body: bundle };
  return { status: 200, contentType: 'application/json', stream: { bytes: formatInPieces(bundle, deps.turn) } };
}
