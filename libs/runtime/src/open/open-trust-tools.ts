import { createRekorAnchor } from '@answer-evidence/anchor-rekor';
import { createRevocationReader, createRfc3161Anchor } from '@answer-evidence/anchor-rfc3161';
import { MICROS_PER_DAY } from '@answer-evidence/encoding';
import { openFileAnchor } from '@answer-evidence/filesystem';
import { systemClock, systemRandom, verifySignature } from '@answer-evidence/node-crypto';
import { openPackPage, openProofPage } from '@answer-evidence/pack-page';
import { extractToken, parsePinnedCertificates, verifyTimestampOver } from '@answer-evidence/rfc3161';
import { createObjectLockAnchor } from '@answer-evidence/s3';
import type { TrustDeps } from '@answer-evidence/stage-trust';
import type { Config } from '../ground/config.ts';
import { createOutbound } from '../ground/create-outbound.ts';
import { anchorsFolderOf } from '../ground/data-folders.ts';

/** What the trust stage calls outside this machine, and its readers. Makes the folder of the file anchor. */
export async function openTrustTools(
  config: Config,
): Promise<
  Pick<
    TrustDeps,
    | 'outbound'
    | 'anchors'
    | 'verifyTimestamp'
    | 'extractToken'
    | 'readRevocations'
    | 'renewalLeadMicros'
    | 'parseCertificates'
    | 'packPage'
    | 'proofPage'
  >
> {
  const outbound = createOutbound(config);
  return {
    outbound,
    anchors: {
      file: await openFileAnchor(anchorsFolderOf(config)),
      rfc3161: createRfc3161Anchor({ outbound, random: systemRandom, clock: systemClock }),
      rekor: createRekorAnchor({ outbound, clock: systemClock, verifySignature }),
      'object-lock': createObjectLockAnchor({ outbound, clock: systemClock }),
    },
    verifyTimestamp: verifyTimestampOver,
    extractToken,
    readRevocations: createRevocationReader(outbound, systemClock),
    renewalLeadMicros: config.SERVICE_RENEWAL_LEAD_DAYS * MICROS_PER_DAY,
    parseCertificates: parsePinnedCertificates,
    packPage: openPackPage(),
    proofPage: openProofPage(),
  };
}
