import {
  type CreateMemberRequest,
  type LoginReply,
  loginReply,
  type LoginRequest,
  type Member,
  memberList,
  type MemberWithLink,
  memberWithLink,
  type PatchMemberRequest,
  type Profile,
  profile,
  type SetPasswordRequest,
} from '@answer-evidence/contracts';
import { request } from './request.ts';
import type { Send } from './transport.ts';

/** Signing in and out. */
export type AuthApi = {
  /** A new token for a password. Sent without this client's token; only this response holds the new one. */
  login(body: LoginRequest): Promise<LoginReply>;
  /** Ends the token of this client, which can do nothing after. */
  logout(): Promise<void>;
  /** Sets a password by the secret of a link. Sent without this client's token; a link works once. */
  setPassword(body: SetPasswordRequest): Promise<Profile>;
};

/** Operations on members. */
export type MembersApi = {
  list(): Promise<readonly Member[]>;
  /** The answer is the only one that holds the password link. */
  add(body: CreateMemberRequest): Promise<MemberWithLink>;
  /** With `password_reset`, the answer is the only one that holds the new link. */
  change(id: string, body: PatchMemberRequest): Promise<MemberWithLink>;
  remove(id: string): Promise<void>;
};

const MEMBERS = '/api/members';

/** Signing in and out over a transport. */
export function createAuthApi(send: Send): AuthApi {
  const open = { method: 'POST', repeat: 'unprocessed', isPublic: true } as const;
  return {
    async login(body) {
      return (await request(send, { ...open, path: '/api/auth/login', body }, loginReply)).value;
    },
    async logout() {
      await send({ method: 'POST', path: '/api/auth/logout', repeat: 'safe' });
    },
    async setPassword(body) {
      return (await request(send, { ...open, path: '/api/auth/password', body }, profile)).value;
    },
  };
}

/** The operations on members over a transport. */
export function createMembersApi(send: Send): MembersApi {
  const pathOf = (id: string) => `${MEMBERS}/${encodeURIComponent(id)}`;
  return {
    async list() {
      return (await request(send, { method: 'GET', path: MEMBERS, repeat: 'safe' }, memberList)).value.items;
    },
    async add(body) {
      const call = { method: 'POST', path: MEMBERS, body, repeat: 'unprocessed' } as const;
      return (await request(send, call, memberWithLink)).value;
    },
    async change(id, body) {
      const call = { method: 'PATCH', path: pathOf(id), body, repeat: 'unprocessed' } as const;
      return (await request(send, call, memberWithLink)).value;
    },
    async remove(id) {
      await send({ method: 'DELETE', path: pathOf(id), repeat: 'safe' });
    },
  };
}
