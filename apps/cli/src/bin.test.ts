import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, '../bin/answer-evidence.mjs');
const TIMEOUT_MS = 120_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ae-cli-bin-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command line as the repository does, with nothing in its environment but this. */
async function start(
  args: readonly string[],
  options: { readonly uid?: number; readonly cache?: string; readonly env?: Readonly<Record<string, string>> } = {},
) {
  const env = { ...(options.cache === undefined ? {} : { ANSWER_EVIDENCE_CLI_CACHE: options.cache }), ...options.env };
  const who = options.uid === undefined ? {} : { uid: options.uid };
  const started = run(process.execPath, [PROGRAM, ...args], { env, cwd: '/', ...who });
  return started.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
}

const bundles = () => readdirSync(folder).filter((name) => !name.endsWith('.json'));

describe('the command line of the repository', () => {
  it(
    'is bundled once, and again when a source has changed',
    async () => {
      const version = async () => (await start(['--version'], { cache: folder })).stdout;
      expect(await version()).toMatch(/^answer-evidence \d/);
      const [first] = bundles();
      expect(await version()).toMatch(/^answer-evidence \d/);
      expect(bundles()).toEqual([first]);
      const manifest = join(folder, 'bundle.json');
      const kept = JSON.parse(readFileSync(manifest, 'utf8')) as { inputs: [string, string][] };
      expect(kept.inputs.map(([path]) => path)).toContain('apps/cli/src/main.ts');
      writeFileSync(manifest, JSON.stringify({ ...kept, inputs: [['apps/cli/src/main.ts', '0 0']] }));
      expect(await version()).toMatch(/^answer-evidence \d/);
      expect(bundles()).toHaveLength(2);
      writeFileSync(manifest, '{');
      expect(await version()).toMatch(/^answer-evidence \d/);
    },
    TIMEOUT_MS,
  );

  it(
    'keeps what was compiled beside its bundle, and starts where nothing can be written',
    async () => {
      const cache = join(folder, 'kept');
      const help = ['records', 'get', '--help'];
      const { stdout } = await start(help, { cache });
      const [bundle = ''] = readdirSync(cache).filter((name) => name !== 'bundle.json');
      const compiled = join(cache, bundle, 'compiled');
      expect(readdirSync(compiled)).not.toEqual([]);
      rmSync(compiled, { recursive: true });
      // A file in its place can be no folder, for root either.
      writeFileSync(compiled, '');
      expect(await start(help, { cache })).toEqual({ code: 0, stdout, stderr: '' });
    },
    TIMEOUT_MS,
  );

  it(
    'runs without HOME, and says what is missing',
    async () => {
      const { code, stderr } = await start(['whoami']);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: no registry: [^\n]*\n$/)]);
    },
    TIMEOUT_MS,
  );

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot(
    'runs under a uid that no user has, as in some containers',
    async () => {
      const { code, stderr } = await start(['whoami'], { uid: 1_000_650 });
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: no registry: [^\n]*\n$/)]);
      expect(stderr).toContain(' /.config/answer-evidence/config.yaml');
    },
    TIMEOUT_MS,
  );
});

describe('behind a proxy that the environment names', () => {
  let proxy: Server;
  let url: string;
  const seen: string[] = [];
  beforeAll(async () => {
    proxy = createServer((request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(404).end();
    });
    proxy.on('connect', (request, socket: Duplex) => {
      seen.push(request.url ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => void proxy.close(resolve)));

  it.each([
    ['HTTP_PROXY', 'http://127.0.0.1:59999'],
    ['http_proxy', 'http://127.0.0.1:59999'],
    ['HTTPS_PROXY', 'https://evidence.invalid'],
    ['https_proxy', 'https://evidence.invalid'],
  ])(
    'requests go through %s',
    async (name, registry) => {
      seen.length = 0;
      const argv = ['--registry', registry, 'whoami'];
      await start(argv, { env: { [name]: url, SERVICE_TOKEN: 't' } });
      // Nothing else asks this server.
      expect(seen).not.toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'requests do not go through it to what NO_PROXY names',
    async () => {
      seen.length = 0;
      const env = { HTTPS_PROXY: url, NO_PROXY: 'evidence.invalid', SERVICE_TOKEN: 't' };
      const { code } = await start(['--registry', 'https://evidence.invalid', 'whoami'], { env });
      expect([code, seen]).toEqual([3, []]);
    },
    TIMEOUT_MS,
  );

  it(
    'says which variable is no URL, without its value',
    async () => {
      const { code, stderr } = await start(['whoami'], { env: { HTTP_PROXY: 'http://user:secret@[' } });
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: .*HTTP_PROXY must be a URL/)]);
      expect(stderr).not.toContain('secret');
    },
    TIMEOUT_MS,
  );
});
