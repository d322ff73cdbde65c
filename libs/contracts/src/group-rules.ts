import * as z from 'zod';
import { findAccessFault, type MemberAccess, wantedAccess } from './roles.ts';
import { atMost } from './text-length.ts';

/** Most rows of the table of groups. */
export const GROUP_RULES_MAX = 500;

const row = wantedAccess.extend({
  group: z.string().min(1, 'must not be empty').check(atMost(500)),
  adopt: z.boolean().optional(),
});

/** The table by which groups at a provider give roles, as an operator writes it. The first row that fits counts. */
export const groupRules = z.array(row).min(1, 'must have a row').max(GROUP_RULES_MAX);

/** What a group gives. `adopts`: to members whom a manager added, too; their role follows their groups from then on. */
export type GroupRule = { readonly group: string; readonly access: MemberAccess; readonly adopts: boolean };

/** Such a row as a rule. Throws an `Error` for an access that nobody can have; its message is a sentence. */
export function toGroupRule({ group, adopt = false, ...wanted }: z.infer<typeof row>): GroupRule {
  const fault = findAccessFault(wanted);
  if (fault === 'limited_manager') throw new Error('a manager has no limits');
  if (fault === 'operator_of_environments') throw new Error('an application operator has no environments');
  const { role, applications = null, environments = null } = wanted;
  return { group, access: { role, applications, environments }, adopts: adopt };
}
