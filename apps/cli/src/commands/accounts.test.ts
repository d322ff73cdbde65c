import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { fakeProblem } from '../testing/fake-host.ts';
import { runTranscript, TOKEN } from '../testing/run-transcript.ts';

const ID = '0199f3c2-0000-7000-8000-000000000001';
const AT = '2026-11-20T09:00:00.000000Z';
const PASSWORD = ' the password, with blanks ';
const CONFIG = '/home/me/.config/answer-evidence/config.yaml';
const NO_TOKEN = { SERVICE_TOKEN: '' };
const profile = { username: 'anna', tenant_slug: 'demo', tenant_display_name: 'Demo', role: 'manager' };
const login = {
  id: ID,
  name: 'login-anna-0000',
  kind: 'user',
  application_key: null,
  scopes: [],
  user_id: ID,
  created_at: AT,
  expires_at: AT,
  revoked_at: null,
  last_used_at: null,
  token: 'aeu_the-new-token',
  base_url: null,
  profile,
};
const LOGIN = { 'POST /api/auth/login': { body: login } };
const member = {
  id: ID,
  username: 'anna',
  role: 'member',
  disabled: false,
  sign_in: 'link',
  created_at: AT,
  disabled_at: null,
  removed_at: null,
  version: 1,
};
const SECRET = 'aep_the-secret-of-the-link';
const link = { url: `https://host.example/auth/password#${SECRET}`, secret: SECRET, expires_at: AT };

