import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS } from '@answer-evidence/contracts';
import { fakeProblem } from '../testing/fake-host.ts';
import { runTranscript, TOKEN } from '../testing/run-transcript.ts';
import { AT, createEntry, ID } from '../testing/samples.ts';

const settings = { ...DEFAULT_SETTINGS, version: 3, updated_at: AT };
const token = {
  id: ID,
  name: 'ci',
  kind: 'application',
  application_key: 'bot',
  scopes: ['answer_audit:create'],
  user_id: null,
  created_at: AT,
  expires_at: AT,
  revoked_at: null,
  last_used_at: null,
};

describe('settings', () => {
  const routes = { 'GET /api/tenant/settings': { body: settings }, 'PATCH /api/tenant/settings': { body: settings } };

  it('shows the policy', async () => {
    const { stdout } = await runTranscript(['settings', 'get'], routes);
    expect(stdout).toMatch(/answer_audit_default_retention_days +365\n/);
  });

  it('changes what is named, with or without the prefix, in the types of the policy', async () => {
    const pairs = [
      'store_question_text=false',
      'answer_audit_default_retention_days=30',
      'hash_key_id=hk_1',
      'version=3',
    ];
    const changes = {
      answer_audit_store_question_text: false,
      answer_audit_default_retention_days: 30,
      answer_audit_hash_key_id: 'hk_1',
    };
    const { calls, exitCode } = await runTranscript(['settings', 'set', ...pairs], {
      'PATCH /api/tenant/settings': { body: { ...settings, ...changes } },
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(calls[0]?.body ?? '')).toEqual({ ...changes, version: 3 });
  });

  it('reads rules for OTLP from a file, and shows them in one line', async () => {
    const rules = [{ application_key: 'helpdesk', answers: 'all', include: [], exclude: [{ is_root: false }] }];
    const shown = { ...settings, answer_audit_otlp_rules: rules };
    const { calls, stdout } = await runTranscript(
      ['settings', 'set', 'otlp_rules=@rules.json', 'version=3'],
      { 'PATCH /api/tenant/settings': { body: shown } },
      { files: { 'rules.json': '[{"application_key":"helpdesk","exclude":[{"is_root":false}]}]' } },
    );
    expect(JSON.parse(calls[0]?.body ?? '')).toEqual({ answer_audit_otlp_rules: rules, version: 3 });
    expect(stdout).toContain(JSON.stringify(rules));
  });

  it('takes JSON on the command line, such as no rules at all', async () => {
    const { calls } = await runTranscript(['settings', 'set', 'otlp_rules=[]'], routes);
    expect(JSON.parse(calls[0]?.body ?? '')).toEqual({ answer_audit_otlp_rules: [] });
    expect((await runTranscript(['settings', 'set', 'otlp_rules=[{]'], routes)).stderr).toMatch(
      /otlp_rules: not a JSON document/,
    );
  });

  it.each([
    ['otlp_rules=@absent.json'],
    ['store_question_text'],
    ['=1'],
    ['unknown=1'],
    ['store_question_text=maybe'],
    ['default_retention_days=0'],
  ])('refuses %s', async (pair) => {
    expect(await runTranscript(['settings', 'set', pair], routes)).toMatchObject({ exitCode: 2, seen: [] });
  });

  it.each([
    ['foo=1', /foo: is an unknown setting; use one of store_question_text, .*, version/],
    ['answer_audit_acept_text=true', /answer_audit_acept_text: is an unknown setting; did you mean accept_text\?/],
    ['default_retention_days=soon', /default_retention_days must be a number/],
  ])('says of %s what is allowed', async (pair, sentence) => {
    expect((await runTranscript(['settings', 'set', pair], routes)).stderr).toMatch(sentence);
  });

  it('refuses one setting named twice', async () => {
    const argv = ['settings', 'set', 'accept_text=true', 'answer_audit_accept_text=false'];
    expect(await runTranscript(argv, routes)).toMatchObject({ exitCode: 2, seen: [] });
  });
});

describe('hash-keys', () => {
  const key = { id: 'hk_1', active: true, created_at: AT };
  const routes = {
    'GET /api/tenant/hash-keys': { body: { items: [key] } },
    'POST /api/tenant/hash-keys': { status: 201, body: key },
  };

  it.each([['list'], ['create']])('%s shows the key', async (command) => {
    const { stdout, exitCode } = await runTranscript(['hash-keys', command], routes);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/hk_1 +true +2026/);
  });
});

describe('hash-keys hash-id', () => {
  const hash = `hmac-sha256:${'0a'.repeat(32)}`;
  const routes = {
    'POST /api/tenant/id-hashes': { body: { items: [{ hash_key_id: 'hk_1', active: true, hash }] } },
  };
  const ask = ['hash-keys', 'hash-id', 'actor'];

  it('shows the hashes of an id that was given, or came by standard input', async () => {
    const given = await runTranscript([...ask, 'anna@example.com'], routes);
    const piped = await runTranscript([...ask, '-'], routes, { stdin: 'anna@example.com\n' });
    for (const { stdout, exitCode, calls } of [given, piped]) {
      expect([exitCode, JSON.parse(calls[0]?.body ?? '')]).toEqual([0, { kind: 'actor', id: 'anna@example.com' }]);
      expect(stdout).toContain(hash);
    }
  });

  it.each([[['hash-keys', 'hash-id', 'team', 'anna']], [[...ask, '']]])('refuses %j', async (argv) => {
    expect(await runTranscript(argv, routes)).toMatchObject({ exitCode: 2, seen: [] });
  });
});

