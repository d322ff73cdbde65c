import {
  type CreateTokenRequest,
  type HashKey,
  hashKey,
  hashKeyList,
  type IssuedToken,
  issuedToken,
  type PatchSettingsRequest,
  type RotateTokenRequest,
  type TenantSettings,
  tenantSettings,
  tokenList,
  type TokenSummary,
} from '@answer-evidence/contracts';
import { request } from './request.ts';
import type { Send } from './transport.ts';

/** Operations on the answer-evidence policy. */
export type SettingsApi = {
  get(): Promise<TenantSettings>;
  /** Repeated only when it certainly did nothing: each change is an entry of the ledger, and moves the version. */
  patch(body: PatchSettingsRequest): Promise<TenantSettings>;
};

/** Operations on the tenant's hash keys. */
export type HashKeysApi = {
  list(): Promise<readonly HashKey[]>;
  /** Makes a key and activates it. Repeated only when it certainly did nothing: each success is another key. */
  create(): Promise<HashKey>;
};

/** Operations on tokens. */
export type TokensApi = {
  list(): Promise<readonly TokenSummary[]>;
  /** The only answer that holds the token. Repeated only when it certainly did nothing, so none is issued unseen. */
  create(body: CreateTokenRequest): Promise<IssuedToken>;
  /** Exchanges a token for a new one, shown only here. Retried only when it certainly did nothing: twice conflicts. */
  rotate(id: string, body?: RotateTokenRequest): Promise<IssuedToken>;
  revoke(id: string): Promise<void>;
};

const SETTINGS = '/api/tenant/settings';
const HASH_KEYS = '/api/tenant/hash-keys';
const TOKENS = '/api/tokens';

/** The operations on the policy over a transport. */
export function createSettingsApi(send: Send): SettingsApi {
  return {
    async get() {
      return (await request(send, { method: 'GET', path: SETTINGS, repeat: 'safe' }, tenantSettings)).value;
    },
    async patch(body) {
      const call = { method: 'PATCH', path: SETTINGS, body, repeat: 'unprocessed' } as const;
      return (await request(send, call, tenantSettings)).value;
    },
  };
}

/** The operations on hash keys over a transport. */
export function createHashKeysApi(send: Send): HashKeysApi {
  return {
    async list() {
      return (await request(send, { method: 'GET', path: HASH_KEYS, repeat: 'safe' }, hashKeyList)).value.items;
    },
    async create() {
      return (await request(send, { method: 'POST', path: HASH_KEYS, body: {}, repeat: 'unprocessed' }, hashKey)).value;
    },
  };
}

/** The operations on tokens over a transport. */
export function createTokensApi(send: Send): TokensApi {
  return {
    async list() {
      return (await request(send, { method: 'GET', path: TOKENS, repeat: 'safe' }, tokenList)).value.items;
    },
    async create(body) {
      return (await request(send, { method: 'POST', path: TOKENS, body, repeat: 'unprocessed' }, issuedToken)).value;
    },
    async rotate(id, body = {}) {
      const path = `${TOKENS}/${encodeURIComponent(id)}/rotate`;
      return (await request(send, { method: 'POST', path, body, repeat: 'unprocessed' }, issuedToken)).value;
    },
    async revoke(id) {
      await send({ method: 'DELETE', path: `${TOKENS}/${encodeURIComponent(id)}`, repeat: 'safe' });
    },
  };
}
