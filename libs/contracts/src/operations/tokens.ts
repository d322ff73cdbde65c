import * as z from 'zod';
import { anyUuid } from '../primitives.ts';
import {
  createTokenRequest,
  identity,
  issuedToken,
  rotateTokenRequest,
  tokenList,
  tokenQuery,
  tokenSummary,
} from '../tokens.ts';
import { get, post, remove } from './operation.ts';
import { created } from './parts.ts';

/** How long a cache may keep the public keys. */
export const KEY_SET_MAX_AGE_SECONDS = 300;

const keySet = z.strictObject({ keys: z.array(z.record(z.string(), z.string())) });
const ofToken = z.strictObject({ token_id: anyUuid });
const NO_TOKEN = { 404: { description: 'No such token' } } as const;
const ISSUED = {
  201: created('The new token; it is not shown again', issuedToken, 'token'),
} as const;

export const createToken = post('/api/tokens', 'createToken', 'tokens.own', {
  summary: 'Issue a token',
  body: createTokenRequest,
  responses: {
    ...ISSUED,
    409: { description: 'An active token has this name, or there are as many live tokens as there may be' },
  },
});

export const getToken = get('/api/tokens/{token_id}', 'getToken', 'tokens.own', {
  summary: 'Read a token',
  params: ofToken,
  responses: {
    200: { description: 'The token, without its secret', schema: tokenSummary },
    ...NO_TOKEN,
  },
});

export const listTokens = get('/api/tokens', 'listTokens', 'tokens.own', {
  summary: 'List tokens, newest first',
  query: tokenQuery,
  responses: { 200: { description: 'One page of the tokens that the caller may see', schema: tokenList } },
});

export const revokeToken = remove('/api/tokens/{token_id}', 'revokeToken', 'tokens.own', {
  summary: 'Revoke a token',
  params: ofToken,
  responses: { 204: { description: 'The token is revoked' }, ...NO_TOKEN },
});

export const rotateToken = post('/api/tokens/{token_id}/rotate', 'rotateToken', 'tokens.own', {
  summary: 'Exchange a token for a new one',
  params: ofToken,
  body: rotateTokenRequest,
  bodyOptional: true,
  responses: {
    ...ISSUED,
    ...NO_TOKEN,
    409: { description: 'The token is revoked, rotated or expired' },
  },
});

export const getKeySet = get('/.well-known/jwks.json', 'getKeySet', 'public', {
  summary: 'Read the public keys of application tokens',
  responses: {
    200: {
      description: 'A JWK set',
      schema: keySet,
      headers: { 'Cache-Control': `\`public, max-age=${KEY_SET_MAX_AGE_SECONDS}\`` },
    },
  },
});

export const getIdentity = get('/api/whoami', 'getIdentity', 'whoami', {
  summary: 'Identify the bearer of the token',
  responses: { 200: { description: 'The bearer of the token', schema: identity } },
});
