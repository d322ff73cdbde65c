import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  describeWithPythonTools,
  fileHere,
  forgetCompiled,
  run,
  runTool,
} from '../tools/foreign-tools/python-tools.ts';
import { runRequest } from '../tools/scenery/tenants.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';

/** Requests of schemathesis for each operation; about 20 s on two idle cores. */
const EXAMPLES_PER_OPERATION = process.env['SCHEMATHESIS_EXAMPLES'] ?? '6';
const SEED = '20260731';
const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url));

let service: TestService;
let folder: string;
let document: any;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  service = await openTestService();
  folder = await mkdtemp(join(tmpdir(), 'foreign-tools-'));
  const { text, body } = await service.call('GET', '/api/openapi.json', { token: null });
  document = body;
  await writeFile(at('openapi.json'), text);
}, 60_000);
afterAll(async () => {
  await service.close();
  await forgetCompiled(folder);
  await rm(folder, { recursive: true, force: true });
});

/** What clients are told in their environment. */
const environment = () => ({ BASE_URL: service.baseUrl, TOKEN: service.managerToken });

async function issueToken(): Promise<string> {
  const issued = await service.call('POST', '/api/tokens', { body: { kind: 'user', name: 'to be ended' } });
  expect({ status: issued.status, text: issued.status === 201 ? '' : issued.text }).toEqual({ status: 201, text: '' });
  return issued.body.token as string;
}

async function idOf(path: string, body: object): Promise<string> {
  return (await service.call('POST', path, { body })).body.id as string;
}

describe('openapi-typescript', () => {
  it('makes types with which a strict program records, reads and lists', async () => {
    const cli = join(MODULES, 'openapi-typescript/bin/cli.js');
    expect(await run(process.execPath, [cli, at('openapi.json'), '-o', at('api.d.ts')], {})).toMatchObject({ code: 0 });
    await copyFile(fileHere('client.ts.txt'), at('client.ts'));
    await symlink(MODULES, at('node_modules'));
    await writeFile(at('package.json'), '{"type":"module"}');
    const options = [
      '--strict',
      '--noEmit',
      '--skipLibCheck',
      'false',
      '--allowImportingTsExtensions',
      '--types',
      'node',
    ];
    const target = [
      '--target',
      'es2024',
      '--module',
      'nodenext',
      '--noUncheckedIndexedAccess',
      '--exactOptionalPropertyTypes',
    ];
    const tsc = join(MODULES, 'tsc7/bin/tsc');
    const compiled = await run(process.execPath, [tsc, ...options, ...target, 'client.ts'], { cwd: folder });
    expect(compiled).toEqual({ code: 0, output: '' });
    const ran = await run(process.execPath, ['--no-warnings', 'client.ts'], { cwd: folder, env: environment() });
    expect(ran).toEqual({ code: 0, output: 'ok\n' });
  }, 60_000);
});

describeWithPythonTools('tools in Python', () => {
  it('openapi-spec-validator finds no fault', async () => {
    expect(await runTool('openapi-spec-validator', [at('openapi.json')])).toMatchObject({
      code: 0,
      output: expect.stringContaining('OK'),
    });
  }, 60_000);

  it('read every pattern as we do, whatever code point is in the text', async () => {
    const patterns = [...new Set(patternsIn(document))];
    expect(patterns.length).toBeGreaterThan(20);
    const texts = interestingTexts();
    const cases = patterns.map((pattern) => ({ pattern, texts }));
    const { code, output } = await runTool('python', [fileHere('match_patterns.py')], { input: JSON.stringify(cases) });
    expect(code).toBe(0);
    expect(JSON.parse(output)).toEqual(patterns.map((pattern) => texts.map((text) => new RegExp(pattern).test(text))));
  }, 60_000);

  it('openapi-python-client makes a client without a warning, which records, reads and lists', async () => {
    const options = [
      '--path',
      at('openapi.json'),
      '--output-path',
      at('python'),
      '--config',
      fileHere('generator.yml'),
    ];
    const generated = await runTool('openapi-python-client', ['generate', ...options, '--fail-on-warning']);
    expect(generated).toEqual({ code: 0, output: `Generating ${at('python')}\n` });
    expect(await runTool('python', ['-m', 'compileall', '-q', at('python')])).toEqual({ code: 0, output: '' });
    const env = { ...environment(), PYTHONPATH: at('python') };
    expect(await runTool('python', [fileHere('client.py')], { env })).toEqual({ code: 0, output: 'ok\n' });
  }, 120_000);

  it('schemathesis runs every operation, and meets nothing that the document does not say', async () => {
    const env = {
      ...environment(),
      RECORD_ID: await idOf('/api/answer-audit-logs', answer('for schemathesis')),
      ASSET_ID: await idOf('/api/evidence-assets', { application_key: 'support-bot', segments: ['a passage'] }),
      RUN_ID: await idOf('/api/reconciliations/runs', runRequest('support-bot', 'for schemathesis')),
    };
    // Before requests of any kind change what may be issued.
    const ended = await issueToken();
    const all = Object.values(document.paths as object).flatMap((item: object) => Object.keys(item)).length;
    await runSchemathesis({ ...env, TOKEN_TO_END: ended }, all);
    // Nothing has ended the token, so the operations were met as a manager meets them.
    expect((await service.call('GET', '/api/whoami')).status).toBe(200);
    expect(service.reports.filter((line) => /^(fatal|undocumented)/.test(line))).toEqual([]);
  }, 300_000);
});

/** Asks all operations; fails where schemathesis finds a fault, or did not run each of them. */
async function runSchemathesis(env: Readonly<Record<string, string>>, all: number): Promise<void> {
  const checks = [
    'not_a_server_error',
    'status_code_conformance',
    'content_type_conformance',
    'response_schema_conformance',
    'response_headers_conformance',
  ];
  const { code, output } = await runTool(
    'schemathesis',
    [
      ...['--config-file', fileHere('schemathesis.toml'), 'run', at('openapi.json'), '--url', service.baseUrl],
      ...['--checks', checks.join(','), '--phases', 'examples,fuzzing', '--workers', '2', '--no-color'],
      ...['--max-examples', EXAMPLES_PER_OPERATION, '--seed', SEED, '--request-timeout', '60'],
      ...['--generation-database', 'none'],
    ],
    { cwd: folder, env },
  );
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  expect(output).toContain(`Selected: ${all}/${all}`);
  expect(output).toContain(`Tested: ${all}`);
}

function patternsIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(patternsIn);
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, member]) =>
    name === 'pattern' && typeof member === 'string' ? [member] : patternsIn(member),
  );
}

/**
 * Texts that fit some pattern, with each code point of interest at the front and in the middle of each. Not at the end:
 * for Python `$` is also before a last newline.
 */
function interestingTexts(): readonly string[] {
  const ranges = [
    [0x00, 0x2ff],
    [0x5d0, 0x66f],
    [0x1680, 0x1680],
    [0x2000, 0x206f],
    [0x3000, 0x3000],
    [0xfeff, 0xff19],
    [0x1d7ce, 0x1d7ff],
  ] as const;
  const points = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, n) => from + n));
  const fitting = [
    'abc',
    '000',
    '123',
    '2026-11-20T09:00:00Z',
    '2026-11-20T09:00:00.000000Z',
    `sha256:${'0a'.repeat(32)}`,
  ];
  const characters = points.map((point) => String.fromCodePoint(point));
  return fitting.flatMap((text) => [
    text,
    ...characters.map((character) => character + text.slice(1)),
    ...characters.map((character) => `${text.slice(0, 1)}${character}${text.slice(2)}`),
  ]);
}
