import { OutboundError, type OutboundMethods, tellTenant } from '@answer-evidence/ports';
import { assertRevocationList, readListAddresses, TimestampError } from '@answer-evidence/rfc3161';

type Revocations = { readonly lists: readonly Uint8Array[]; readonly faults: readonly string[] };

/** How many lists are kept with one renewal, and how large one may be: bundles have them. */
const LISTS_MAX = 8;
const LIST_BYTES_MAX = 32 * 1024;
const TIMEOUT_MS = 15_000;
const OK = 200;

/**
 * Reads the revocation lists (RFC 5280) that the certificates in tokens name, from addresses that the service may
 * call. What cannot be had is a fault: a renewal without it is worth more than none.
 */
export function createRevocationReader(outbound: OutboundMethods) {
  return async (responses: readonly Uint8Array[], signal: AbortSignal): Promise<Revocations> => {
    const addresses = [...new Set(responses.flatMap(addressesOf))];
    const lists: Uint8Array[] = [];
    const faults: string[] = [];
    for (const url of addresses.slice(0, LISTS_MAX)) {
      const read = await readList(outbound, url, signal);
      if (typeof read === 'string') faults.push(`a revocation list was not kept: ${read}`);
      else lists.push(read);
    }
    if (addresses.length === 0) faults.push('no certificate says where its revocation list is');
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

/** A list, or why there is none. */
async function readList(outbound: OutboundMethods, url: string, signal: AbortSignal): Promise<Uint8Array | string> {
  try {
    const { status, body } = await outbound.send({
      method: 'GET',
      url,
      body: new Uint8Array(),
      contentType: '',
      timeoutMs: TIMEOUT_MS,
      bytesMax: LIST_BYTES_MAX,
      signal,
    });
    if (status !== OK) return `the response has the status ${status}`;
    assertRevocationList(body);
    return body;
  } catch (error) {
    if (error instanceof OutboundError) return tellTenant(error);
    if (error instanceof TimestampError) return 'the response is none that can be read';
    throw error;
  }
}