describe('login', () => {
  it('asks without an echo, saves the token where only its owner reads, and shows neither', async () => {
    const world = { env: NO_TOKEN, answers: ['anna', PASSWORD] };
    const run = await runTranscript(['login'], LOGIN, world);
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('Username: \nPassword: (hidden)');
    expect(run.calls).toMatchObject([{ method: 'POST', path: '/api/auth/login', authorization: undefined }]);
    expect(JSON.parse(run.calls[0]?.body ?? '')).toEqual({ username: 'anna', password: PASSWORD });
    const saved: unknown = parse(run.files.get(CONFIG) ?? '');
    expect(saved).toEqual({
      registry: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
      auth: { token: login.token, token_id: ID, token_name: login.name },
      profile: { username: 'anna', tenant_slug: 'demo', tenant_display_name: 'Demo' },
    });
    expect(run.modes.get(CONFIG)).toBe(0o600);
    for (const secret of [PASSWORD.trim(), login.token]) expect(run.stdout + run.stderr).not.toContain(secret);
    expect(run.stdout).toContain('signed in as');
  });

  it('reads the password as a line of standard input, to its last blank', async () => {
    const argv = ['--output', 'json', 'login', '--username', 'anna', '--workspace', 'demo', '--expires-in', '30d'];
    const run = await runTranscript(argv, LOGIN, { env: NO_TOKEN, stdin: `${PASSWORD}\r\n` });
    expect(JSON.parse(run.calls[0]?.body ?? '')).toEqual({
      username: 'anna',
      password: PASSWORD,
      workspace: 'demo',
      expires_in_seconds: 30 * 86_400,
    });
    expect(JSON.parse(run.stdout)).toMatchObject({ token_id: ID, profile: { username: 'anna' } });
    expect(run.stdout).not.toContain(login.token);
  });

  it('takes no password as an option, and none from nowhere', async () => {
    const run = await runTranscript(['login', '--username', 'anna', '--password', PASSWORD], LOGIN, { env: NO_TOKEN });
    expect([run.exitCode, run.calls]).toEqual([2, []]);
    expect(run.stderr).not.toContain(PASSWORD);
    const empty = await runTranscript(['login', '--username', 'anna'], LOGIN, { env: NO_TOKEN });
    expect([empty.exitCode, empty.calls]).toEqual([2, []]);
  });

  it('gives a browser session proxy no password, and nothing that does not say what it is', async () => {
    const proxy = { body: { kind: 'browser-session-proxy', version: '2026-07-31', workspace: null } };
    for (const host of [proxy, { status: 404 }, { body: 'a page' }]) {
      const run = await runTranscript(['login'], LOGIN, { env: NO_TOKEN, answers: ['anna', PASSWORD], host });
      expect([run.exitCode === 0, run.calls, run.files.get(CONFIG)]).toEqual([false, [], undefined]);
    }
  });

  it('asks a person for the workspace, and only where the host serves several', async () => {
    const several = fakeProblem(422, 'schema_violation', 'set workspace to yours', '/workspace');
    const routes = { 'POST /api/auth/login': [{ status: 422, body: several }, { body: login }] };
    const run = await runTranscript(['login'], routes, { env: NO_TOKEN, answers: ['anna', PASSWORD, 'demo'] });
    expect([run.exitCode, run.stderr.match(/Password/g)?.length]).toEqual([0, 1]);
    expect(run.stderr).toContain('Workspace: ');
    expect(run.calls.map(({ body }) => JSON.parse(body).workspace)).toEqual([undefined, 'demo']);
  });

  it('says what a failed login was, once, and leaves what was saved', async () => {
    const body = fakeProblem(401, 'login_failed', 'the name, the password or the workspace is wrong');
    const files = { [CONFIG]: `auth:\n  token: ${TOKEN}\n` };
    const routes = { 'POST /api/auth/login': { status: 401, body } };
    const run = await runTranscript(['login'], routes, { env: NO_TOKEN, answers: ['anna', PASSWORD], files });
    expect([run.exitCode, run.calls.length, run.files.get(CONFIG)]).toEqual([1, 1, files[CONFIG]]);
    expect(run.stderr).toContain('login_failed');
    expect(run.stderr).not.toContain('has expired');
  });

  it('says it as plainly when no password was entered', async () => {
    const body = fakeProblem(422, 'schema_violation', 'the request is malformed');
    const routes = { 'POST /api/auth/login': { status: 422, body } };
    const run = await runTranscript(['login'], routes, { env: NO_TOKEN, answers: ['anna', ''] });
    expect(run.stderr).toContain('422 schema_violation: the request is malformed');
  });

  it('ends a token that it cannot save', async () => {
    const routes = { ...LOGIN, 'POST /api/auth/logout': { status: 204 } };
    const env = { ...NO_TOKEN, SERVICE_CONFIG: '/readonly/config.yaml' };
    const run = await runTranscript(['login'], routes, { env, answers: ['anna', PASSWORD] });
    expect(run.exitCode).toBe(2);
    expect(run.calls.at(-1)).toMatchObject({
      path: '/api/auth/logout',
      authorization: `Bearer ${login.token}`,
    });
  });

  it('stays with the host that it signed in at when the service names one that cannot be used', async () => {
    const elsewhere = { 'POST /api/auth/login': { body: { ...login, base_url: 'http://127.0.0.1:1' } } };
    const run = await runTranscript(['login'], elsewhere, { env: NO_TOKEN, answers: ['anna', PASSWORD] });
    expect(run.exitCode).toBe(0);
    expect(run.files.get(CONFIG)).not.toContain('127.0.0.1:1\n');
  });
});

describe('logout', () => {
  const saved = (registry: string) => ({
    [CONFIG]: `registry: ${registry}\nauth:\n  token: ${TOKEN}\n  token_name: laptop\n`,
  });

  it('has nothing to do where nobody is signed in', async () => {
    const run = await runTranscript(['logout']);
    expect([run.exitCode, run.calls]).toEqual([2, []]);
  });

  it('sends the saved token to no other host than it was saved for', async () => {
    const run = await runTranscript(['logout'], {}, { files: saved('http://127.0.0.1:1') });
    expect([run.exitCode, run.seen]).toEqual([3, []]);
    expect(run.files.get(CONFIG)).toContain(TOKEN);
  });

  it.each([{ status: 204 }, { status: 401, body: fakeProblem(401, 'unauthenticated', 'revoked') }])(
    'revokes the saved token and forgets it, also when it had ended: %j',
    async (reply) => {
      const files = { [CONFIG]: `auth:\n  token: ${TOKEN}\n  token_name: laptop\n` };
      const run = await runTranscript(['logout'], { 'POST /api/auth/logout': reply }, { env: NO_TOKEN, files });
      expect(run.exitCode).toBe(0);
      expect(run.calls).toMatchObject([{ path: '/api/auth/logout', authorization: `Bearer ${TOKEN}` }]);
      expect(run.files.get(CONFIG)).not.toContain('auth');
      expect(run.stdout + run.stderr).not.toContain(TOKEN);
    },
  );
});

