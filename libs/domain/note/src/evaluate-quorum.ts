import { formatHex } from '@answer-evidence/encoding';
import type { VerifiedCosignature } from './verify-cosignatures.ts';
import type { Vkey } from './vkey.ts';
import type { GroupThreshold, WitnessPolicy } from './witness-policy.ts';

/** What cosignatures by some keys come to under a policy. */
export type QuorumEvaluation = {
  readonly isMet: boolean;
  /** Names of the policy's witnesses that counted, in its order. */
  readonly counted: readonly string[];
};

/**
 * Whether cosignatures by these public keys (hex) meet the quorum of the policy. Only distinct keys of the policy's
 * witnesses count, and never a key of a log: neither one that the policy names nor one of `logKeys`.
 */
export function evaluateQuorum(
  policy: WitnessPolicy,
  cosigningKeys: Iterable<string>,
  logKeys: readonly Vkey[] = [],
): QuorumEvaluation {
  const cosigned = new Set(cosigningKeys);
  for (const { publicKey } of [...policy.logs.map((log) => log.vkey), ...logKeys])
    cosigned.delete(formatHex(publicKey));

  const witnessed = new Set<string>();
  const counted: string[] = [];
  for (const { name, vkey } of policy.witnesses) {
    // A key counts for the first witness that has it: the policy has no second one, and none counts twice.
    if (!cosigned.delete(formatHex(vkey.publicKey))) continue;
    witnessed.add(name);
    counted.push(name);
  }
  // In order: a group's members stand before it.
  for (const { name, threshold, members } of policy.groups) {
    const count = members.filter((member) => witnessed.has(member)).length;
    if (count >= neededOf(threshold, members.length)) witnessed.add(name);
  }
  return { isMet: policy.quorum === null || witnessed.has(policy.quorum), counted };
}

/** When cosignatures reached a quorum, in seconds since 1970, and whose counted by then. */
export type QuorumTime = { readonly seconds: number; readonly counted: readonly string[] };

/**
 * The smallest time by which verified cosignatures meet the quorum: as many witnesses as it takes would have to be
 * wrong together. Undefined where they do not meet it, or where none is asked for.
 */
export function findQuorumTime(
  policy: WitnessPolicy,
  cosignatures: readonly Pick<VerifiedCosignature, 'publicKeyHex' | 'timestamp'>[],
  logKeys: readonly Vkey[] = [],
): QuorumTime | undefined {
  if (policy.quorum === null) return undefined;
  const inOrder = cosignatures.toSorted((a, b) => a.timestamp - b.timestamp);
  for (const { timestamp } of inOrder) {
    // All of one time, so that their order does not matter.
    const until = inOrder.filter((one) => one.timestamp <= timestamp);
    const by = until.map(({ publicKeyHex }) => publicKeyHex);
    const { isMet, counted } = evaluateQuorum(policy, by, logKeys);
    if (isMet) return { seconds: timestamp, counted };
  }
  return undefined;
}

function neededOf(threshold: GroupThreshold, membersCount: number): number {
  if (threshold === 'any') return 1;
  return threshold === 'all' ? membersCount : threshold;
}
