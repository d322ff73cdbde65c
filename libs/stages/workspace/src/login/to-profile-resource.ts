import type { Profile } from '@answer-evidence/contracts';
import { accessOf } from '@answer-evidence/ledger';
import type { SignedIn } from './verify-login.ts';

/** Who has signed in, and where, as the API says it. */
export function toProfileResource({ member, workspace }: Pick<SignedIn, 'member' | 'workspace'>): Profile {
  return {
    username: member.username,
    tenant_slug: workspace.slug,
    tenant_display_name: workspace.displayName,
    role: member.role,
    access: accessOf(member),
  };
}
