import type { CheckName } from '@answer-evidence/contracts';
import { MICROS_PER_SECOND } from '@answer-evidence/encoding';
import {
  evaluateQuorum,
  parseVkey,
  parseWitnessPolicy,
  verifyCosignatures,
  type WitnessPolicy,
  WitnessPolicyError,
} from '@answer-evidence/note';
import type { CheckpointContext } from '../checkpoint-context.ts';
import type { AnchorJudgement } from '../judge-anchors.ts';
import { assertNotBefore } from '../stated-times.ts';
import { findPins } from '../trusted-checkpoint.ts';
import { CheckFailure, notApplicable, pass, skip, type Verdict } from '../verdict.ts';

/** Cosignatures over this checkpoint by a quorum of the pinned witnesses: distinct keys, never the log's own. */
export async function checkWitnesses(context: CheckpointContext): Promise<Verdict> {
  const { bundle, trust, options } = context;
  const policy = readWitnessPolicy(trust.witness_policy, 'the trust file');
  if (policy === null || policy.quorum === null) {
    const asked = readWitnessPolicy(bundle.policy?.witness_policy ?? null, 'the bundle');
    return asked !== null && asked.quorum !== null
      ? skip('the workspace requires witnesses, but the trust file names none')
      : notApplicable('no policy requires witnesses');
  }
  const { note, checkpoint } = context.readCheckpoint();
  const cosignatures = await verifyCosignatures(note, policy, options.verifySignature);
  const youngest = await context.youngest();
  for (const { witness, timestamp } of cosignatures)
    assertNotBefore(`the cosignature of ${witness}`, timestamp * MICROS_PER_SECOND, youngest);
  const logKeys = (findPins(trust, checkpoint.origin) ?? []).map(({ vkey }) => parseVkey(vkey));
  const { isMet, counted } = evaluateQuorum(
    policy,
    cosignatures.map(({ publicKeyHex }) => publicKeyHex),
    logKeys,
  );
  const names = counted.length === 0 ? 'no witness' : counted.join(', ');
  return isMet
    ? pass(`cosigned by ${names}, which reaches the quorum`)
    : skip(`cosigned by ${names} so far, which does not reach the quorum`);
}

/** Anchors of this very checkpoint, as many as are demanded. */
export async function checkExternalAnchor(context: CheckpointContext): Promise<Verdict> {
  const judgement = await context.judgeAnchors();
  switch (judgement.demand) {
    case 'none':
      return notApplicable('no policy requires an external anchor');
    case 'file':
      return skip("the policy has only a file on the service's own machine, which is not an external anchor");
    case 'unpinned':
      return skip('the workspace has anchors, but the trust file pins none');
    case 'external':
      return judgement.isReached ? pass(describeAnchors(judgement)) : skip(describeAnchors(judgement));
  }
}

/** Without these, whatever vouches for the checkpoint vouches for nothing that the reader asked about. */
const FOUNDATIONS: readonly CheckName[] = ['checkpoint_signature', 'merkle_inclusion'];

/**
 * PASS is ANCHORED: the anchors and the witnesses that are demanded, over this one checkpoint, which a pinned key
 * signed and which holds the leaves. Anyone can have an invented log time-stamped, so it is FAIL while one of
 * `FOUNDATIONS` is not PASS.
 */
export async function checkAnchored(context: CheckpointContext): Promise<Verdict> {
  const judgement = await context.judgeAnchors();
  if (judgement.demand === 'none' || judgement.demand === 'file') {
    return notApplicable('no policy requires an external anchor, so nothing outside the service attests the log');
  }
  const missing = FOUNDATIONS.find((check) => context.outcomes.get(check) !== 'PASS');
  if (missing !== undefined)
    throw new CheckFailure(`${missing} is not PASS, so what vouches for this checkpoint does not vouch for the record`);
  const witnesses = await checkWitnesses(context);
  if (judgement.isReached && witnesses.outcome !== 'SKIP')
    return pass('everything that the policy requires attests this checkpoint');
  return skip(
    judgement.isReached
      ? 'the anchors are confirmed, the witnesses are still missing'
      : 'the required anchors are not confirmed yet',
  );
}

/** An anchor that has confirmed the checkpoint and is not pinned is named where the others do not suffice. */
function describeAnchors({ anchors, unpinned, needed, isReached }: AnchorJudgement): string {
  const parts = anchors.map(({ anchorId, outcome }) =>
    outcome.kind === 'confirmed' ? `${anchorId}: ${outcome.detail}` : `${anchorId} ${outcome.reason}`,
  );
  const others = isReached ? [] : unpinned.map((id) => `${id} is not pinned by the trust file`);
  return `${[...parts, ...others].join('; ')} (${needed} needed)`;
}

function readWitnessPolicy(text: string | null, whose: string): WitnessPolicy | null {
  if (text === null) return null;
  try {
    return parseWitnessPolicy(text);
  } catch (error) {
    if (error instanceof WitnessPolicyError)
      throw new CheckFailure(`the witness policy of ${whose} cannot be read: ${error.message}`);
    throw error;
  }
}
