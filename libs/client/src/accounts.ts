import {
  type CreateMemberRequest,
  type DeviceLoginRequest,
  type LoginRequest,
  type PatchMemberRequest,
  type SetPasswordRequest,
} from '@answer-evidence/contracts';
import {
  beginDeviceLogin,
  createMember,
  getMember,
  listMembers,
  login,
  logout,
  patchMember,
  redeemDeviceLogin,
  removeMember,
  setPassword,
} from '@answer-evidence/contracts/operations';
import { createCalls } from './calls.ts';
import { compareRepeated } from './compare/compare-repeated.ts';
import { differencesOf } from './compare/differences.ts';
import { type AssertSame, createAgree, sameId } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import type { Send } from './transport.ts';

/** Signing in and out. */
export type AuthApi = ReturnType<typeof createAuthApi>;
/** Operations on members. */
export type MembersApi = ReturnType<typeof createMembersApi>;

/** Signing in and out over a transport. */
export function createAuthApi(send: Send, assertSame: AssertSame) {
  const { call, end } = createCalls(send);
  return {
    /** A new token for a password. Sent without this client's token; only this response holds the new one. */
    async login(body: LoginRequest) {
      const reply = await call(login, { body });
      const asked = body.username.toLowerCase();
      await assertSame(differencesOf({ '/profile/username': [asked, reply.profile.username.toLowerCase()] }));
      return reply;
    },
    /** Begins a sign-in that a person approves in a browser. */
    beginDevice: async (body: DeviceLoginRequest) => call(beginDeviceLogin, { body }),
    /** The token of one, once it is approved; before, `ApiError` with `authorization_pending` or `slow_down`. */
    redeemDevice: async (deviceCode: string) => call(redeemDeviceLogin, { body: { device_code: deviceCode } }),
    /** Ends the token of this client, which can do nothing after. */
    logout: async () => end(logout, {}),
    /** Sets a password by the secret of a link. Sent without this client's token; a link works once. */
    setPassword: async (body: SetPasswordRequest) => call(setPassword, { body }),
  };
}

/** The operations on members over a transport. */
export function createMembersApi(send: Send, assertSame: AssertSame) {
  const { call, end } = createCalls(send);
  const agree = createAgree(assertSame);
  return {
    /** By name, removed ones too. */
    list: async (page: PageRequest = {}) => call(listMembers, { query: page }),
    get: async (id: string) => agree(call(getMember, { params: { member_id: id } }), sameId(id)),
    /** The answer is the only one that holds the password link. */
    add: async (body: CreateMemberRequest) =>
      agree(call(createMember, { body }), (added) => compareRepeated(body, added)),
    /** With `password_reset`, the answer is the only one that holds the new link. */
    change: async (id: string, body: PatchMemberRequest) =>
      agree(call(patchMember, { params: { member_id: id }, body }), (changed) => [
        ...differencesOf({ '/id': [id.toLowerCase(), changed.id] }),
        ...compareRepeated(body, changed),
      ]),
    remove: async (id: string) => end(removeMember, { params: { member_id: id } }),
  };
}
