import { describe, expect, it } from '@jest/globals';
import { formatUserToken } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { createApplicationTokens, openKeyRing } from '@answer-evidence/jose';
import type { ApplicationTokens, TokenBearer } from '@answer-evidence/ports';
import { type Authenticator, createAuthenticator } from './authenticator.ts';
import type { ReadCaller } from './read-caller.ts';

const NOW = 1_800_000_000_000_000;
const HOUR = 3_600_000_000;
const WORKSPACE = '0199f3c2-0000-7000-8000-000000000001';
const OTHER_WORKSPACE = '0199f3c2-0000-7000-8000-000000000002';
const TOKEN_ID = '0199f3c2-0000-7000-8000-0000000000a1';
const SECRET = new Uint8Array(32).fill(7);
const ACCESS = { role: 'member', applications: null, environments: null } as const;
const USER = { id: '0199f3c2-0000-7000-8000-0000000000b1', username: 'ada', access: ACCESS, disabled: false } as const;
const USER_TOKEN = `Bearer ${formatUserToken(TOKEN_ID, SECRET)}`;

const userBearer: TokenBearer = {
  workspaceId: WORKSPACE,
  user: USER,
  token: {
    id: TOKEN_ID,
    kind: 'user',
    name: 'laptop',
    application_key: null,
    scopes_json: '[]',
    user_id: USER.id,
    secret_hash: sha256(SECRET),
    expires_at: NOW + HOUR,
    created_at: NOW - HOUR,
    revoked_at: null,
    overlap_until: null,
    cut_at: null,
  },
};
const applicationBearer: TokenBearer = {
  workspaceId: WORKSPACE,
  user: undefined,
  token: { ...userBearer.token, kind: 'application', application_key: 'bot', user_id: null, secret_hash: null },
};

function withToken(bearer: TokenBearer, token: Partial<TokenBearer['token']>): TokenBearer {
  return { ...bearer, token: { ...bearer.token, ...token } };
}

type World = {
  bearer: TokenBearer | undefined;
  failure: Error | undefined;
  nowMicros: number;
  monotonicMs: number;
  reads: number;
  isClockBehind: boolean;
  readonly authenticator: Authenticator;
};

function createWorld(bearer: TokenBearer | undefined, applicationTokens: Pick<ApplicationTokens, 'verify'>): World {
  const world: World = {
    bearer,
    failure: undefined,
    nowMicros: NOW,
    monotonicMs: 0,
    reads: 0,
    isClockBehind: false,
    authenticator: createAuthenticator({
      administration: {
        async findToken(tokenId) {
          world.reads++;
          const { bearer: found, failure } = world;
          await Promise.resolve();
          if (failure !== undefined) throw failure;
          return found?.token.id === tokenId ? found : undefined;
        },
      },
      applicationTokens,
      clock: { nowMicros: () => world.nowMicros },
      isClockBehind: () => world.isClockBehind,
      monotonicMs: () => world.monotonicMs,
    }),
  };
  return world;
}

const noApplications = { verify: () => Promise.resolve(undefined) };

function ask(world: World, header: string | undefined = USER_TOKEN) {
  return world.authenticator.authenticate(header);
}

