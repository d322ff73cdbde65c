import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type OutboundCall, OutboundError, type OutboundMethods, type OutboundReply } from '@answer-evidence/ports';
import { exchange, type PinnedAddress } from './exchange.ts';
import { assertAddresses, type JudgedUrl, judgeUrl, type OutboundRules } from './judge-url.ts';

/** The addresses of a name, as the system resolves it. */
export type Resolve = (host: string) => Promise<readonly PinnedAddress[]>;

/** Rules, and what tests put in the place of the system's name look-up and of the authorities that Node trusts. */
export type OutboundOptions = OutboundRules & { readonly resolve?: Resolve; readonly ca?: string };

/** Calls outside addresses over `node:http` and `node:https`, within the rules. Ignores proxies in the environment. */
export function createOutboundHttp(options: OutboundOptions): OutboundMethods {
  const resolve = options.resolve ?? resolveBySystem;

  async function send(call: OutboundCall): Promise<OutboundReply> {
    const judged = judgeUrl(call.url, options);
    return await withinTime(call, async (signal) => {
      const addresses = await resolveOnce(judged, resolve);
      assertAddresses(
        judged,
        addresses.map(({ address }) => address),
      );
      // A name look-up cannot be stopped; when it was too slow, nothing may follow it.
      if (signal.aborted) throw timedOut();
      return await exchange({ judged, addresses, call, signal, ca: options.ca });
    });
  }

  return {
    assertAllowed(url) {
      judgeUrl(url, options);
    },
    async post(request) {
      const { status, contentType, body } = await send({ ...request, method: 'POST' });
      return { status, contentType, body };
    },
    send,
  };
}

async function resolveOnce({ host }: JudgedUrl, resolve: Resolve): Promise<readonly PinnedAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  try {
    return await resolve(host);
  } catch (error) {
    throw new OutboundError('unreachable', 'the host name could not be resolved', { cause: error });
  }
}

/** One deadline for the whole exchange: a peer gains nothing by trickling bytes. The caller may end it sooner. */
async function withinTime<T>(call: OutboundCall, action: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let expire = (): void => undefined;
  const expired = new Promise<never>((_, reject) => {
    expire = () => {
      reject(timedOut());
      deadline.abort();
    };
    timer = setTimeout(expire, call.timeoutMs);
    call.signal?.addEventListener('abort', expire, { once: true });
  });
  if (call.signal?.aborted === true) expire();
  try {
    return await Promise.race([action(deadline.signal), expired]);
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', expire);
  }
}

function timedOut(): OutboundError {
  return new OutboundError('timed_out', 'no complete response arrived in time');
}

async function resolveBySystem(host: string): Promise<readonly PinnedAddress[]> {
  return await lookup(host, { all: true, order: 'verbatim' });
}
