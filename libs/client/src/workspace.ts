import type {
  CreateTokenRequest,
  HashIdRequest,
  PatchSettingsRequest,
  RotateTokenRequest,
  TokenFilters,
} from '@answer-evidence/contracts';
import {
  createHashKey,
  createToken,
  getRetentionForecast,
  getTenantSettings,
  hashId,
  listHashKeys,
  listTokens,
  patchTenantSettings,
  revokeToken,
  rotateToken,
} from '@answer-evidence/contracts/operations';
import { createCalls } from './calls.ts';
import { compareRepeated } from './compare/compare-repeated.ts';
import { type AssertSame, createAgree } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import type { Send } from './transport.ts';

/** Operations on the answer-evidence settings. */
export type SettingsApi = ReturnType<typeof createSettingsApi>;
/** Operations on the tenant's hash keys. */
export type HashKeysApi = ReturnType<typeof createHashKeysApi>;
/** Operations on tokens. */
export type TokensApi = ReturnType<typeof createTokensApi>;

/** The operations on the settings over a transport. */
export function createSettingsApi(send: Send, assertSame: AssertSame) {
  const { call } = createCalls(send);
  const agree = createAgree(assertSame);
  return {
    get: async () => call(getTenantSettings, {}),
    /** How many texts will be erased when. */
    forecast: async () => call(getRetentionForecast, {}),
    /** Each change is an entry of the ledger, and moves the version. */
    patch: async (body: PatchSettingsRequest) =>
      agree(call(patchTenantSettings, { body }), (settings) => compareRepeated(body, settings)),
  };
}

/** The operations on hash keys over a transport. */
export function createHashKeysApi(send: Send) {
  const { call } = createCalls(send);
  return {
    list: async () => (await call(listHashKeys, {})).items,
    /** Makes a key and activates it; each success is another key. */
    create: async () => call(createHashKey, {}),
    /** What records name a person or a session by, under each key. */
    hashId: async (body: HashIdRequest) => (await call(hashId, { body })).items,
  };
}

/** The operations on tokens over a transport. */
export function createTokensApi(send: Send, assertSame: AssertSame) {
  const { call, end } = createCalls(send);
  const agree = createAgree(assertSame);
  return {
    /** Those that the caller may see, newest first. */
    list: async (filters: TokenFilters = {}, page: PageRequest = {}) =>
      call(listTokens, { query: { ...filters, ...page } }),
    /** The only answer that holds the token; none is issued unseen. */
    create: async (body: CreateTokenRequest) =>
      agree(call(createToken, { body }), (token) => compareRepeated(body, token)),
    /** Exchanges a token for a new one, shown only here; twice conflicts. */
    rotate: async (id: string, body: RotateTokenRequest = {}) => call(rotateToken, { params: { token_id: id }, body }),
    revoke: async (id: string) => end(revokeToken, { params: { token_id: id } }),
  };
}