describe('a user token', () => {
  it('is its user’s, with the role of the user', async () => {
    expect(await ask(createWorld(userBearer, noApplications))).toEqual({
      kind: 'user',
      workspaceId: WORKSPACE,
      tokenId: TOKEN_ID,
      userId: USER.id,
      username: 'ada',
      role: 'member',
      expiresAt: NOW + HOUR,
    });
  });

  const wrongSecret = new Uint8Array(32).fill(7);
  wrongSecret[31] = 8;
  it.each<[string, TokenBearer | undefined, string | undefined, ReadCaller]>([
    ['with another secret', userBearer, `Bearer ${formatUserToken(TOKEN_ID, wrongSecret)}`, undefined],
    ['that is unknown', undefined, USER_TOKEN, undefined],
    ['that is revoked', withToken(userBearer, { revoked_at: NOW - 1 }), USER_TOKEN, 'token_revoked'],
    [
      'whose overlap is over',
      withToken(userBearer, { revoked_at: NOW - 9, overlap_until: NOW }),
      USER_TOKEN,
      'token_revoked',
    ],
    [
      'that was cut off in its overlap',
      withToken(userBearer, { revoked_at: NOW - 9, overlap_until: NOW + 9, cut_at: NOW - 1 }),
      USER_TOKEN,
      'token_revoked',
    ],
    ['that expires now', withToken(userBearer, { expires_at: NOW }), USER_TOKEN, 'token_expired'],
    [
      'that was revoked before it expired',
      withToken(userBearer, { revoked_at: NOW - 9, expires_at: NOW - 1 }),
      USER_TOKEN,
      'token_revoked',
    ],
    [
      'that expires before its overlap is over',
      withToken(userBearer, { revoked_at: NOW - 9, overlap_until: NOW + 9, expires_at: NOW }),
      USER_TOKEN,
      'token_expired',
    ],
    ['of a disabled user', { ...userBearer, user: { ...USER, disabled: true } }, USER_TOKEN, 'token_revoked'],
    ['of no user', { ...userBearer, user: undefined }, USER_TOKEN, undefined],
    ['whose row has no secret', withToken(userBearer, { secret_hash: null }), USER_TOKEN, undefined],
    ['whose row has half a hash', withToken(userBearer, { secret_hash: new Uint8Array(16) }), USER_TOKEN, undefined],
    ['whose row is an application’s', withToken(userBearer, { kind: 'application' }), USER_TOKEN, undefined],
    ['with a letter in upper case', userBearer, USER_TOKEN.replace('c2', 'C2'), 'token_malformed'],
    ['with something after it', userBearer, `${USER_TOKEN}A`, 'token_malformed'],
    ['without its scheme', userBearer, USER_TOKEN.slice('Bearer '.length), 'token_malformed'],
    ['under another scheme', userBearer, USER_TOKEN.replace('Bearer', 'Basic'), 'token_malformed'],
    ['that is missing', userBearer, undefined, undefined],
    ['that is empty', userBearer, 'Bearer ', 'token_malformed'],
    ['of 10,000 characters', userBearer, `Bearer aeu_${'a'.repeat(10_000)}`, 'token_malformed'],
  ])('%s is nobody’s', async (_, bearer, header, refusal) => {
    const world = createWorld(bearer, noApplications);
    expect(await world.authenticator.authenticate(header)).toBe(refusal);
  });

  it('that was issued while the clock was ahead ends when it is right, and none while the clock is behind', async () => {
    const minutes = (count: number) => withToken(userBearer, { created_at: NOW + count * 60_000_000 });
    const world = createWorld(minutes(5), noApplications);
    expect(await ask(world)).toMatchObject({ kind: 'user' });
    const late = createWorld(minutes(6), noApplications);
    expect(await ask(late)).toBe('token_expired');
    late.isClockBehind = true;
    expect(await ask(late)).toMatchObject({ kind: 'user' });
  });

  it.each(['bearer', 'BEARER'])('is read under the scheme %s as well', async (scheme) => {
    expect(await ask(createWorld(userBearer, noApplications), USER_TOKEN.replace('Bearer', scheme))).toMatchObject({
      kind: 'user',
    });
  });
});

it('with limits is its user’s with these, and without any it names none', async () => {
  const access = { role: 'auditor', applications: ['bot'], environments: null } as const;
  const limited = createWorld(
    { ...userBearer, user: { ...USER, access: { ...access, applications: ['bot'] } } },
    noApplications,
  );
  expect(await ask(limited)).toMatchObject({ role: 'auditor', limits: { applications: ['bot'], environments: null } });
  expect(await ask(createWorld(userBearer, noApplications))).not.toHaveProperty('limits');
});

