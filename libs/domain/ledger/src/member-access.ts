import { type MemberAccess, memberAccess, NO_LIMITS, roleOf, ServiceError } from '@answer-evidence/contracts';
import { canonicalize, parseJsonText, readOr } from '@answer-evidence/encoding';
import type { MemberRow } from '@answer-evidence/tables';

/** The columns of a member that say what they may do. */
export type AccessColumns = Pick<MemberRow, 'role' | 'access_json'>;

/** What a member may do, and where. Throws `content_damaged` where the row does not say it: nobody guesses a role. */
export function accessOf({ role, access_json: json }: AccessColumns): MemberAccess {
  if (json === null) return { role, ...NO_LIMITS } as MemberAccess;
  const parsed = memberAccess.safeParse(parsedOf(json));
  if (parsed.success && roleOf(parsed.data.role) === role) return parsed.data;
  throw new ServiceError('content_damaged', 'what a member may do is damaged; run a ledger check', {
    remedy: 'give-up',
  });
}

/** The columns of an access. One access has one form: names are sorted, and none is there twice. */
export function accessColumns({ role, applications, environments }: MemberAccess): AccessColumns {
  const coarse = roleOf(role);
  if (role === coarse && applications === null && environments === null) return { role: coarse, access_json: null };
  const access = { role, applications: listed(applications), environments: listed(environments) };
  return { role: coarse, access_json: canonicalize(access) };
}

function listed(names: readonly string[] | null): string[] | null {
  return names === null ? null : [...new Set(names)].toSorted();
}

function parsedOf(json: string): unknown {
  return readOr(() => parseJsonText(json), undefined);
}
