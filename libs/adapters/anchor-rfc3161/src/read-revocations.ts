import { equalBytes } from '@answer-evidence/encoding';
import { type Clock, OutboundError, type OutboundMethods, tellTenant } from '@answer-evidence/ports';
import {
  assertRevocationList,
  describeOcspFault,
  formatOcspRequests,
  type OcspRequest,
  readListAddresses,
  TimestampError,
} from '@answer-evidence/rfc3161';

type Revocations = { readonly lists: readonly Uint8Array[]; readonly faults: readonly string[] };

/** How many lists, and how many responses, are kept with one renewal, and how large one may be: bundles have them. */
const LISTS_MAX = 8;
const LIST_BYTES_MAX = 32 * 1024;
const TIMEOUT_MS = 15_000;
const OK = 200;

/**
 * Reads the revocation lists (RFC 5280) that the certificates in tokens name, and asks the responders of OCSP (RFC
 * 6960) that they name, at addresses that the service may call. What cannot be had is a fault: a renewal without it is
 * worth more than none.
 */
export function createRevocationReader(outbound: OutboundMethods, clock: Clock) {
  return async (responses: readonly Uint8Array[], signal: AbortSignal): Promise<Revocations> => {
    const addresses = [...new Set(responses.flatMap(addressesOf))];
    const lists: Uint8Array[] = [];
    const faults: string[] = [];
    for (const url of addresses.slice(0, LISTS_MAX)) {
      const read = await readList(outbound, url, signal);
      if (typeof read === 'string') faults.push(`a revocation list was not kept: ${read}`);
      else lists.push(read);
    }
    const requests = await requestsOf(responses);
    for (const request of requests.slice(0, LISTS_MAX)) {
      const read = await askResponder(outbound, request, clock.nowMicros(), signal);
      if (typeof read === 'string') faults.push(`a response of OCSP was not kept: ${read}`);
      else lists.push(read);
    }
    if (addresses.length + requests.length === 0) faults.push('no certificate says where its revocation list is');
    if (requests.length > LISTS_MAX) faults.push(`more than ${LISTS_MAX} certificates name a responder of OCSP`);
    if (addresses.length > LISTS_MAX) faults.push(`more than ${LISTS_MAX} revocation lists are named`);
    return { lists, faults: [...new Set(faults)] };
  };
}

function addressesOf(response: Uint8Array): readonly string[] {
  try {
    return readListAddresses(response);
  } catch (error) {
    if (error instanceof TimestampError) return [];
    throw error;
  }
}

/** The requests for the certificates in tokens, each once. */
async function requestsOf(responses: readonly Uint8Array[]): Promise<readonly OcspRequest[]> {
  const found: OcspRequest[] = [];
  for (const response of responses)
    for (const one of await formatOcspRequests(response).catch(asNone))
      if (!found.some(({ url, der }) => url === one.url && equalBytes(der, one.der))) found.push(one);
  return found;
}

function asNone(error: unknown): readonly OcspRequest[] {
  if (error instanceof TimestampError) return [];
  throw error;
}

/** A list, or why there is none. */
function readList(outbound: OutboundMethods, url: string, signal: AbortSignal): Promise<Uint8Array | string> {
  const request = { method: 'GET', url, body: new Uint8Array(), contentType: '' } as const;
  return read(outbound, request, signal, (body) => {
    assertRevocationList(body);
    return Promise.resolve(undefined);
  });
}

/** A response of OCSP, or why there is none. */
function askResponder(
  outbound: OutboundMethods,
  { url, der }: OcspRequest,
  nowMicros: number,
  signal: AbortSignal,
): Promise<Uint8Array | string> {
  const request = { method: 'POST', url, body: der, contentType: 'application/ocsp-request' } as const;
  return read(outbound, request, signal, (body) => describeOcspFault(body, nowMicros));
}

async function read(
  outbound: OutboundMethods,
  request: Pick<Parameters<OutboundMethods['send']>[0], 'method' | 'url' | 'body' | 'contentType'>,
  signal: AbortSignal,
  judge: (body: Uint8Array) => Promise<string | undefined>,
): Promise<Uint8Array | string> {
  try {
    const { status, body } = await outbound.send({
      ...request,
      timeoutMs: TIMEOUT_MS,
      bytesMax: LIST_BYTES_MAX,
      signal,
    });
    if (status !== OK) return `the response has the status ${status}`;
    return (await judge(body)) ?? body;
  } catch (error) {
    if (error instanceof OutboundError) return tellTenant(error);
    if (error instanceof TimestampError) return 'the response is none that can be read';
    throw error;
  }
}
