import ipaddr from 'ipaddr.js';

/** What an IP address may be called for: anything on the Internet, this very machine, or nothing. */
type AddressClass = 'public' | 'loopback' | 'refused';

/** Azure answers its machines at this public address, with what only they should know. */
const AZURE_PLATFORM = '168.63.129.16';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** The class of a textual address. IPv6 forms of IPv4 (mapped, 6to4, NAT64, Teredo) are refused, not looked through. */
export function classifyAddress(text: string): AddressClass {
  // A zone id would name one of this machine's networks.
  if (text.includes('%') || !ipaddr.isValid(text)) return 'refused';
  const address = ipaddr.parse(text);
  const range = address.range();
  if (range === 'loopback') return 'loopback';
  if (range !== 'unicast' || text === AZURE_PLATFORM) return 'refused';
  // `unicast` is what has no name yet. In IPv6 most of that is not assigned, and no public address either.
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST) ? 'public' : 'refused';
}
