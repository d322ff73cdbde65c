import {
  type Anchor,
  ANCHOR_ARTEFACT_MAX_BYTES,
  type AnchorOutcome,
  type AnchorRequest,
  type Clock,
  OutboundError,
  type OutboundHttp,
  type RandomSource,
  tellTenant,
} from '@answer-evidence/ports';
import { formatTimestampRequest, TimestampError, verifyTimestamp } from '@answer-evidence/rfc3161';

/** What the anchor needs. */
export type Rfc3161Deps = {
  readonly outbound: OutboundHttp;
  readonly random: RandomSource;
  readonly clock: Clock;
  /** For one query, everything together. */
  readonly timeoutMs?: number;
};

const NONCE_BYTES = 16;
const TIMEOUT_MS = 15_000;
const OK = 200;

/** Anchors by a time-stamp (RFC 3161) over the digest, verified at once; kept is the DER TimeStampResp as it came. */
export function createRfc3161Anchor(deps: Rfc3161Deps): Anchor {
  return {
    async submit(request) {
      try {
        return await stamp(deps, request);
      } catch (error) {
        if (error instanceof OutboundError) return failed(tellTenant(error));
        if (error instanceof TimestampError) return failed(error.message);
        throw error;
      }
    },
    /** A token is handed over and kept by nobody but the one who asked for it. */
    readNewest: () => Promise.resolve({ kind: 'read', notes: [] }),
  };
}

async function stamp(deps: Rfc3161Deps, { config, digest, signal }: AnchorRequest): Promise<AnchorOutcome> {
  if (config.type !== 'rfc3161') throw new Error('an anchor of another type was given to rfc3161');
  const nonce = deps.random.bytes(NONCE_BYTES);
  const reply = await deps.outbound.post({
    url: config.url,
    body: formatTimestampRequest({ digest, nonce }),
    contentType: 'application/timestamp-query',
    timeoutMs: deps.timeoutMs ?? TIMEOUT_MS,
    bytesMax: ANCHOR_ARTEFACT_MAX_BYTES,
    signal,
  });
  if (reply.status !== OK) return failed(`the authority responded with status ${reply.status}`);
  // RFC 3161 section 3.4. A page of a proxy would otherwise be reported as a malformed time-stamp.
  const [mediaType = ''] = reply.contentType.split(';');
  if (mediaType.trim().toLowerCase() !== 'application/timestamp-reply') {
    return failed("the authority's response is not a time-stamp");
  }
  const verified = await verifyTimestamp(reply.body, {
    digest,
    nonce,
    rootsPem: [config.certificate_pem],
    nowMicros: deps.clock.nowMicros(),
  });
  return {
    kind: 'confirmed',
    artefact: reply.body,
    at: verified.genTimeMicros,
    endsAt: verified.endsAtMicros,
    detail: `a time-stamp that leads to the pinned certificate sha256:${verified.pinSha256}`,
  };
}

function failed(detail: string): AnchorOutcome {
  return { kind: 'failed', detail };
}
