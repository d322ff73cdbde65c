import { isLoopbackHost, createOutboundHttp, parseAllowList } from '@answer-evidence/outbound-http';
import type { Anchor } from '@answer-evidence/ports';
import { parsePinnedCertificates, verifyTimestampOver } from '@answer-evidence/rfc3161';
import type { TrustParts } from '@answer-evidence/stage-trust';
import type { Config } from './config.ts';

/** What the trust stage calls outside of this machine, and how it reads what comes back. */
export function createTrustTools(
  config: Config,
): Pick<TrustParts, 'outbound' | 'anchors' | 'verifyTimestamp' | 'parseCertificates'> {
  const outbound = createOutboundHttp({
    allowList: parseAllowList(config.SERVICE_OUTBOUND_ALLOW ?? ''),
    // Whoever can reach a service that listens here alone can reach everything else on this machine too.
    allowLoopback: isLoopbackHost(config.SERVICE_HTTP_HOST),
  });
  return {
    outbound,
    anchors: { file: NOT_AVAILABLE, rfc3161: NOT_AVAILABLE, 'object-lock': NOT_AVAILABLE },
    verifyTimestamp: verifyTimestampOver,
    parseCertificates: parsePinnedCertificates,
  };
}

const NOT_AVAILABLE: Anchor = {
  submit: () => Promise.resolve({ kind: 'failed', detail: 'this type of anchor is not available' }),
};
