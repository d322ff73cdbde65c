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
import { createCalls, toCall } from './calls.ts';
import { compareRepeated } from './compare/compare-repeated.ts';
import { differencesOf } from './compare/differences.ts';
import type { AssertSame } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import type { Send } from './transport.ts';

/** Signing in and out. */
export type AuthApi = ReturnType<typeof createAuthApi>;
/** Operations on members. */
export type MembersApi = ReturnType<typeof createMembersApi>;

/** Signing in and out over a transport. */
export function createAuthApi(send: Send, assertSame: AssertSame) {
  const { call } = createCalls(send);
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
    async logout(): Promise<void> {
      await send(toCall(logout, {}, { repeat: 'safe' }));
    },
    /** Sets a password by the secret of a link. Sent without this client's token; a link works once. */
    setPassword: async (body: SetPasswordRequest) => call(setPassword, { body }),
  };
}

/** The operations on members over a transport. */
export function createMembersApi(send: Send, assertSame: AssertSame) {
  const { call } = createCalls(send);
  return {
    /** By name, removed ones too. */
    list: async (page: PageRequest = {}) => call(listMembers, { query: page }),
    async get(id: string) {
      const found = await call(getMember, { params: { member_id: id } });
      await assertSame(differencesOf({ '/id': [id.toLowerCase(), found.id] }));
      return found;
    },
    /** The answer is the only one that holds the password link. */
    async add(body: CreateMemberRequest) {
      const added = await call(createMember, { body });
      await assertSame(compareRepeated(body, added));
      return added;
    },
    /** With `password_reset`, the answer is the only one that holds the new link. */
    async change(id: string, body: PatchMemberRequest) {
      const changed = await call(patchMember, { params: { member_id: id }, body });
      await assertSame([
        ...differencesOf({ '/id': [id.toLowerCase(), changed.id] }),
        ...compareRepeated(body, changed),
      ]);
      return changed;
    },
    async remove(id: string): Promise<void> {
      await send(toCall(removeMember, { params: { member_id: id } }, { repeat: 'safe' }));
    },
  };
}
