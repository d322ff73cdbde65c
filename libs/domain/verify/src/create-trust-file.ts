import { isExternalAnchor, type LogKeyList, type TrustFile, type TrustPolicy } from '@answer-evidence/contracts';

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
    anchors: policy.anchors.map((anchor) => ({
      anchor_id: anchor.id,
      type: anchor.type,
      required: isExternalAnchor(anchor) && anchor.required,
      certificate_pem: anchor.type === 'rfc3161' ? anchor.certificate_pem : null,
    })),
    anchors_required: policy.anchors_required,
  };
}
