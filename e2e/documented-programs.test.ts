import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type FakeModel, openFakeModel, SPOKEN } from '../packages/sdk/src/testing/fake-model.ts';
import { compiledFolder, describeWithPythonTools, pythonBin } from '../tools/foreign-tools/python-tools.ts';
import { bundle } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';

const ROOT = join(import.meta.dirname, '..');
const TIMEOUT_MS = 300_000;
/**
 * Commands that readers have from elsewhere. The packages are in no registry, so that installing them only finds out
 * whether each name exists; e2e/sdk.test.ts and e2e/python-package.test.ts install them.
 */
const COMMANDS = `set -euo pipefail
npx() { "$@"; }
npm() { for name in "\${@:2}"; do [ -e "node_modules/\${name%@[0-9]*}" ] || { echo "no package $name"; return 1; }; done; }
pip() { python3 - "\${@:2}" <<'PYTHON'
import importlib.metadata, sys
extras = [line.split(" = ")[0] for line in open("pyproject.toml")]
for name, _, extra in (one.rstrip("]").partition("[") for one in sys.argv[1:]):
    extras.index(extra) if name == "answer-evidence" else importlib.metadata.version(name)
PYTHON
}
`;

let folder: string;
let service: TestService;
let model: FakeModel;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'documented-programs-'));
  [service, model] = await Promise.all([openTestService(), openFakeModel()]);
  mkdirSync(join(folder, 'node_modules/@answer-evidence'), { recursive: true });
  for (const name of ['openai', 'ai', '@langchain'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  symlinkSync(join(ROOT, 'packages/sdk'), join(folder, 'node_modules/@answer-evidence/sdk'));
  symlinkSync(join(ROOT, 'packages/python/pyproject.toml'), join(folder, 'pyproject.toml'));
  symlinkSync(service.dataDir, join(folder, '.data'));
  // As `npm init -y` writes it: a file that does not say otherwise by its name is CommonJS.
  writeFileSync(join(folder, 'package.json'), '{"name":"project","version":"1.0.0","type":"commonjs"}');
  mkdirSync(join(folder, 'home'));
  // As it is installed: from its sources, each command compiles hundreds of files before it begins.
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/answer-evidence'), `#!/bin/sh\nexec node '${bundle('cli')}' "$@"\n`, { mode: 0o755 });
}, TIMEOUT_MS);

afterAll(async () => {
  await Promise.all([service.close(), model.close()]);
  rmSync(folder, { recursive: true, force: true });
});

type Block = { readonly language: string; readonly file: string | undefined; readonly text: string };

/** The blocks of a page, in order, with the host of this service. */
function readBlocks(page: string): readonly Block[] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8').replaceAll('http://127.0.0.1:8080', service.baseUrl);
  return [...text.matchAll(/^```(\w*)(?: title="(.*?)")?\n(.*?)^```$/gms)].map(
    ([, language = '', file, block = '']) => ({ language, file, text: block }),
  );
}

/** Runs the commands of a page in its order, with its programs in the files that it names. Returns what is printed. */
async function runPage(blocks: readonly Block[], environment: Readonly<Record<string, string>> = {}) {
  const script: string[] = [COMMANDS];
  for (const { language, file, text } of blocks) {
    if (language === 'text') continue;
    if (file !== undefined) writeFileSync(join(folder, file), text);
    else if (language === 'sh') script.push(text);
    else throw new Error(`a block of ${language} has no title, so that nobody knows where to save it:\n${text}`);
  }
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script.join('\n')], {
    cwd: folder,
    env: {
      PATH: [join(folder, 'bin'), join(ROOT, 'node_modules/.bin'), pythonBin, process.env['PATH']].join(':'),
      PYTHONPATH: join(ROOT, 'packages/python/src'),
      // What Python compiles is kept, and not beside the sources.
      PYTHONPYCACHEPREFIX: compiledFolder,
      // The same for Node, which reads the package from its sources.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled'),
      HOME: join(folder, 'home'),
      SERVICE_REGISTRY: service.baseUrl,
      SERVICE_CONFIG: join(folder, '.data/config.yaml'),
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'k',
      ...environment,
    },
  });
  return { stdout, stderr };
}

describeWithPythonTools('the pages that begin with an application', () => {
  let environment: Readonly<Record<string, string>>;
  let verify: Block;

  beforeAll(async () => {
    const [begin, last, ...others] = readBlocks('quickstart.md');
    if (begin === undefined || last === undefined || others.length > 0) throw new Error('two blocks are expected');
    verify = last;
    const exported = { language: 'sh', file: undefined, text: 'echo "$ANSWER_EVIDENCE_URL $ANSWER_EVIDENCE_TOKEN"' };
    const [url = '', token = ''] = (await runPage([begin, exported])).stdout.trim().split(' ');
    environment = { ANSWER_EVIDENCE_URL: url, ANSWER_EVIDENCE_TOKEN: token };
  }, TIMEOUT_MS);

  it.each([
    ['node', ['node-1'], ['returns.md']],
    ['python', ['python-1'], ['returns.md']],
    ['langchain', ['langchain-1', 'langchain-2'], []],
    ['vercel-ai', ['vercel-1'], []],
    ['opentelemetry', ['otel-1'], ['returns.md']],
  ])(
    '%s leads to a record',
    async (page, keys, sources) => {
      const { stderr } = await runPage(readBlocks(`quickstart/${page}.md`), environment);
      // Each list says how many there are; nothing else has a warning.
      expect(stderr).toBe('1 of 1 records\n'.repeat(keys.length));
      for (const key of keys) {
        const list = await service.call('GET', `/api/answer-audit-logs?idempotency_key=${key}`);
        expect(list.body.items).toHaveLength(1);
        const record = await service.call('GET', `/api/answer-audit-logs/${list.body.items[0].id}`);
        expect(record.body.question.text).toBe('How long can I return a jacket?');
        expect(record.body.answer.text).toBe(SPOKEN);
        const names = record.body.source_refs.map(({ source_name: name }: { source_name: string }) => name);
        expect(names).toEqual(sources);
      }
    },
    TIMEOUT_MS,
  );

  it(
    'end with a proof that verifies',
    async () => {
      await service.call('POST', '/api/answer-audit-logs', {
        body: { application_key: 'support-bot', question: { text: 'q' }, answer: { text: 'a' } },
      });
      expect((await runPage([verify], environment)).stdout).toMatch(/\b0 FAIL\b/);
    },
    TIMEOUT_MS,
  );
});

describeWithPythonTools('the pages of programs without a package', () => {
  it.each([
    ['api-guide.md', () => ({ ANSWER_EVIDENCE_TOKEN: service.managerToken }), /"idempotency_key":"msg-126".*"total":/s],
    ['cli.md', () => ({}), /"workspace".*\bcreated +id +status\b/is],
  ] as const)(
    '%s has commands that work',
    async (page, environment, printed) => {
      const blocks = readBlocks(page);
      expect(blocks.length).toBeGreaterThan(1);
      expect((await runPage(blocks, environment())).stdout).toMatch(printed);
    },
    TIMEOUT_MS,
  );
});
