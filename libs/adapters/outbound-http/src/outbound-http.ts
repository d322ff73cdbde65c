import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { OutboundError, type OutboundHttp, type OutboundRequest, type OutboundResponse } from '@answer-evidence/ports';
import { exchange, type PinnedAddress } from './exchange.ts';
import { assertAddresses, type JudgedUrl, judgeUrl, type OutboundRules } from './judge-url.ts';

/** The addresses of a name, as the system resolves it. */
export type Resolve = (host: string) => Promise<readonly PinnedAddress[]>;

/** Rules, and what tests put in the place of the system's name look-up and of the authorities that Node trusts. */
export type OutboundOptions = OutboundRules & { readonly resolve?: Resolve; readonly ca?: string };

/** Calls addresses outside over `node:http` and `node:https`, within the rules. Proxies of the environment are not used. */
export function createOutboundHttp(options: OutboundOptions): OutboundHttp {
  const resolve = options.resolve ?? resolveBySystem;
  return {
    assertAllowed(url) {
      judgeUrl(url, options);
    },
    async post(request) {
      const judged = judgeUrl(request.url, options);
      return await withinTime(request.timeoutMs, async (signal) => {
        const addresses = await resolveOnce(judged, resolve);
        assertAddresses(
          judged,
          addresses.map(({ address }) => address),
          options,
        );
        return await send(judged, addresses, request, signal, options.ca);
      });
    },
  };
}

async function resolveOnce({ host }: JudgedUrl, resolve: Resolve): Promise<readonly PinnedAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  try {
    return await resolve(host);
  } catch (error) {
    throw new OutboundError('unreachable', 'the name of the host could not be resolved', { cause: error });
  }
}

function send(
  judged: JudgedUrl,
  addresses: readonly PinnedAddress[],
  request: OutboundRequest,
  signal: AbortSignal,
  ca: string | undefined,
): Promise<OutboundResponse> {
  // A name look-up cannot be stopped; when it was too slow, nothing may follow it.
  if (signal.aborted) return Promise.reject(timedOut());
  return exchange({ judged, addresses, request, signal, ca });
}

/** One deadline for all of it, in which a peer that sends a byte now and then gains nothing. */
async function withinTime<T>(timeoutMs: number, action: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(timedOut());
      deadline.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([action(deadline.signal), expired]);
  } finally {
    clearTimeout(timer);
  }
}

function timedOut(): OutboundError {
  return new OutboundError('timed_out', 'there was no whole answer in time');
}

async function resolveBySystem(host: string): Promise<readonly PinnedAddress[]> {
  return await lookup(host, { all: true, order: 'verbatim' });
}
