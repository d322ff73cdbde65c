import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listen } from '@answer-evidence/testing';
import { openIdentityProvider } from './identity-provider.ts';

const HANDSHAKE = { state: 'a-state', nonce: 'a-nonce', verifier: 'v'.repeat(43) };
const CLIENT_ID = 'ledger';
const createKey = (id: string) => ({ id, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) });
/** The key that the provider signs with now. */
let key = createKey('one');

type Claims = Readonly<Record<string, unknown>>;
/** What the provider sends: the ID token, the user information, and other replies of the token endpoint. */
type Form = {
  readonly token: Claims;
  readonly information?: Claims;
  readonly reply?: { readonly status: number; readonly body: string };
  /** The header and the signature in the place of the right ones; null: it sends no ID token. */
  readonly bent?: { readonly header: Claims; readonly seal: (signed: string) => Buffer } | null;
};

let server: Awaited<ReturnType<typeof listen>>;
let form: Form;
let refusals: string[];
beforeEach(() => void (refusals = []));

beforeAll(async () => {
  server = await listen((req, reply) => {
    const { status, body } = respond(server.url, req.url ?? '');
    reply.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
  });
});
afterAll(() => server.close());

function respond(url: string, path: string): { readonly status: number; readonly body: string } {
  if (path === '/token' && form.reply !== undefined) return form.reply;
  const body = bodyOf(url, path);
  return { status: 200, body: JSON.stringify(body) };
}

function bodyOf(issuer: string, path: string): unknown {
  switch (path) {
    case '/token':
      return { access_token: 'a', token_type: 'Bearer', id_token: signToken(issuer, form) };
    case '/userinfo':
      return { sub: form.token['sub'] ?? 'subject', ...form.information };
    case '/keys':
      return { keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: key.id, alg: 'RS256', use: 'sig' }] };
    default:
      return {
        issuer,
        authorization_endpoint: `${issuer}/begin`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        id_token_signing_alg_values_supported: ['RS256'],
      };
  }
}

function signToken(iss: string, { token: claims, bent }: Form): string | undefined {
  if (bent === null) return undefined;
  const now = Math.floor(Date.now() / 1_000);
  const whole = { iss, aud: CLIENT_ID, sub: 'subject', nonce: HANDSHAKE.nonce, iat: now, exp: now + 300, ...claims };
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg: 'RS256', kid: key.id, typ: 'JWT', ...bent?.header })}.${encode(whole)}`;
  const seal = bent?.seal ?? sealWith(key.privateKey);
  return `${signed}.${seal(signed).toString('base64url')}`;
}

function sealWith(privateKey: KeyObject): (signed: string) => Buffer {
  return (signed) => sign('sha256', Buffer.from(signed), privateKey);
}

async function finish(sent: Form, claim: string, query = `code=c&state=${HANDSHAKE.state}`) {
  form = sent;
  const provider = openIdentityProvider(
    { issuer: server.url, clientId: CLIENT_ID, clientSecret: () => 'secret', claim },
    { onUnreachable: () => undefined, onRefused: (reason) => void refusals.push(reason) },
  );
  return provider.finish(HANDSHAKE, new URL(`http://localhost/callback?${query}`));
}

async function readName(...of: Parameters<typeof finish>) {
  return (await finish(...of)).readName();
}

/** As each documents its ID tokens and its user information. */
const FORMS: readonly [string, string, Form, string][] = [
  [
    'Entra ID, by the object id',
    'oid',
    {
      token: {
        sub: 'k9XgV_3mQpR7-AbCdEfGhIjKlMnOpQrStUvWxYz0123',
        oid: '5c3a9a6b-2f0e-4c8e-9f0d-1d3f6f1a0b52',
        preferred_username: 'Anna@Example.com',
        ver: '2.0',
      },
    },
    '5c3a9a6b-2f0e-4c8e-9f0d-1d3f6f1a0b52',
  ],
  [
    'Okta, with the address in the user information alone',
    'email',
    { token: { sub: '00uAb1Cd2EfGhIjKl4x7' }, information: { email: 'Anna@Example.com', email_verified: true } },
    'Anna@Example.com',
  ],
  [
    'Google, by the address',
    'email',
    { token: { sub: '108204268033311374519', email: 'anna@example.com', email_verified: true, hd: 'example.com' } },
    'anna@example.com',
  ],
  ['Google, by the subject', 'sub', { token: { sub: '108204268033311374519' } }, '108204268033311374519'],
  [
    'Keycloak, by the name of the account',
    'preferred_username',
    { token: { sub: 'f:5c3a:anna', preferred_username: 'anna', email: 'anna@example.com', email_verified: false } },
    'anna',
  ],
  [
    'Auth0, by the address',
    'email',
    { token: { sub: 'auth0|5f7c8ec7c33c6c004bbafe82', email: 'Anna@Example.com', email_verified: true } },
    'Anna@Example.com',
  ],
  [
    'a provider with the address in one and its verification in the other',
    'email',
    { token: { email: 'Anna@example.com' }, information: { email: 'anna@example.com', email_verified: true } },
    'Anna@example.com',
  ],
  [
    'Cognito, by the name of the account',
    'cognito:username',
    {
      token: { sub: '94182468-20e1-70d8-5c1b-6a5f1c0f6c7e', 'cognito:username': 'anna', email: 'anna@example.com' },
      information: { email_verified: 'true' },
    },
    'anna',
  ],
];

