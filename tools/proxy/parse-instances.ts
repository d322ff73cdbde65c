import type { Instances } from './format-proxies.ts';
import { SPLIT_ROLES } from './routing-table.ts';

/** The command line is wrong; the message says where. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A name or an address, and a port: nothing that a configuration could read as more than that. */
const ADDRESS = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,252}):[1-9]\d{0,4}$/;

/**
 * The processes of `role=host:port,host:port`; of a role that is not named, the one of its name. Throws `UsageError`.
 */
export function parseInstances(listed: readonly string[]): Instances['of'] {
  const byRole = new Map<string, readonly string[]>();
  for (const text of listed) {
    const [role = '', addresses = ''] = text.split('=');
    if (!SPLIT_ROLES.some((known) => known === role))
      throw new UsageError(`${text}: must begin with one of ${SPLIT_ROLES.join(', ')}, and "="`);
    const all = addresses.split(',');
    const wrong = all.find((address) => !ADDRESS.test(address));
    if (wrong !== undefined) throw new UsageError(`${role}: "${wrong}" must be host:port`);
    if (new Set(all).size < all.length) throw new UsageError(`${role}: an address is named twice`);
    byRole.set(role, all);
  }
  return (role) => byRole.get(role) ?? [`${role}:8080`];
}
