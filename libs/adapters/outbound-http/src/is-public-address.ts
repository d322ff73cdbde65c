import ipaddr from 'ipaddr.js';

/** Azure answers its machines at this public address, with what only they should know. */
const AZURE_PLATFORM = '168.63.129.16';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether a textual address is public. IPv6 forms of IPv4 (mapped, 6to4, NAT64, Teredo) never are. */
export function isPublicAddress(text: string): boolean {
  // A zone id would name one of this machine's networks.
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || text === AZURE_PLATFORM) return false;
  // `unicast` is what has no name yet. In IPv6 most of that is not assigned, and no public address either.
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
}
