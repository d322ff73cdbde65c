import {
  type CreateMemberRequest,
  deviceLogin,
  type DeviceLoginRequest,
  loginReply,
  type LoginRequest,
  member,
  memberList,
  memberWithLink,
  type PatchMemberRequest,
  profile,
  type SetPasswordRequest,
} from '@answer-evidence/contracts';
import { compareRepeated } from './compare/compare-repeated.ts';
import { differencesOf } from './compare/differences.ts';
import type { AssertSame } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import { createRequests, formatQuery } from './request.ts';
import type { Send } from './transport.ts';

/** Signing in and out. */
export type AuthApi = ReturnType<typeof createAuthApi>;
/** Operations on members. */
export type MembersApi = ReturnType<typeof createMembersApi>;

const MEMBERS = '/api/members';

/** Signing in and out over a transport. */
export function createAuthApi(send: Send, assertSame: AssertSame) {
  const { change } = createRequests(send);
  const isPublic = { isPublic: true };
  return {
    /** A new token for a password. Sent without this client's token; only this response holds the new one. */
    async login(body: LoginRequest) {
      const reply = await change('POST', '/api/auth/login', body, loginReply, isPublic);
      const asked = body.username.toLowerCase();
      await assertSame(differencesOf({ '/profile/username': [asked, reply.profile.username.toLowerCase()] }));
      return reply;
    },
    /** Begins a sign-in that a person approves in a browser. */
    beginDevice: async (body: DeviceLoginRequest) => change('POST', '/api/auth/device', body, deviceLogin, isPublic),
    /** The token of one, once it is approved; before, `ApiError` with `authorization_pending` or `slow_down`. */
    redeemDevice: async (deviceCode: string) =>
      change('POST', '/api/auth/device/token', { device_code: deviceCode }, loginReply, isPublic),
    /** Ends the token of this client, which can do nothing after. */
    async logout(): Promise<void> {
      await send({ method: 'POST', path: '/api/auth/logout', repeat: 'safe' });
    },
    /** Sets a password by the secret of a link. Sent without this client's token; a link works once. */
    setPassword: async (body: SetPasswordRequest) => change('POST', '/api/auth/password', body, profile, isPublic),
  };
}

/** The operations on members over a transport. */
export function createMembersApi(send: Send, assertSame: AssertSame) {
  const { get, change } = createRequests(send);
  const pathOf = (id: string) => `${MEMBERS}/${encodeURIComponent(id)}`;
  return {
    /** By name, removed ones too. */
    list: async (page: PageRequest = {}) => get(formatQuery(MEMBERS, page), memberList),
    async get(id: string) {
      const found = await get(pathOf(id), member);
      await assertSame(differencesOf({ '/id': [id.toLowerCase(), found.id] }));
      return found;
    },
    /** The answer is the only one that holds the password link. */
    async add(body: CreateMemberRequest) {
      const added = await change('POST', MEMBERS, body, memberWithLink);
      await assertSame(compareRepeated(body, added));
      return added;
    },
    /** With `password_reset`, the answer is the only one that holds the new link. */
    async change(id: string, body: PatchMemberRequest) {
      const changed = await change('PATCH', pathOf(id), body, memberWithLink);
      await assertSame([
        ...differencesOf({ '/id': [id.toLowerCase(), changed.id] }),
        ...compareRepeated(body, changed),
      ]);
      return changed;
    },
    async remove(id: string): Promise<void> {
      await send({ method: 'DELETE', path: pathOf(id), repeat: 'safe' });
    },
  };
}
