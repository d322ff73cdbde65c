import type { ShownTrustPolicy, TrustPolicy } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import type { VersionedTrustPolicy } from '@answer-evidence/ports';
import type { RouteReply } from '@answer-evidence/routes';

/** The strong entity tag (RFC 9110 section 8.8.3) of a version of the trust policy. */
export function formatPolicyTag(version: number): string {
  return `"t${version}"`;
}

/** A trust policy as everybody may see it. */
function toPolicyResource({ values, version, updatedAt }: VersionedTrustPolicy): TrustPolicy {
  return { ...values, version, updated_at: updatedAt === null ? null : formatTimestamp(updatedAt) };
}

/** The same as evidence shows it. */
export function toShownPolicy(policy: VersionedTrustPolicy): ShownTrustPolicy {
  const { log_signatures: _, ...shown } = toPolicyResource(policy);
  return shown;
}

/** The reply that shows the policy, with its ETag. */
export function replyWithPolicy(policy: VersionedTrustPolicy): RouteReply {
  return { status: 200, headers: { ETag: formatPolicyTag(policy.version) }, body: toPolicyResource(policy) };
}
