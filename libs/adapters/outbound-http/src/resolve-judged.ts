import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { OutboundError } from '@answer-evidence/ports';
import { assertAddresses, type JudgedUrl } from './judge-url.ts';
import { timedOut } from './within-time.ts';

/** An address that was judged, and its family: 4 or 6. */
export type PinnedAddress = { readonly address: string; readonly family: number };

/** The addresses of a name, as the system resolves it. */
export type Resolve = (host: string) => Promise<readonly PinnedAddress[]>;

/** The addresses of a judged host, each of which may be called. Throws `OutboundError`. */
export async function resolveJudged(
  judged: JudgedUrl,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly PinnedAddress[]> {
  const addresses = await resolveOnce(judged, resolve);
  assertAddresses(
    judged,
    addresses.map(({ address }) => address),
  );
  // A name look-up cannot be stopped; when it was too slow, nothing may follow it.
  if (signal.aborted) throw timedOut();
  return addresses;
}

/** The look-up of the system. */
export async function resolveBySystem(host: string): Promise<readonly PinnedAddress[]> {
  return await lookup(host, { all: true, order: 'verbatim' });
}

/** The connection goes to the addresses that were judged: a second look-up could answer differently. */
export function pinTo(addresses: readonly PinnedAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else if (first !== undefined) callback(null, first.address, first.family);
    else callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 0);
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
