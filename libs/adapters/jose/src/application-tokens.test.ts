import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose';
import type { ApplicationClaims, ApplicationTokens } from '@answer-evidence/ports';
import { createApplicationTokens } from './application-tokens.ts';
import { openKeyRing } from './key-ring.ts';
import { importSeed, thumbprintOf } from './signing-key.ts';

const ISSUER = 'urn:answer-evidence';
const SEED = new Uint8Array(32).fill(1);
const OLD_SEED = new Uint8Array(32).fill(2);
const FOREIGN_SEED = new Uint8Array(32).fill(3);
const WORKSPACE = '0199f3c2-0000-7000-8000-000000000001';
const OTHER_WORKSPACE = '0199f3c2-0000-7000-8000-000000000002';
const SECOND = 1_000_000;
const NOW = 1_790_000_000 * SECOND;

const CLAIMS: ApplicationClaims = {
  tokenId: '0199f3c2-0000-7000-8000-0000000000aa',
  workspaceId: WORKSPACE,
  applicationKey: 'support-bot ä',
  scopes: ['answer_audit:create', 'answer_audit:evidence:read'],
  issuedAt: NOW,
  expiresAt: NOW + 600 * SECOND,
};

const PAYLOAD = {
  iss: ISSUER,
  aud: `urn:answer-evidence:${WORKSPACE}`,
  sub: CLAIMS.applicationKey,
  application_key: CLAIMS.applicationKey,
  scope: CLAIMS.scopes.join(' '),
  jti: CLAIMS.tokenId,
  tenant: WORKSPACE,
  iat: NOW / SECOND,
  exp: NOW / SECOND + 600,
};

let kid: string;
let tokens: ApplicationTokens;
let signingKey: CryptoKey;
let foreignKey: CryptoKey;

beforeAll(async () => {
  kid = await thumbprintOf(SEED);
  tokens = await createTokens([
    { kid, seed: SEED },
    { kid: 'old', seed: OLD_SEED },
  ]);
  signingKey = (await importSeed(SEED)).privateKey;
  foreignKey = (await importSeed(FOREIGN_SEED)).privateKey;
});

/** Tokens by fixed keys: the first signs, and all verify. */
async function createTokens(keys: readonly { kid: string; seed: Uint8Array }[]): Promise<ApplicationTokens> {
  const stored = keys.map(({ kid: id, seed }, n) => ({
    kid: id,
    generation: keys.length - n,
    signsFrom: NOW - SECOND,
    openSeed: () => seed,
  }));
  const load = () => Promise.resolve(stored);
  const ring = await openKeyRing({ load, monotonicMs: () => 0, wait: () => Promise.resolve() });
  return createApplicationTokens({ issuer: ISSUER, ring });
}

type Changes = Readonly<Record<string, unknown>>;