describe('an application JWT', () => {
  const claims = {
    tokenId: TOKEN_ID,
    workspaceId: WORKSPACE,
    applicationKey: 'bot',
    scopes: ['answer_audit:create', 'answer_audit:read'],
    issuedAt: NOW,
    expiresAt: NOW + HOUR,
  } as const;
  const key = { kid: 'k1', generation: 1, signsFrom: NOW - HOUR, openSeed: () => new Uint8Array(32).fill(1) };

  async function worldOf(bearer: TokenBearer | undefined) {
    const load = () => Promise.resolve([key]);
    const ring = await openKeyRing({ load, monotonicMs: () => 0, wait: () => Promise.resolve() });
    const tokens = createApplicationTokens({ issuer: 'https://a.example', ring });
    return { world: createWorld(bearer, tokens), header: `Bearer ${await tokens.sign(claims)}` };
  }

  it('is its application’s, with the scopes of the token', async () => {
    const { world, header } = await worldOf(applicationBearer);
    expect(await ask(world, header)).toEqual({
      kind: 'application',
      workspaceId: WORKSPACE,
      tokenId: TOKEN_ID,
      applicationKey: 'bot',
      scopes: claims.scopes,
      expiresAt: NOW + HOUR,
    });
  });

  it.each<[string, TokenBearer | undefined, ReadCaller]>([
    ['whose row is gone', undefined, undefined],
    ['whose row is of another workspace', { ...applicationBearer, workspaceId: OTHER_WORKSPACE }, undefined],
    ['whose row is of another application', withToken(applicationBearer, { application_key: 'other' }), undefined],
    ['whose row is a user’s', userBearer, undefined],
    ['that is revoked', withToken(applicationBearer, { revoked_at: NOW - 1 }), 'token_revoked'],
    ['whose row has expired', withToken(applicationBearer, { expires_at: NOW }), 'token_expired'],
  ])('%s is nobody’s', async (_, bearer, refusal) => {
    const { world, header } = await worldOf(bearer);
    expect(await ask(world, header)).toBe(refusal);
  });

  it.each<[string, TokenBearer, ReadCaller]>([
    ['revoked', withToken(applicationBearer, { revoked_at: NOW + 5 }), 'token_revoked'],
    ['by its row', withToken(applicationBearer, { expires_at: NOW + 5 }), 'token_expired'],
    [
      'by itself',
      withToken(applicationBearer, { expires_at: NOW + 2 * HOUR, revoked_at: NOW + HOUR }),
      'token_expired',
    ],
  ])('that ends while it is read, %s, is told by what ended it', async (_, bearer, told) => {
    const { world, header } = await worldOf(bearer);
    expect(await ask(world, header)).toMatchObject({ kind: 'application' });
    world.nowMicros = NOW + HOUR;
    expect(await ask(world, header)).toBe(told);
  });

  it('is said to have expired only where its signature is right, and costs no read then', async () => {
    const { world, header } = await worldOf(applicationBearer);
    world.nowMicros = NOW + HOUR;
    expect(await ask(world, header)).toBe('token_expired');
    expect(
      await ask(
        world,
        header.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      ),
    ).toBeUndefined();
    expect(world.reads).toBe(0);
  });

  it('that nobody signed costs no read', async () => {
    const { world, header } = await worldOf(applicationBearer);
    const forged = `${header.slice(0, -4)}${header.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    for (const token of [forged, 'Bearer a.b.c']) expect(await ask(world, token)).toBeUndefined();
    expect(await ask(world, 'Bearer x')).toBe('token_malformed');
    expect(world.reads).toBe(0);
  });
});

describe('the memory of callers', () => {
  it('spares reads for less than 4 s, and sees a revocation after that', async () => {
    const world = createWorld(userBearer, noApplications);
    expect(await ask(world)).toMatchObject({ kind: 'user' });
    world.bearer = withToken(userBearer, { revoked_at: NOW });
    world.monotonicMs = 3999;
    expect(await ask(world)).toMatchObject({ kind: 'user' });
    expect(world.reads).toBe(1);
    world.monotonicMs = 4000;
    expect(await ask(world)).toBe('token_revoked');
  });

  it('counts from the start of the reading, however long that took', async () => {
    const world = createWorld(userBearer, noApplications);
    const asked = ask(world);
    world.monotonicMs = 3999;
    expect(await asked).toMatchObject({ kind: 'user' });
    world.monotonicMs = 4000;
    await ask(world);
    expect(world.reads).toBe(2);
  });

  it('is not prolonged by use, nor by a system clock that is set back', async () => {
    const world = createWorld(userBearer, noApplications);
    for (world.monotonicMs = 0; world.monotonicMs < 4000; world.monotonicMs += 500) await ask(world);
    world.bearer = undefined;
    world.nowMicros -= 10 * HOUR;
    expect(await ask(world)).toBeUndefined();
  });

  it('does not outlive the token', async () => {
    const world = createWorld(withToken(userBearer, { expires_at: NOW + 1_000_000 }), noApplications);
    expect(await ask(world)).toMatchObject({ kind: 'user' });
    world.nowMicros = NOW + 999_999;
    expect(await ask(world)).toMatchObject({ kind: 'user' });
    world.nowMicros = NOW + 1_000_000;
    expect(await ask(world)).toBe('token_expired');
    expect(world.reads).toBe(1);
  });

  it.each<[string, TokenBearer, ReadCaller]>([
    ['revoked', withToken(userBearer, { revoked_at: NOW + 5 }), 'token_revoked'],
    [
      'at the end of its overlap',
      withToken(userBearer, { revoked_at: NOW - 9, overlap_until: NOW + 5 }),
      'token_revoked',
    ],
    ['by its expiry', withToken(userBearer, { expires_at: NOW + 5 }), 'token_expired'],
  ])(
    'tells of a token that ends while it is read, %s, what ended it, and of a remembered one',
    async (_, bearer, told) => {
      const reading = createWorld(bearer, noApplications);
      const asked = ask(reading);
      reading.nowMicros = NOW + 5;
      expect(await asked).toBe(told);
      const remembered = createWorld(bearer, noApplications);
      expect(await ask(remembered)).toMatchObject({ kind: 'user' });
      remembered.nowMicros = NOW + 5;
      expect(await ask(remembered)).toBe(told);
      expect(remembered.reads).toBe(1);
    },
  );

  it('holds no refusal: a token works as soon as it exists', async () => {
    const world = createWorld(undefined, noApplications);
    expect(await ask(world)).toBeUndefined();
    world.bearer = userBearer;
    expect(await ask(world)).toMatchObject({ kind: 'user' });
  });

  it('shares a read in flight, but not one that has taken longer than the memory lasts', async () => {
    const world = createWorld(userBearer, noApplications);
    const together = [ask(world), ask(world), ask(world)];
    expect(world.reads).toBe(1);
    world.monotonicMs = 4000;
    const late = ask(world);
    expect(world.reads).toBe(2);
    for (const caller of await Promise.all([...together, late])) expect(caller).toMatchObject({ kind: 'user' });
  });

  it('never gives one token’s caller to another token', async () => {
    const world = createWorld(userBearer, noApplications);
    expect(await ask(world)).toMatchObject({ kind: 'user' });
    expect(await ask(world, `Bearer ${formatUserToken(TOKEN_ID, new Uint8Array(32))}`)).toBeUndefined();
  });
});

describe('a store that fails', () => {
  it.each([
    ['its own error', new ServiceError('ledger_unavailable', 'down', { remedy: 'retry' })],
    ['a driver’s error', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ])('with %s is 503, never 401, and is asked again', async (_, failure) => {
    const world = createWorld(userBearer, noApplications);
    world.failure = failure;
    await expect(ask(world)).rejects.toMatchObject({ code: 'ledger_unavailable', remedy: 'retry' });
    world.failure = undefined;
    expect(await ask(world)).toMatchObject({ kind: 'user' });
  });

  it('lets who was just seen go on for less than 4 s', async () => {
    const world = createWorld(userBearer, noApplications);
    await ask(world);
    world.failure = new Error('down');
    world.monotonicMs = 3999;
    expect(await ask(world)).toMatchObject({ kind: 'user' });
    world.monotonicMs = 4000;
    await expect(ask(world)).rejects.toMatchObject({ code: 'ledger_unavailable' });
  });
});
