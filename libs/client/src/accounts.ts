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
import type { PageRequest } from './records.ts';
import { createRequests, formatQuery } from './request.ts';
import type { Send } from './transport.ts';

/** Signing in and out. */
export type AuthApi = ReturnType<typeof createAuthApi>;
/** Operations on members. */
export type MembersApi = ReturnType<typeof createMembersApi>;

const MEMBERS = '/api/members';

/** Signing in and out over a transport. */
export function createAuthApi(send: Send) {
  const { change } = createRequests(send);
  const isPublic = { isPublic: true };
  return {
    /** A new token for a password. Sent without this client's token; only this response holds the new one. */
    login: async (body: LoginRequest) => change('POST', '/api/auth/login', body, loginReply, isPublic),
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
export function createMembersApi(send: Send) {
  const { get, change } = createRequests(send);
  const pathOf = (id: string) => `${MEMBERS}/${encodeURIComponent(id)}`;
  return {
    /** By name, removed ones too. */
    list: async (page: PageRequest = {}) => get(formatQuery(MEMBERS, page), memberList),
    get: async (id: string) => get(pathOf(id), member),
    /** The answer is the only one that holds the password link. */
    add: async (body: CreateMemberRequest) => change('POST', MEMBERS, body, memberWithLink),
    /** With `password_reset`, the answer is the only one that holds the new link. */
    change: async (id: string, body: PatchMemberRequest) => change('PATCH', pathOf(id), body, memberWithLink),
    async remove(id: string): Promise<void> {
      await send({ method: 'DELETE', path: pathOf(id), repeat: 'safe' });
    },
  };
}