describe('tokens', () => {
  const SECRET = 'eyJ.the-new.token';
  const routes = {
    'GET /api/tokens': {
      body: { items: [token], page: 1, size: 1, total: 2, total_relation: 'eq', next_cursor: 'bmV4dA' },
    },
    'POST /api/tokens': { status: 201, body: { ...token, token: SECRET } },
    [`POST /api/tokens/${ID}/rotate`]: { status: 201, body: { ...token, token: SECRET } },
    [`DELETE /api/tokens/${ID}`]: { status: 204 },
  };
  const create = ['tokens', 'create', '--name', 'ci', '--application', 'bot', '--scope', 'answer_audit:create'];

  it('lists tokens', async () => {
    const { stdout, stderr, calls } = await runTranscript(
      ['tokens', 'list', '--status', 'live', '--size', '1'],
      routes,
    );
    expect(stdout).toContain('answer_audit:create');
    expect(stderr).toContain('1 of 2 tokens; next: --cursor bmV4dA');
    expect(calls[0]).toMatchObject({ path: '/api/tokens', query: '?status=live&size=1' });
  });

  it.each([['table'], ['json']])('shows a new token once, on standard output, as %s', async (form) => {
    const { stdout, stderr, calls } = await runTranscript([...create, '--expires-in', '12h', '--output', form], routes);
    expect(stdout.split(SECRET)).toHaveLength(2);
    expect(stderr).not.toContain(SECRET);
    expect(stdout + stderr).not.toContain(TOKEN);
    expect(JSON.parse(calls[0]?.body ?? '')).toEqual({
      name: 'ci',
      kind: 'application',
      application_key: 'bot',
      scopes: ['answer_audit:create'],
      expires_in_seconds: 43_200,
    });
  });

  it('revokes a token', async () => {
    const { exitCode, calls } = await runTranscript(['tokens', 'revoke', ID], routes);
    expect(exitCode).toBe(0);
    expect(calls[0]).toMatchObject({ method: 'DELETE', path: `/api/tokens/${ID}` });
  });

  it('rotates a token, and shows the new one once', async () => {
    for (const [argv, overlap] of [
      [[], 0],
      [['--overlap', '10m'], 600],
    ] as const) {
      const { stdout, stderr, calls } = await runTranscript(['tokens', 'rotate', ID, ...argv], routes);
      expect(stdout.split(SECRET)).toHaveLength(2);
      expect(stderr).not.toContain(SECRET);
      expect(calls[0]).toMatchObject({ method: 'POST', path: `/api/tokens/${ID}/rotate` });
      expect(JSON.parse(calls[0]?.body ?? '')).toEqual({ overlap_seconds: overlap });
    }
  });

  it('says that a token which is rotated already cannot be rotated', async () => {
    const body = fakeProblem(409, 'token_not_active', 'the token is revoked or expired');
    const conflict = { [`POST /api/tokens/${ID}/rotate`]: { status: 409, body } };
    const { exitCode, stderr } = await runTranscript(['tokens', 'rotate', ID], conflict);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('the token is revoked or expired');
  });

  it.each([
    ['no name', ['tokens', 'create']],
    ['an overlap beyond a day', ['tokens', 'rotate', ID, '--overlap', '25h']],
    ['an overlap in words', ['tokens', 'rotate', ID, '--overlap', 'long']],
    ['an unknown scope', [...create, '--scope', 'everything']],
    ['an unknown kind', [...create, '--kind', 'root']],
    ['a life in words', [...create, '--expires-in', 'long']],
    ['a life beyond 90 days', [...create, '--expires-in', '91d']],
  ])('refuses %s', async (_, argv) => {
    expect(await runTranscript(argv, routes)).toMatchObject({ exitCode: 2, seen: [] });
  });
});

describe('entries', () => {
  const entry = {
    id: ID,
    type: 'settings_changed',
    created_at: AT,
    actor: { kind: 'user', id: ID, token_id: null },
    core: { id: ID, nonce: '00', version: 2 },
    changes: [{ name: 'answer_audit_default_retention_days', before: 365, after: 30 }],
    names: [{ id: ID, kind: 'member', name: 'anna' }],
    ledger: {
      origin: 'log.example/acme',
      leaf_index: 7,
      leaf_hash: '0a'.repeat(32),
      entry: createEntry('settings_changed', ID, ID),
    },
  };
  const list = { items: [entry], page: 1, size: 50, total: 1, total_relation: 'eq', next_cursor: null };
  const routes = {
    'GET /api/tenant/entries': { body: list },
    [`GET /api/tenant/entries/${ID}`]: { body: { ...entry, receipt: 'a receipt' } },
  };

  it('are listed by filters, with who did it and what changed', async () => {
    const argv = ['entries', 'list', '--type', 'settings_changed', '--actor-id', ID, '--created-after', AT];
    const { stdout, calls, exitCode } = await runTranscript(argv, routes);
    expect([exitCode, calls[0]?.query]).toEqual([
      0,
      `?type=settings_changed&actor_id=${ID}&created_after=${encodeURIComponent(AT)}`,
    ]);
    expect(stdout).toMatch(/settings_changed +anna +answer_audit_default_retention_days +7/);
  });

  it('are shown with their differences, and saved with what proves them', async () => {
    const argv = ['entries', 'show', ID, '--receipt-out', '/e.tlog-proof', '--entry-out', '/e.json'];
    const { stdout, files } = await runTranscript(argv, routes);
    expect(stdout).toMatch(/answer_audit_default_retention_days +365 +30/);
    expect([files.get('/e.tlog-proof'), files.get('/e.json')]).toEqual([
      'a receipt',
      createEntry('settings_changed', ID, ID),
    ]);
  });

  it('refuse a type that there is not', async () => {
    expect(await runTranscript(['entries', 'list', '--type', 'gossip'], routes)).toMatchObject({
      exitCode: 2,
      seen: [],
    });
  });
});
