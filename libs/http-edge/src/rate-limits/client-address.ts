import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, isIPv4 } from 'node:net';

/** What is looked at of a request, over whatever protocol it came, before its body. */
export type ClientRequest = {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/** Which proxies are believed about whom they speak for: so many in a row, or those at these addresses. */
export type TrustedProxies = number | BlockList;

/** Most proxies in a row that a number may name. */
const HOPS_MAX = 10;

/** Reads a number of proxies (0 to 10) or a list (`10.0.0.0/8,::1`); throws for others and networks of everybody. */
export function parseTrustedProxies(text: string): TrustedProxies {
  if (/^\d{1,2}$/.test(text) && Number(text) <= HOPS_MAX) return Number(text);
  const list = new BlockList();
  for (const part of text.split(',')) {
    const [address = '', prefix, ...more] = part.trim().split('/');
    if (isIP(address) === 0 || address.includes('%') || more.length > 0) throw new Error('not an address');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) {
      list.addAddress(address, family);
      continue;
    }
    const bits = /^[1-9]\d{0,2}$/.test(prefix) ? Number(prefix) : 0;
    if (bits === 0 || bits > (family === 'ipv4' ? 32 : 128)) throw new Error('not a network');
    list.addSubnet(address, bits, family);
  }
  return list;
}

/**
 * Whom to count a request for that has no good token: the address of the connection or, when that is a trusted proxy's,
 * the nearest address of `X-Forwarded-For` that no trusted proxy wrote for another. What lies beyond is whatever the
 * client made up.
 */
export function findClientAddress(req: ClientRequest, trusted: TrustedProxies): string {
  let address = canonicalAddress(req.socket.remoteAddress ?? '') ?? 'unknown';
  if (trusted === 0) return address;
  const header = req.headers['x-forwarded-for'];
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
  for (let hops = 0; forwarded.length > 0 && isTrusted(address, trusted, hops); hops++) {
    const next = canonicalAddress(forwarded.pop()?.trim() ?? '');
    if (next === undefined) break;
    address = next;
  }
  return address;
}

/** The key that an address is counted under: an IPv6 address by its /64, since anyone who has one has all of them. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...new Array<string>(zeros).fill('0'), ...right];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/**
 * The network that a key of an address is one of, as far as one party may well have all of it: the /16 of an IPv4
 * address, the /48 of an IPv6 one.
 */
export function networkOf(key: string): string {
  return key.includes(':') ? key.split(':', 3).join(':') : key.split('.', 2).join('.');
}

function isTrusted(address: string, trusted: TrustedProxies, hops: number): boolean {
  if (typeof trusted === 'number') return hops < trusted;
  return isIP(address) !== 0 && trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** One spelling for each address, IPv4-mapped ones as IPv4; undefined for what is not an address. */
function canonicalAddress(text: string): string | undefined {
  const [address = ''] = text.split('%', 1);
  if (isIPv4(address)) return address;
  if (isIP(address) === 0) return undefined;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? new URL(`http://[${address}]`).hostname.slice(1, -1);
}
