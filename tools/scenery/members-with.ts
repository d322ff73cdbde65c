import { randomUUID } from 'node:crypto';
import type { WantedAccess } from '@answer-evidence/contracts';
import { systemClock, systemRandom } from '@answer-evidence/node-crypto';
import { issueUserToken } from '@answer-evidence/stage-workspace';
import type { Stores } from '../../libs/runtime/src/open/open-stores.ts';
import type { TestService } from './test-service.ts';

/** A member who may do this, a token of theirs, and the secret of the link by which they set a password. */
export type MemberWith = { readonly id: string; readonly token: string; readonly secret: string };

/** Adds a member with an access. */
export async function addMemberWith(
  service: TestService,
  stores: Stores,
  workspaceId: string,
  access: WantedAccess,
): Promise<MemberWith> {
  const username = `${access.role.replace('_', '-')}-${randomUUID().slice(0, 8)}`;
  const added = await service.call('POST', '/api/members', { body: { username, access } });
  if (added.status !== 201) throw new Error(added.text);
  const { id, password_link: link } = added.body;
  return { id, token: await issueTokenOf(stores, workspaceId, id), secret: link.secret };
}

/** Has a member set a password by their link; tokens of before are over. */
export async function useLink(
  service: TestService,
  stores: Stores,
  workspaceId: string,
  { id, secret }: MemberWith,
): Promise<MemberWith> {
  const body = { secret, password: 'a password of the tests' };
  const reply = await service.call('POST', '/api/auth/password', { token: null, body });
  if (reply.status >= 300) throw new Error(reply.text);
  return { id, secret, token: await issueTokenOf(stores, workspaceId, id) };
}

/** A token of a member, as a sign-in would give it. */
export async function issueTokenOf(stores: Stores, workspaceId: string, memberId: string): Promise<string> {
  const deps = { ledger: stores.ledger, clock: systemClock, random: systemRandom };
  const actor = { kind: 'service', id: 'test', token_id: null } as const;
  return (await issueUserToken(deps, workspaceId, { id: memberId }, `of a role ${randomUUID()}`, 3_600, actor)).token;
}
