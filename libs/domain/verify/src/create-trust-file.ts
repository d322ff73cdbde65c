import {
  certificateOf,
  isExternalAnchor,
  type LogKeyList,
  logKeysOf,
  type PinnedAnchor,
  type TrustFile,
  type TrustPolicy,
  type TrustPolicyValues,
} from '@answer-evidence/contracts';

/** A trust file of what a service says of its own log. Who relies on it compares the keys over another channel. */
export function createTrustFile(keys: LogKeyList, policy: TrustPolicy): TrustFile {
  const pins = keys.items.map(({ vkey, first_tree_size, last_tree_size }) => ({
    vkey,
    first_tree_size,
    last_tree_size,
  }));
  return {
    format: 'answer-evidence-trust/v1',
    logs: [{ origin: keys.origin, keys: pins }, ...keys.earlier],
    witness_policy: policy.witness_policy,
    tsa_roots: [],
    anchors: [...pinAnchors(policy)],
    anchors_required: policy.anchors_required,
  };
}

/** The anchors that a policy demands, as a verifier pins them. */
export function pinAnchors({ anchors }: Pick<TrustPolicyValues, 'anchors'>): readonly PinnedAnchor[] {
  return anchors.map((anchor) => {
    const logKeys = logKeysOf(anchor);
    return {
      anchor_id: anchor.id,
      type: anchor.type,
      required: isExternalAnchor(anchor) && anchor.required,
      certificate_pem: certificateOf(anchor),
      ...(logKeys === null ? {} : { log_keys: logKeys }),
    };
  });
}