/** A token as an attacker that knows the key would make it; a change to `undefined` leaves the member out. */
function forge(payload: Changes, header: Partial<JWTHeaderParameters> = {}, key = signingKey): Promise<string> {
  return new SignJWT({ ...PAYLOAD, ...payload })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid, ...header })
    .sign(key, header.crit === undefined ? undefined : { crit: { 'urn:x': true } });
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('an application token', () => {
  it('says after verification what was signed', async () => {
    const token = await tokens.sign(CLAIMS);
    expect(await tokens.verify(token, NOW)).toEqual(CLAIMS);
    expect(await tokens.verify(await forge({}), NOW)).toEqual(CLAIMS);
  });

  it('has exactly the header and the claims of the profile', async () => {
    const [header = '', payload = ''] = (await tokens.sign(CLAIMS)).split('.');
    const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(decode(header)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid });
    expect(decode(payload)).toEqual(PAYLOAD);
  });

  it('never lives longer than was asked for, to the microsecond', async () => {
    const expiresAt = NOW + 600 * SECOND + 999_999;
    const token = await tokens.sign({ ...CLAIMS, expiresAt });
    const claims = { ...CLAIMS, expiresAt: NOW + 600 * SECOND };
    expect(await tokens.verify(token, NOW)).toEqual(claims);
    expect(await tokens.verify(token, NOW + 600 * SECOND - 1)).toEqual(claims);
    expect(await tokens.verify(token, NOW + 600 * SECOND)).toBe('expired');
    expect(await tokens.verify(token, NOW + 86_400 * SECOND)).toBe('expired');
  });

  it('is good 5 s before its time, for a clock that is behind, and not earlier', async () => {
    const token = await tokens.sign(CLAIMS);
    expect(await tokens.verify(token, NOW - 5 * SECOND)).toEqual(CLAIMS);
    expect(await tokens.verify(token, NOW - 5 * SECOND - 1)).toBeUndefined();
    expect(await tokens.verify(await forge({ nbf: NOW / SECOND + 60 }), NOW)).toBeUndefined();
    expect(await tokens.verify(await forge({ nbf: NOW / SECOND }), NOW)).toEqual(CLAIMS);
  });

  it('is refused when a claim is missing, though its signature holds', async () => {
    for (const name of Object.keys(PAYLOAD)) {
      expect([name, await tokens.verify(await forge({ [name]: undefined }), NOW)]).toEqual([name, undefined]);
    }
  });

  it('is refused when a claim is malformed or contradicts another, though its signature holds', async () => {
    const changes: Changes[] = [
      { iss: 'urn:another' },
      { iss: [ISSUER] },
      { aud: `urn:answer-evidence:${OTHER_WORKSPACE}` },
      { aud: [PAYLOAD.aud] },
      { aud: [PAYLOAD.aud, 'urn:more'] },
      { tenant: OTHER_WORKSPACE },
      { tenant: 'demo', aud: 'urn:answer-evidence:demo' },
      { tenant: WORKSPACE.toUpperCase(), aud: `urn:answer-evidence:${WORKSPACE.toUpperCase()}` },
      { sub: 'another-bot' },
      { application_key: 'another-bot' },
      { sub: '', application_key: '' },
      { sub: 1, application_key: 1 },
      { scope: 'answer_audit:everything' },
      { scope: 'answer_audit:create  answer_audit:read' },
      { scope: ['answer_audit:create'] },
      { jti: 'x' },
      { iat: NOW / SECOND + 6 },
      { iat: '0' },
      { exp: NOW / SECOND + 0.5 },
      { exp: String(NOW / SECOND + 600) },
    ];
    for (const change of changes) {
      expect([change, await tokens.verify(await forge(change), NOW)]).toEqual([change, undefined]);
    }
  });

  it('is called expired only where nothing but its time is wrong', async () => {
    expect(await tokens.verify(await forge({ exp: NOW / SECOND }), NOW)).toBe('expired');
    expect(await tokens.verify(await forge({ exp: NOW / SECOND - 60 }), NOW)).toBe('expired');
    for (const change of [{ iss: 'urn:another' }, { tenant: OTHER_WORKSPACE }, { jti: 'x' }, { iat: '0' }])
      for (const exp of [NOW / SECOND, NOW / SECOND - 60])
        expect([change, await tokens.verify(await forge({ ...change, exp }), NOW)]).toEqual([change, undefined]);
    expect(await tokens.verify(await forge({ exp: NOW / SECOND - 60 }, {}, foreignKey), NOW)).toBeUndefined();
  });

  it('is refused when its header is another one, though its signature holds', async () => {
    const { publicJwk } = await importSeed(FOREIGN_SEED);
    const changes: Partial<JWTHeaderParameters>[] = [
      { typ: 'JWT' },
      { typ: 'application/at+jwt' },
      { typ: 'AT+JWT' },
      { kid: 'unknown' },
      { kid: '__proto__' },
      { kid: 'old' },
      { jku: 'https://attacker.example/jwks.json' },
      { x5u: 'https://attacker.example/x5u' },
      { jwk: publicJwk },
      { x5c: ['AA=='] },
      { crit: ['urn:x'], 'urn:x': 1 },
      { cty: 'JWT' },
      { alg: 'Ed25519' },
    ];
    for (const change of changes) {
      expect([change, await tokens.verify(await forge({}, change), NOW)]).toEqual([change, undefined]);
    }
    for (const name of ['alg', 'typ', 'kid']) {
      const header = { alg: 'EdDSA', typ: 'at+jwt', kid, [name]: undefined };
      const input = `${encode(header)}.${encode(PAYLOAD)}`;
      const signature = await crypto.subtle.sign('Ed25519', signingKey, new TextEncoder().encode(input));
      const token = `${input}.${Buffer.from(signature).toString('base64url')}`;
      expect([name, await tokens.verify(token, NOW)]).toEqual([name, undefined]);
    }
  });

  it('is refused when another key signed it, also one that it brings along', async () => {
    const { publicJwk } = await importSeed(FOREIGN_SEED);
    expect(await tokens.verify(await forge({}, {}, foreignKey), NOW)).toBeUndefined();
    expect(await tokens.verify(await forge({}, { jwk: publicJwk }, foreignKey), NOW)).toBeUndefined();
  });

  it('is refused unsigned, and under a MAC whose secret is the public key', async () => {
    const { publicJwk } = await importSeed(SEED);
    const unsigned = `${encode({ alg: 'none', typ: 'at+jwt', kid })}.${encode(PAYLOAD)}.`;
    expect(await tokens.verify(unsigned, NOW)).toBeUndefined();
    for (const secret of [publicJwk.x, JSON.stringify(publicJwk)]) {
      for (const bytes of [Buffer.from(secret), Buffer.from(secret, 'base64url')]) {
        const token = await new SignJWT(PAYLOAD)
          .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
          .sign(new Uint8Array(Buffer.concat([bytes, Buffer.alloc(32)]).subarray(0, Math.max(32, bytes.length))));
        expect(await tokens.verify(token, NOW)).toBeUndefined();
      }
    }
  });

  it('is refused with any one character changed', async () => {
    const token = await tokens.sign(CLAIMS);
    for (let i = 0; i < token.length; i++) {
      const other = token[i] === 'A' ? 'B' : 'A';
      const changed = token.slice(0, i) + other + token.slice(i + 1);
      expect([i, await tokens.verify(changed, NOW)]).toEqual([i, undefined]);
    }
  });

  it('has one text: no other spelling of its signature is accepted', async () => {
    const token = await tokens.sign(CLAIMS);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const spellings = [...letters].map((letter) => token.slice(0, -1) + letter).filter((text) => text !== token);
    const [header, payload, signature = ''] = token.split('.');
    for (const other of [
      `${signature}\n`,
      ` ${signature}`,
      `${signature}==`,
      `${signature.slice(0, 9)}\t${signature.slice(9)}`,
    ]) {
      spellings.push([header, payload, other].join('.'));
    }
    for (const text of spellings) expect(await tokens.verify(text, NOW)).toBeUndefined();
  });

  it('is never an error, whatever is given for one', async () => {
    const token = await tokens.sign(CLAIMS);
    const texts = [
      '',
      '.',
      '..',
      '...',
      'aeu_x_y',
      token.slice(0, -1),
      `${token}.`,
      ` ${token}`,
      `${token}\n`,
      '\ud800.a.b',
    ];
    const deep = `${encode({ alg: 'EdDSA', typ: 'at+jwt', kid })}.${Buffer.from('['.repeat(3_000)).toString('base64url')}.AA`;
    for (const text of [...texts, deep, 'a.'.repeat(5_000), 'A'.repeat(1_000_000)]) {
      expect(await tokens.verify(text, NOW)).toBeUndefined();
    }
    for (const time of [NaN, Infinity, -1]) expect(await tokens.verify(token, time)).toBeUndefined();
  });
});

