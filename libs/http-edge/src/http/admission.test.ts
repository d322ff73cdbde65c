import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { createHostPolicy } from '../auth/host-policy.ts';
import { WORKSPACE_ID } from '../fixtures/callers.ts';
import { type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { echoRoute, replyRoute } from '../fixtures/routes.ts';
import { sendRaw } from '../fixtures/send-raw.ts';

const routes = [
  replyRoute('/public', { status: 200, body: '"public"' }, 'public'),
  replyRoute('/settings', { status: 200, body: '"settings"' }, 'settings.manage'),
  replyRoute('/records', { status: 200, body: '"records"' }, 'records.read'),
  echoRoute,
];

describe('admission', () => {
  let edge: OpenEdge;
  beforeAll(async () => {
    edge = await openEdge(routes);
  });
  afterAll(() => edge.close());

  async function answerTo(path: string, authorization: string) {
    const response = await edge.send(path, { headers: { authorization } });
    const body: unknown = await response.json();
    return { status: response.status, challenge: response.headers.get('www-authenticate'), body };
  }

  it.each(['', 'Basic bWU6bWU=', 'Bearer', 'Bearer ', 'manager'])(
    'no bearer token ("%s") is 401 with a plain challenge',
    async (authorization) => {
      const { status, challenge, body } = await answerTo('/records', authorization);
      expect([status, challenge]).toEqual([401, 'Bearer realm="answer-evidence"']);
      expect(body).toMatchObject({ code: 'unauthenticated' });
    },
  );

  it.each([
    ['token_malformed', 'The token is malformed'],
    ['token_expired', 'The token has expired'],
    ['token_revoked', 'The token was revoked'],
  ] as const)('a refused token is 401 with the reason that its bearer may know: %s', async (code, title) => {
    const own = await openEdge(routes, {
      authenticator: { authenticate: () => Promise.resolve(code), wasGood: () => false },
    });
    try {
      const response = await own.send('/records', { headers: { authorization: 'Bearer x' } });
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        `Bearer realm="answer-evidence", error="invalid_token", error_description="${title}"`,
      ]);
      expect(await response.json()).toMatchObject({ code, title });
    } finally {
      await own.close();
    }
  });

  it('a token that is nobody’s is 401 and called invalid', async () => {
    const { status, challenge } = await answerTo('/records', 'Bearer nobody');
    expect([status, challenge]).toEqual([
      401,
      'Bearer realm="answer-evidence", error="invalid_token", error_description="Authentication failed"',
    ]);
  });

  it.each([
    ['member', '/settings', 'role_not_allowed', null],
    ['creator', '/settings', 'token_kind_not_allowed', null],
    ['creator', '/records', 'scope_missing', 'Bearer realm="answer-evidence", error="insufficient_scope"'],
  ])('%s on %s is 403 %s', async (who, path, code, challenge) => {
    const answer = await answerTo(path, `Bearer ${who}`);
    expect(answer).toMatchObject({ status: 403, challenge, body: { code } });
  });

  it('a public route needs no token', async () => {
    expect(await answerTo('/public', '')).toMatchObject({ status: 200, body: 'public' });
  });

  it('who may not do it learns nothing from a wrong query or body', async () => {
    expect((await answerTo('/settings?x=1', 'Bearer member')).status).toBe(403);
    expect((await edge.post('/echo', '{', { authorization: 'Bearer nobody' })).status).toBe(401);
  });

  it('a refusal is logged with the token’s id, never with the token', async () => {
    await answerTo('/settings', 'Bearer member');
    const line = await edge.logs.find('"code":"role_not_allowed"');
    expect(line).toContain('"token_id":"0199f3c2-0000-7000-8000-0000000000a2"');
    expect(line).toContain(`"workspace_id":"${WORKSPACE_ID}"`);
    expect(edge.logs.all()).not.toContain('Bearer');
  });
});

describe('a store that does not answer', () => {
  it('is 503, not 401', async () => {
    const edge = await openEdge(routes, {
      authenticator: {
        wasGood: () => false,
        authenticate: () => Promise.reject(new ServiceError('ledger_unavailable', 'tokens cannot be checked')),
      },
    });
    const response = await edge.send('/records');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.json()).toMatchObject({ code: 'ledger_unavailable' });
    await edge.close();
  });
});

describe('hosts that select workspaces', () => {
  let edge: OpenEdge;
  beforeAll(async () => {
    const ids = new Map([
      ['demo', WORKSPACE_ID],
      ['other', '0199f3c2-0000-7000-8000-000000000002'],
    ]);
    const hosts = createHostPolicy('https://{workspace}.example.com', {
      findBySlug: (slug) => {
        const id = ids.get(slug);
        return Promise.resolve(id === undefined ? undefined : { id });
      },
    });
    edge = await openEdge(routes, { hosts });
  });
  afterAll(() => edge.close());

  async function statusOn(host: string, path: string, token: string): Promise<string | undefined> {
    const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
    const reply = await sendRaw(edge.port, request);
    return /"code":"(\w+)"/.exec(reply)?.[1] ?? reply.slice(9, 12);
  }

  it.each([
    ['demo.example.com', '200'],
    ['DEMO.example.com:8443', '200'],
    ['other.example.com', 'workspace_not_allowed'],
    ['nobody.example.com', 'not_found'],
    ['demo.example.org', 'not_found'],
    ['demo.evil.com#.example.com', 'not_found'],
    ['a.demo.example.com', 'not_found'],
    ['example.com', 'not_found'],
    ['', 'not_found'],
  ])('on "%s" a token of demo gets %s', async (host, expected) => {
    expect(await statusOn(host, '/records', 'manager')).toBe(expected);
  });

  it('an unknown host has no public resource either, and no token there is 401', async () => {
    expect(await statusOn('nobody.example.com', '/public', 'manager')).toBe('not_found');
    expect(await statusOn('demo.example.com', '/public', 'nobody')).toBe('200');
    expect(await statusOn('nobody.example.com', '/records', 'nobody')).toBe('unauthenticated');
  });
});
