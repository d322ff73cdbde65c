import { describe, expect, it } from '@jest/globals';
import { runCli } from './run-cli.ts';
import { fakeProblem, openFakeHost } from './testing/fake-host.ts';
import { createMemoryIo } from './testing/memory-io.ts';
import { runTranscript, TOKEN } from './testing/run-transcript.ts';
import { AT, ID } from './testing/samples.ts';

const whoami = {
  kind: 'user',
  id: ID,
  token_id: ID,
  username: 'ada',
  role: 'manager',
  application_key: null,
  scopes: [],
  expires_at: AT,
  workspace: { id: ID, slug: 'demo', display_name: 'Demo' },
};
const routes = { 'GET /api/whoami': { body: whoami } };
const proxy = { body: { kind: 'browser-session-proxy', version: '2026-07-31', workspace: null } };

describe('the command line', () => {
  it('prints a table for people, or the answer as JSON, on standard output alone', async () => {
    const table = await runTranscript(['whoami'], routes);
    expect(table).toMatchObject({ exitCode: 0, stderr: '' });
    expect(table.stdout).toContain('workspace     demo (Demo)\n');
    const json = await runTranscript(['whoami', '--output', 'json'], routes);
    expect(JSON.parse(json.stdout)).toEqual(whoami);
  });

  it.each([
    [['-o', 'json', 'records', 'get', '--help'], 0, /^Usage: answer-evidence records get /],
    [['--quiet', 'records', 'get', '--help'], 0, /^Usage: answer-evidence records get /],
    [['--output', 'json', '--help'], 0, /^Usage: answer-evidence \[options\]/],
    [['--quiet', 'bogus', '--help'], 2, /^$/],
    [['-o', 'json', 'records', 'bogus', '--help'], 2, /^$/],
  ])('tells the command from options before it: %s', async (argv, exitCode, help) => {
    expect(await runTranscript(argv)).toMatchObject({ exitCode, stdout: expect.stringMatching(help) });
  });

  it('asks the host what it is, without the token, before the first request with it', async () => {
    const { seen } = await runTranscript(['whoami'], routes);
    expect(seen.map((request) => [request.path, request.authorization])).toEqual([
      ['/.well-known/answer-evidence', undefined],
      ['/api/whoami', `Bearer ${TOKEN}`],
    ]);
  });

  it('refuses a browser session proxy, and sends it no token', async () => {
    const transcript = await runTranscript(['whoami'], routes, { host: proxy });
    expect(transcript).toMatchObject({ exitCode: 2, stdout: '', calls: [] });
    expect(transcript.stderr).toContain('browser session proxy');
  });

  it.each([
    ['a page', { body: '<html>' }],
    ['404', { status: 404, body: 'nothing here' }],
  ])('refuses a host that answers with %s, and sends it no token', async (_, host) => {
    expect(await runTranscript(['whoami'], routes, { host })).toMatchObject({ exitCode: 2, calls: [] });
  });

  it('sends a saved token to no host of another workspace', async () => {
    const config = `auth: {token: ${TOKEN}}\nprofile: {tenant_slug: other}`;
    const world = { env: { SERVICE_TOKEN: '', SERVICE_CONFIG: '/c.yaml' }, files: { '/c.yaml': config } };
    const transcript = await runTranscript(['whoami'], routes, world);
    expect(transcript).toMatchObject({ exitCode: 2, calls: [] });
    expect(transcript.stderr).toContain('workspace demo');
    const files = { '/c.yaml': config.replace('other', 'demo') };
    expect(await runTranscript(['whoami'], routes, { ...world, files })).toMatchObject({ exitCode: 0 });
  });

  it('ends with 1 and the whole problem when the service answers with an error', async () => {
    const body = fakeProblem(422, 'schema_violation', 'the request is not valid', '/question/hash');
    const transcript = await runTranscript(['whoami'], { 'GET /api/whoami': { status: 422, body } });
    expect(transcript).toMatchObject({ exitCode: 1, stdout: '' });
    expect(transcript.stderr).toBe(
      'error: 422 schema_violation: the request is not valid\n  /question/hash: is wrong\n  request req-1\n',
    );
  });

  it('does not repeat a fault that the sentence of the service contains', async () => {
    const errors = ['a', 'b'].map((name) => ({ pointer: `/${name}`, detail: 'is required' }));
    const detail = 'The body is invalid at /a: is required; errors lists 1 more.';
    const body = { ...(fakeProblem(422, 'schema_violation', detail) as object), errors };
    const transcript = await runTranscript(['whoami'], { 'GET /api/whoami': { status: 422, body } });
    expect(transcript.stderr).toBe(`error: 422 schema_violation: ${detail}\n  /b: is required\n  request req-1\n`);
  });

  it('sends a refused token once, and says what may have become of it', async () => {
    const body = fakeProblem(401, 'unauthenticated', 'authentication failed');
    const transcript = await runTranscript(['whoami'], { 'GET /api/whoami': { status: 401, body } });
    expect(transcript.exitCode).toBe(1);
    expect(transcript.calls).toHaveLength(1);
    expect(transcript.stderr).toContain('not retried');
  });

  it('ends with 3 when the host cannot be reached', async () => {
    const host = await openFakeHost({});
    await host.close();
    const env = { SERVICE_REGISTRY: host.url, SERVICE_TOKEN: TOKEN };
    const world = createMemoryIo({ env });
    expect(await runCli(['whoami'], world.io)).toBe(3);
    expect(world.stdout()).toBe('');
    expect(world.stderr()).toBe(`error: no response from ${host.url} (ECONNREFUSED, 4 attempts)\n`);
  });

  it.each([
    ['no command', []],
    ['an unknown command', ['frobnicate']],
    ['the help of an unknown command', ['frobnicate', '--help']],
    ['the help of an unknown command in a group', ['records', 'frobnicate', '-h']],
    ['help for an unknown command', ['help', 'frobnicate']],
    ['an unknown option', ['whoami', '--verbose']],
    ['an unknown form of output', ['whoami', '--output', 'xml']],
    ['a missing argument', ['records', 'get']],
    ['an argument too many', ['whoami', 'me']],
    ['a registry in clear to another machine', ['whoami', '--registry', 'http://demo.example']],
  ])('ends with 2 for %s, and sends nothing', async (_, argv) => {
    const transcript = await runTranscript(argv, routes);
    expect(transcript).toMatchObject({ exitCode: 2, stdout: '', seen: [] });
    expect(transcript.stderr).not.toBe('');
  });

  it('suggests the command that was probably meant, also where its help was asked for', async () => {
    const { stderr } = await runTranscript(['record', '--help']);
    expect(stderr).toContain("unknown command 'record'\n(Did you mean records?)");
    expect(stderr).toContain('--help');
  });

  it.each([['--token'], ['--service-token'], ['--auth-token']])(
    'has no option %s, and never repeats its value',
    async (option) => {
      for (const argv of [
        ['whoami', `${option}=${TOKEN}`],
        ['whoami', option, TOKEN],
        [`${option}=${TOKEN}`, 'whoami'],
      ]) {
        const transcript = await runTranscript(argv, routes);
        expect(transcript).toMatchObject({ exitCode: 2, seen: [] });
        expect(transcript.stdout + transcript.stderr).not.toContain(TOKEN);
      }
    },
  );

  it.each([[['--help']], [['records', '--help']], [['records', 'create', '--help']], [['--version']]])(
    'answers %j with 0 and names no option for a token',
    async (argv) => {
      const transcript = await runTranscript(argv);
      expect(transcript).toMatchObject({ exitCode: 0, stderr: '' });
      expect(transcript.stdout).not.toMatch(/--\S*token/);
    },
  );

  it('never prints the token, even when the service sends it back', async () => {
    const body = fakeProblem(403, 'role_not_allowed', `not for ${TOKEN}`);
    const transcript = await runTranscript(['whoami'], { 'GET /api/whoami': { status: 403, body } });
    expect(transcript.stderr).toContain('not for [hidden]');
    expect(transcript.stderr).not.toContain(TOKEN);
  });

  it('lets no text of the service act on the terminal', async () => {
    const hostile = { ...whoami, username: '\u001b]0;owned\u0007\u202eada\nroot' };
    for (const argv of [['whoami'], ['whoami', '--output', 'json']]) {
      const { stdout } = await runTranscript(argv, { 'GET /api/whoami': { body: hostile } });
      for (const character of ['\u0007', '\u001b', '\u202e']) expect(stdout).not.toContain(character);
    }
    const body = fakeProblem(403, 'role_not_allowed', '\u001b[2Jgone');
    const { stderr } = await runTranscript(['whoami'], { 'GET /api/whoami': { status: 403, body } });
    expect(stderr).toContain('[2Jgone');
    expect(stderr).not.toContain('\u001b');
  });
});
