import { hashCore } from '@answer-evidence/commitments';
import {
  isExternalAnchor,
  shownTrustPolicy,
  type TrustFile,
  trustPolicyCore,
  type TrustPolicyValues,
} from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import {
  COSIGNATURE_ML_DSA_44,
  parseVkey,
  parseWitnessPolicy,
  type PolicyWitness,
  type WitnessPolicy,
  WitnessPolicyError,
} from '@answer-evidence/note';
import { readEntry } from './bundle-context.ts';
import type { KeptEntry } from './packs/verify-pack.ts';
import { CheckFailure } from './verdict.ts';

/** The demands of a policy that a trust file can be compared with. */
type Demands = Pick<TrustPolicyValues, 'anchors' | 'anchors_required' | 'witness_policy'> &
  Partial<Pick<TrustPolicyValues, 'log_signatures'>>;

/**
 * What a policy demands less than a trust file does, each as a clause; none where it demands as much. The trust file
 * still decides: this is for its owner, who may be asked to replace it by a weaker one.
 */
function findWeakerDemands(policy: Demands, trust: TrustFile): readonly string[] {
  const external = policy.anchors.filter(isExternalAnchor);
  const pinned = trust.anchors?.filter(isExternalAnchor) ?? [];
  const needed = pinned.length === 0 ? 0 : Math.max(1, trust.anchors_required ?? 0);
  const offered = external.length === 0 ? 0 : Math.max(1, policy.anchors_required);
  const isRequired = (id: string) => external.some((anchor) => anchor.id === id && anchor.required);
  const dropped = pinned.filter(({ anchor_id: id, required }) => required && !isRequired(id));
  const gone = pinned.filter(({ anchor_id: id }) => !external.some((anchor) => anchor.id === id));
  return [
    ...(offered < needed ? [`${countOf(offered, 'anchor', 'anchors')} instead of ${needed}`] : []),
    ...dropped.map(({ anchor_id: id }) => `the anchor ${id} is required no longer`),
    ...gone.filter((pin) => !dropped.includes(pin)).map(({ anchor_id: id }) => `the anchor ${id} is there no longer`),
    ...compareWitnesses(policy.witness_policy, trust.witness_policy),
    ...(policy.log_signatures === 'ed25519' && pinsMlDsa(trust)
      ? ['no ML-DSA-44 signature of the log, whose key of it the trust file pins']
      : []),
  ];
}

/** Whether the trust file pins an ML-DSA-44 key of a log without an end. */
function pinsMlDsa({ logs }: TrustFile): boolean {
  return logs
    .flatMap(({ keys }) => keys)
    .some(({ vkey, last_tree_size: last }) => last === null && parseVkey(vkey).type === COSIGNATURE_ML_DSA_44);
}

function countOf(count: number, noun: string, nouns: string): string {
  return `${count === 0 ? 'no' : count} ${count === 1 || count === 0 ? noun : nouns}`;
}

function compareWitnesses(policy: string, trust: string | null): readonly string[] {
  const pinned = trust === null ? null : readPolicy(trust);
  if (pinned === null || pinned.quorum === null) return [];
  const now = readPolicy(policy);
  if (now === null) return ['a witness policy that cannot be read'];
  const [least, needed] = [leastOf(now, now.quorum), leastOf(pinned, pinned.quorum)];
  const known = new Set(pinned.witnesses.map(keyOf));
  return [
    ...(least < needed ? [`${countOf(least, 'witness', 'witnesses')} instead of ${needed}`] : []),
    ...(now.witnesses.every((witness) => known.has(keyOf(witness)))
      ? []
      : ['witnesses that the trust file does not name']),
  ];
}

function keyOf({ vkey }: PolicyWitness): string {
  return formatHex(vkey.publicKey);
}

function readPolicy(text: string): WitnessPolicy | null {
  try {
    return parseWitnessPolicy(text);
  } catch (error) {
    if (error instanceof WitnessPolicyError) return null;
    throw error;
  }
}

/** The least number of witnesses that a name of a policy can be met by. Nobody is a member of two groups. */
function leastOf(policy: WitnessPolicy, name: string | null): number {
  if (name === null) return 0;
  const group = policy.groups.find((one) => one.name === name);
  if (group === undefined) return 1;
  const each = group.members.map((member) => leastOf(policy, member)).toSorted((a, b) => a - b);
  const count = group.threshold === 'all' ? each.length : group.threshold === 'any' ? 1 : group.threshold;
  return each.slice(0, count).reduce((sum, least) => sum + least, 0);
}

/** What is known of the policies of a log beside a trust file. */
export type KnownPolicies = {
  /** The policy that a bundle or proof shows. */
  readonly shown?: unknown;
  /** Entries that were given with their cores. */
  readonly kept?: readonly KeptEntry[];
  /** The entries of the log, as far as they are at hand. */
  readonly entries?: readonly (string | undefined)[];
};

/**
 * Says where a log's policy demands less than the trust file of the caller, or may do so, as sentences for people.
 * A log has times of changes, and no contents: these are in the entries that its owner shows.
 */
export function describeWeakerPolicies(
  { shown, kept = [], entries = [] }: KnownPolicies,
  trust: TrustFile,
): readonly string[] {
  const policy = shownTrustPolicy.safeParse(shown);
  const weaker = (whose: string, demands: Demands) => {
    const found = findWeakerDemands(demands, trust);
    return found.length === 0 ? [] : [`${whose} demands less than your trust file: ${found.join('; ')}. ${STILL}`];
  };
  const changed = kept.flatMap((entry) => readChange(entry) ?? []);
  const leaves = entries.flatMap((entry, leaf) => (entry?.includes('"trust_policy_changed"') === true ? [leaf] : []));
  return [
    ...(policy.success ? weaker('the policy that the evidence shows', policy.data) : []),
    ...changed.flatMap(({ at, demands }) => weaker(`the policy of ${at}`, demands)),
    ...(leaves.length === 0 || changed.length > 0 ? [] : [describePolicyChanges(leaves)]),
  ];
}

const STILL = 'Your trust file still decides; before you replace it, ask why';
const LISTED_MAX = 3;

/** What is to be said of leaves that change the policy of a log, whose contents no log has. */
export function describePolicyChanges(leaves: readonly number[]): string {
  return (
    `the log has announced a change of its trust policy, at leaf ${leaves.slice(-LISTED_MAX).join(', ')}; ` +
    'it may demand less than your trust file: compare its entry (`entries show`)'
  );
}

function readChange({ entry, core }: KeptEntry): { readonly at: string; readonly demands: Demands } | undefined {
  const read = trustPolicyCore.safeParse(core);
  if (!read.success) return undefined;
  try {
    const { type, hash, at } = readEntry({ name: 'the entry', entry });
    if (type !== 'trust_policy_changed' || hash !== hashCore(type, core)) return undefined;
    return { at, demands: read.data.policy };
  } catch (error) {
    // An entry that is not one fails where it is verified.
    if (error instanceof CheckFailure) return undefined;
    throw error;
  }
}