describe('members', () => {
  const page = { items: [member], page: 1, size: 50, total: 1, total_relation: 'eq', next_cursor: null };
  const LIST = { 'GET /api/members': { body: page } };

  it('lists everybody', async () => {
    const run = await runTranscript(['members', 'list'], LIST);
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toContain('anna');
  });

  it('adds somebody and shows the link once, with a warning', async () => {
    const routes = { 'POST /api/members': { status: 201, body: { ...member, role: 'manager', password_link: link } } };
    const run = await runTranscript(['members', 'add', 'anna', '--role', 'manager'], routes);
    expect(JSON.parse(run.calls[0]?.body ?? '')).toEqual({ username: 'anna', role: 'manager' });
    expect(run.stdout).toContain(link.url);
    expect(run.stderr).toContain('not shown again');
  });

  it.each([
    [['role', 'anna', 'manager'], { role: 'manager' }],
    [['disable', 'anna'], { disabled: true }],
    [['enable', ID], { disabled: false }],
    [['enable', ID.toUpperCase()], { disabled: false }],
    [['reset', 'anna'], { password_reset: true }],
  ])('changes somebody by name or id: %j', async (argv, body) => {
    const now = 'password_reset' in body ? member : { ...member, ...body };
    const changed = { [`PATCH /api/members/${ID}`]: { body: { ...now, password_link: null } } };
    const run = await runTranscript(['members', ...argv], { ...LIST, ...changed });
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.calls.at(-1)?.body ?? '')).toEqual(body);
  });

  it('removes somebody', async () => {
    const run = await runTranscript(['members', 'remove', 'anna'], {
      ...LIST,
      [`DELETE /api/members/${ID}`]: { status: 204 },
    });
    expect([run.exitCode, run.calls.map(({ method }) => method)]).toEqual([0, ['GET', 'DELETE']]);
  });

  it('changes nothing for a name that is nobody’s, a role that is not one, or a name that cannot be', async () => {
    for (const argv of [
      ['disable', 'nobody'],
      ['role', 'anna', 'owner'],
      ['add', 'Anna'],
    ]) {
      const run = await runTranscript(['members', ...argv], LIST);
      expect([run.exitCode, run.calls.filter(({ method }) => method !== 'GET')]).toEqual([2, []]);
    }
  });
});

describe('password set', () => {
  const SET = { 'POST /api/auth/password': { body: profile } };

  it('asks for secret and password without an echo, and shows neither', async () => {
    const run = await runTranscript(['password', 'set'], SET, { env: NO_TOKEN, answers: [SECRET, PASSWORD, PASSWORD] });
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.calls[0]?.body ?? '')).toEqual({ secret: SECRET, password: PASSWORD });
    expect(run.stderr.match(/\(hidden\)/g)).toHaveLength(3);
    for (const secret of [SECRET, PASSWORD.trim()]) expect(run.stdout + run.stderr).not.toContain(secret);
  });

  it('reads two lines where there is no terminal', async () => {
    const run = await runTranscript(['password', 'set'], SET, { env: NO_TOKEN, stdin: `${SECRET}\n${PASSWORD}\n` });
    expect(JSON.parse(run.calls[0]?.body ?? '')).toEqual({ secret: SECRET, password: PASSWORD });
  });

  it('sends nothing when the two passwords differ', async () => {
    const answers = [SECRET, PASSWORD, 'something else'];
    const run = await runTranscript(['password', 'set'], SET, { env: NO_TOKEN, answers });
    expect([run.exitCode, run.calls]).toEqual([2, []]);
  });

  it('sends the secret of a whole link to the host of the link only', async () => {
    const answers = [`http://127.0.0.1:1/auth/password#${SECRET}`, PASSWORD, PASSWORD];
    const run = await runTranscript(['password', 'set'], SET, { env: NO_TOKEN, answers });
    expect([run.exitCode, run.seen]).toEqual([3, []]);
    expect(run.stdout + run.stderr).not.toContain(SECRET);
  });
});
