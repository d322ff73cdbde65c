import {
  findAccessFault,
  type MemberAccess,
  NO_LIMITS,
  type Role,
  roleOf,
  ServiceError,
  type WantedAccess,
} from '@answer-evidence/contracts';
import { type AccessColumns, accessColumns } from '@answer-evidence/ledger';

/** What a request says of a member's access. */
type Wanted = { readonly role?: Role | undefined; readonly access?: WantedAccess | undefined };

/** The columns that a request asks for: `role` alone is that role everywhere; undefined where it names neither. */
export function readWantedAccess({ role, access }: Wanted): AccessColumns | undefined {
  if (access === undefined) return role && accessColumns({ role, ...NO_LIMITS } as MemberAccess);
  const { applications = null, environments = null } = access;
  if (role !== undefined && role !== roleOf(access.role))
    throw refuse('/role', `must be ${roleOf(access.role)} for this access, or be left out`);
  const fault = findAccessFault(access);
  if (fault === 'limited_manager')
    throw refuse('/access', 'must have no limits, since a manager manages the whole workspace');
  if (fault === 'operator_of_environments')
    throw refuse('/access/environments', 'must be null, since tokens of an application are for all environments');
  return accessColumns({ role: access.role, applications, environments });
}

function refuse(pointer: string, detail: string): ServiceError {
  return new ServiceError('schema_violation', 'this access cannot be given', { errors: [{ pointer, detail }] });
}
