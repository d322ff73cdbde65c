import type { ProvenGroups } from '@answer-evidence/ports';

/** Most groups of one person: beyond it, a provider sends what nobody assigned by hand. */
export const GROUPS_MAX = 2_000;

/**
 * The groups that claims name. Absent: none. Never a part of them: where the provider says that there are more than it
 * sends (`_claim_names`, OpenID Connect Core 1.0, section 5.6.2; `hasgroups` of Entra ID), or sends anything but texts,
 * it is a fault, and a role that follows from fewer groups would be a wrong one.
 */
export function groupsFrom(claims: Readonly<Record<string, unknown>>, claim: string): ProvenGroups {
  if (isElsewhere(claims, claim)) return { reason: 'groups_not_sent' };
  const value = claims[claim];
  if (value === undefined) return { names: new Set() };
  // Some send the only group as a text of its own.
  const listed: unknown[] = Array.isArray(value) ? value : [value];
  if (listed.length > GROUPS_MAX) return { reason: 'too_many_groups' };
  const names = listed.filter((name) => typeof name === 'string');
  return names.length === listed.length ? { names: new Set(names) } : { reason: 'groups_not_texts' };
}

/** Whether the claims say all there is to say about groups. */
export function hasGroups(claims: Readonly<Record<string, unknown>>, claim: string): boolean {
  return claims[claim] !== undefined || isElsewhere(claims, claim);
}

function isElsewhere(claims: Readonly<Record<string, unknown>>, claim: string): boolean {
  const names = claims['_claim_names'];
  const isDistributed = typeof names === 'object' && names !== null && Object.hasOwn(names, claim);
  return isDistributed || (claims['hasgroups'] !== undefined && claims['hasgroups'] !== false);
}