describe('what providers send', () => {
  it.each(FORMS)('names a member: %s', async (_, claim, sent, name) => {
    const { sub = 'subject' } = sent.token;
    expect(await finish(sent, claim)).toMatchObject({ issuer: server.url, subject: sub });
    expect(await readName(sent, claim)).toEqual({ name, isVerifiedAddress: claim === 'email' });
    expect(refusals).toEqual([]);
  });

  it.each([
    ['email_not_verified', 'email', { token: { email: 'a@example.com' }, information: { email: 'a@example.com' } }],
    ['email_not_verified', 'email', { token: { email: 'a@example.com', email_verified: 'true' } }],
    ['claim_missing', 'email', { token: {}, information: {} }],
    ['claim_not_a_text', 'groups', { token: { groups: ['a'] } }],
    [
      'claims_differ',
      'email',
      { token: { email: 'a@example.com' }, information: { email: 'b@example.com', email_verified: true } },
    ],
  ] satisfies readonly [string, string, Form][])(
    'names nobody, says why, and says who it is all the same: %s, %s',
    async (reason, claim, sent) => {
      expect(await finish(sent, claim)).toMatchObject({ issuer: server.url, subject: 'subject' });
      expect(refusals).toEqual([]);
      expect(await readName(sent, claim)).toBeUndefined();
      expect(refusals).toEqual([reason]);
    },
  );

  it.each([
    ['provider_says_invalid_client', 'sub', { token: {}, reply: { status: 401, body: '{"error":"invalid_client"}' } }],
    ['provider_says_something_else', 'sub', { token: {}, reply: { status: 400, body: '{"error":"<b>no</b>"}' } }],
    ['oauth_jwt_timestamp_check_failed', 'sub', { token: { exp: 1 } }],
    ['oauth_jwt_claim_comparison_failed', 'sub', { token: { nonce: 'another' } }],
  ] satisfies readonly [string, string, Form][])(
    'is refused, and the log says why: %s, %s',
    async (reason, claim, sent) => {
      await expect(finish(sent, claim)).rejects.toMatchObject({ code: 'login_failed' });
      expect(refusals).toEqual([reason]);
    },
  );

  it.each([
    ['of another issuer', { token: { iss: 'https://other.example' } }],
    ['for another client', { token: { aud: 'other' } }],
    ['for two clients, without saying for whom', { token: { aud: [CLIENT_ID, 'other'] } }],
    ['for two clients, and used by the other one', { token: { aud: [CLIENT_ID, 'other'], azp: 'other' } }],
    ['without a nonce', { token: { nonce: undefined } }],
    ['that is not valid yet', { token: { nbf: Math.floor(Date.now() / 1_000) + 3_000 } }],
    ['without a subject', { token: { sub: undefined } }],
    ['whose subject is empty', { token: { sub: '' } }],
    ['whose subject is blank', { token: { sub: ' ' } }],
    ['whose subject is longer than any may be', { token: { sub: 's'.repeat(256) } }],
    ['unsigned', { token: {}, bent: { header: { alg: 'none' }, seal: () => Buffer.of() } }],
    [
      'under a MAC with the secret of the client',
      {
        token: {},
        bent: { header: { alg: 'HS256' }, seal: (text) => createHmac('sha256', 'secret').update(text).digest() },
      },
    ],
    [
      'signed by another key of that name',
      { token: {}, bent: { header: {}, seal: sealWith(createKey('one').privateKey) } },
    ],
    ['that is not there', { token: {}, bent: null }],
  ] satisfies readonly [string, Form][])('names nobody by an ID token %s', async (_, sent) => {
    await expect(finish(sent, 'sub')).rejects.toMatchObject({ code: 'login_failed' });
    expect(refusals).toHaveLength(1);
  });

  it.each([
    ['a fault of its own', { token: {}, reply: { status: 500, body: '{}' } }, undefined],
    ['a page', { token: {}, reply: { status: 502, body: '<html>' } }, undefined],
    ['a response without end', { token: {}, reply: { status: 200, body: ' '.repeat(3_000_000) } }, undefined],
    ['a browser that it sends back', { token: {} }, `error=temporarily_unavailable&state=${HANDSHAKE.state}`],
  ] satisfies readonly [string, Form, string | undefined][])(
    'is an outage, and nobody is refused: %s',
    async (_, sent, query) => {
      await expect(finish(sent, 'sub', query)).rejects.toMatchObject({ code: 'overloaded' });
      expect(refusals).toEqual([]);
    },
  );
});

describe('a provider that signs with another key', () => {
  const now = Date.now;
  afterEach(() => {
    Date.now = now;
  });

  it('is told to the operator once its keys were read again, and only then', async () => {
    const changes: string[] = [];
    const provider = openIdentityProvider(
      { issuer: server.url, clientId: CLIENT_ID, clientSecret: () => 'secret', claim: 'sub' },
      {
        onUnreachable: () => undefined,
        onRefused: (reason) => void refusals.push(reason),
        onKeysChanged: (what) => void changes.push(what),
      },
    );
    form = { token: {} };
    const signIn = () => provider.finish(HANDSHAKE, new URL(`http://localhost/callback?code=c&state=a-state`));
    await signIn();
    key = createKey('two');
    await expect(signIn()).rejects.toMatchObject({ code: 'login_failed' });
    expect([refusals.length, changes]).toEqual([1, []]);
    // The library reads keys again for one that it does not know after a minute.
    Date.now = () => now() + 61_000;
    expect(await signIn()).toMatchObject({ subject: 'subject' });
    await signIn();
    expect(changes).toEqual([expect.stringContaining('other signing keys than before')]);
  });
});
