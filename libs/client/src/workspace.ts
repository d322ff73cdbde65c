import {
  type CreateTokenRequest,
  type HashIdRequest,
  hashKey,
  hashKeyList,
  idHashList,
  issuedToken,
  type PatchSettingsRequest,
  type RotateTokenRequest,
  tenantSettings,
  type TokenFilters,
  tokenList,
} from '@answer-evidence/contracts';
import { compareRepeated } from './compare/compare-repeated.ts';
import type { AssertSame } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import { createRequests, formatQuery } from './request.ts';
import type { Send } from './transport.ts';

/** Operations on the answer-evidence settings. */
export type SettingsApi = ReturnType<typeof createSettingsApi>;
/** Operations on the tenant's hash keys. */
export type HashKeysApi = ReturnType<typeof createHashKeysApi>;
/** Operations on tokens. */
export type TokensApi = ReturnType<typeof createTokensApi>;

const SETTINGS = '/api/tenant/settings';
const HASH_KEYS = '/api/tenant/hash-keys';
const ID_HASHES = '/api/tenant/id-hashes';
const TOKENS = '/api/tokens';

/** The operations on the settings over a transport. */
export function createSettingsApi(send: Send, assertSame: AssertSame) {
  const { get, change } = createRequests(send);
  return {
    get: async () => get(SETTINGS, tenantSettings),
    /** Each change is an entry of the ledger, and moves the version. */
    async patch(body: PatchSettingsRequest) {
      const settings = await change('PATCH', SETTINGS, body, tenantSettings);
      await assertSame(compareRepeated(body, settings));
      return settings;
    },
  };
}

/** The operations on hash keys over a transport. */
export function createHashKeysApi(send: Send) {
  const { get, change } = createRequests(send);
  return {
    list: async () => (await get(HASH_KEYS, hashKeyList)).items,
    /** Makes a key and activates it; each success is another key. */
    create: async () => change('POST', HASH_KEYS, {}, hashKey),
    /** What records name a person or a session by, under each key. */
    hashId: async (body: HashIdRequest) => (await change('POST', ID_HASHES, body, idHashList)).items,
  };
}

/** The operations on tokens over a transport. */
export function createTokensApi(send: Send, assertSame: AssertSame) {
  const { get, change } = createRequests(send);
  const pathOf = (id: string) => `${TOKENS}/${encodeURIComponent(id)}`;
  return {
    /** Those that the caller may see, newest first. */
    list: async (filters: TokenFilters = {}, page: PageRequest = {}) =>
      get(formatQuery(TOKENS, { ...filters, ...page }), tokenList),
    /** The only answer that holds the token; none is issued unseen. */
    async create(body: CreateTokenRequest) {
      const token = await change('POST', TOKENS, body, issuedToken);
      await assertSame(compareRepeated(body, token));
      return token;
    },
    /** Exchanges a token for a new one, shown only here; twice conflicts. */
    rotate: async (id: string, body: RotateTokenRequest = {}) =>
      change('POST', `${pathOf(id)}/rotate`, body, issuedToken),
    async revoke(id: string): Promise<void> {
      await send({ method: 'DELETE', path: pathOf(id), repeat: 'safe' });
    },
  };
}