describe('application tokens of two workspaces', () => {
  it('name their own workspace, and neither can be read as one of the other', async () => {
    const other = { ...CLAIMS, workspaceId: OTHER_WORKSPACE };
    const [mine, theirs] = [await tokens.sign(CLAIMS), await tokens.sign(other)];
    expect(await tokens.verify(mine, NOW)).toMatchObject({ workspaceId: WORKSPACE });
    expect(await tokens.verify(theirs, NOW)).toMatchObject({ workspaceId: OTHER_WORKSPACE });
    const [header, , signature] = mine.split('.');
    const [, payload] = theirs.split('.');
    expect(await tokens.verify([header, payload, signature].join('.'), NOW)).toBeUndefined();
  });
});

describe('token signing keys', () => {
  it('of the past still verify, and the first one signs', async () => {
    const before = await createTokens([{ kid: 'old', seed: OLD_SEED }]);
    const token = await before.sign(CLAIMS);
    expect(await tokens.verify(token, NOW)).toEqual(CLAIMS);
    expect(await before.verify(await tokens.sign(CLAIMS), NOW)).toBeUndefined();
  });

  it('are published without their secret, and verify a token with an ordinary JWKS client', async () => {
    const set = tokens.publicKeys(NOW);
    expect(set.keys.map((jwk) => jwk['kid'])).toEqual([kid, 'old']);
    for (const jwk of set.keys) {
      expect(Object.keys(jwk).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
      expect(jwk).toMatchObject({ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA' });
    }
    const published = { keys: set.keys.map((jwk) => ({ kty: '', ...jwk })) };
    const { payload } = await jwtVerify(await tokens.sign(CLAIMS), createLocalJWKSet(published), {
      currentDate: new Date(NOW / 1_000),
      audience: PAYLOAD.aud,
    });
    expect(payload).toEqual(PAYLOAD);
  });

  it('must be there, have 32 bytes and differ in their ids', async () => {
    await expect(createTokens([])).rejects.toThrow('need a signing key');
    await expect(createTokens([{ kid, seed: SEED.subarray(1) }])).rejects.toThrow('32 bytes');
    const twice = [SEED, OLD_SEED].map((seed) => ({ kid, seed }));
    await expect(createTokens(twice)).rejects.toThrow('one id');
  });

  it('have the thumbprint of RFC 8037 appendix A.3 as their id', async () => {
    const seed = Buffer.from('nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', 'base64url');
    expect(await thumbprintOf(seed)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  });

  it('leave the seed to its owner', async () => {
    expect(SEED).toEqual(new Uint8Array(32).fill(1));
    expect(await thumbprintOf(SEED)).toBe(kid);
  });
});
