import { trimSlashes, utf8 } from '@answer-evidence/encoding';
import { parseNote, type VerifySignature } from '@answer-evidence/note';
import {
  type Anchor,
  ANCHOR_ARTEFACT_MAX_BYTES,
  type AnchorOutcome,
  type AnchorProbe,
  type AnchorRequest,
  type Clock,
  OutboundError,
  type OutboundMethods,
  tellTenant,
} from '@answer-evidence/ports';
import {
  formatSubmission,
  parseLogKeys,
  readResponse,
  RekorError,
  verifyEntry,
  verifyHead,
} from '@answer-evidence/rekor';
import { signOnce } from './sign-once.ts';

/** What the anchor needs. */
export type RekorDeps = {
  readonly outbound: OutboundMethods;
  readonly clock: Clock;
  readonly verifySignature: VerifySignature;
  /** For one request, everything together. */
  readonly timeoutMs?: number;
};

/** A log responds when a checkpoint has the entry; its own limit is 20 s. */
const TIMEOUT_MS = 30_000;
const STATUS = { ok: 200, created: 201, frozen: 405, duplicate: 409, tooMany: 429, pushback: 503 } as const;
const RETIRED =
  'the log is retired and takes no more entries; set url and log_keys to a newer one, and keep the old key in log_keys';

type Query = Pick<AnchorRequest, 'config' | 'signal'>;

/**
 * Anchors by an entry of a public log of Rekor v2 over the digest. What the log responds is verified under the pinned
 * keys at once, and kept: no log of this kind is searched by a hash later.
 */
export function createRekorAnchor(deps: RekorDeps): Anchor {
  return {
    submit: (request) => told(() => submit(deps, request)),
    /** The log has hashes and no notes. */
    readNewest: () => Promise.resolve({ kind: 'read', notes: [] }),
    probe: (query) => told(() => readHead(deps, query)),
  };
}

async function told<T>(act: () => Promise<T>): Promise<T | { readonly kind: 'failed'; readonly detail: string }> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof OutboundError) return failed(tellTenant(error));
    if (error instanceof RekorError) return failed(error.message);
    throw error;
  }
}

async function submit(deps: RekorDeps, { config, note, digest, signal }: AnchorRequest): Promise<AnchorOutcome> {
  const { url, log_keys: logKeys } = configOf(config);
  if (isRetired(deps, url, logKeys)) return failed(RETIRED);
  const signed = signOnce(utf8(parseNote(note).text));
  const { status, contentType, body } = await deps.outbound.post({
    url: `${url}/api/v2/log/entries`,
    body: formatSubmission({ digest, ...signed }),
    contentType: 'application/json',
    timeoutMs: deps.timeoutMs ?? TIMEOUT_MS,
    bytesMax: ANCHOR_ARTEFACT_MAX_BYTES,
    signal,
  });
  const refusal = describeStatus(status);
  if (refusal !== undefined) return failed(refusal);
  if (!isJson(contentType)) return failed("the log's response is not an entry of Rekor v2");
  const artefact = readResponse(body);
  if (artefact.length > ANCHOR_ARTEFACT_MAX_BYTES) return failed("the log's response is too large");
  const { log, index } = await verifyEntry(artefact, digest, logKeys, deps.verifySignature);
  return { kind: 'confirmed', artefact, at: null, detail: `entry ${index} of the log ${log}` };
}

/** Reads the log's checkpoint: a trial entry would be public for ever. */
async function readHead(deps: RekorDeps, { config, signal }: Query): Promise<AnchorProbe> {
  const { url, log_keys: logKeys } = configOf(config);
  if (isRetired(deps, url, logKeys)) return failed(RETIRED);
  const { status, body } = await deps.outbound.send({
    method: 'GET',
    url: `${url}/api/v2/checkpoint`,
    body: new Uint8Array(0),
    contentType: '',
    timeoutMs: deps.timeoutMs ?? TIMEOUT_MS,
    bytesMax: ANCHOR_ARTEFACT_MAX_BYTES,
    signal,
  });
  if (status !== STATUS.ok) return failed(`the log responded with status ${status}`);
  const { checkpoint } = await verifyHead(new TextDecoder().decode(body), parseLogKeys(logKeys), deps.verifySignature);
  const detail = `the log ${checkpoint.origin} has ${checkpoint.size} entries, signed by a pinned key; nothing was added`;
  return { kind: 'works', detail };
}

function isRetired({ clock }: RekorDeps, url: string, logKeys: string): boolean {
  const log = parseLogKeys(logKeys).find((one) => one.url !== null && trimSlashes(one.url) === url);
  return log !== undefined && log.retiredAt !== null && log.retiredAt <= clock.nowMicros();
}

function describeStatus(status: number): string | undefined {
  switch (status) {
    case STATUS.ok:
    case STATUS.created:
      return undefined;
    case STATUS.frozen:
      return RETIRED;
    case STATUS.duplicate:
      return 'the log has this very entry already and proves it only once; the next attempt makes another one';
    case STATUS.tooMany:
    case STATUS.pushback:
      return `the log takes no more entries for now (status ${status})`;
    default:
      return `the log refused the entry (status ${status})`;
  }
}

function isJson(contentType: string): boolean {
  const [mediaType = ''] = contentType.split(';');
  return mediaType.trim().toLowerCase() === 'application/json';
}

function configOf(config: AnchorRequest['config']): { readonly url: string; readonly log_keys: string } {
  if (config.type !== 'rekor') throw new Error('an anchor of another type was given to rekor');
  return { url: trimSlashes(config.url), log_keys: config.log_keys };
}

function failed(detail: string): { readonly kind: 'failed'; readonly detail: string } {
  return { kind: 'failed', detail };
}
