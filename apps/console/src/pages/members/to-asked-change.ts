import type { PatchMemberRequest, RequestedMember } from '@answer-evidence/contracts';

/** Several changes need a second person at once, who can be asked for one of them. */
export class OneByOneError extends Error {
  override readonly name = 'OneByOneError';
}

/** A change of a member as a second person is asked for it. Throws `OneByOneError` where it is more than one. */
export function toAskedChange({
  access,
  disabled,
  ...others
}: Omit<PatchMemberRequest, 'role' | 'version'>): Pick<RequestedMember, 'change' | 'access'> {
  const isOne = Object.keys(others).length === 0 && (access === undefined || disabled === undefined);
  if (isOne && access !== undefined) return { change: 'access', access };
  if (isOne && disabled === true) return { change: 'disable' };
  throw new OneByOneError();
}
