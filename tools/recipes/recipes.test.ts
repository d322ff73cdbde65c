import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RECORD_LABELS, WORKSPACE_ENTRY_TYPES } from '@answer-evidence/contracts';
import { addRoute } from './add-route-to-copy.ts';
import { addAnchorType, addLabel, addWorkspaceEntry } from './add-to-copy.ts';
import { names, readRecipe } from './read-recipe.ts';
import { openScratchCopy, type ScratchCopy } from './scratch-copy.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const MINUTES_MS = 60_000;
const contributing = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const HEADINGS = [...contributing.slice(contributing.indexOf('## Recipes')).matchAll(/^### (.+)$/gm)].map(
  ([, heading = '']) => heading,
);
const label = readRecipe(contributing, 'A label of the answer record');
const entry = readRecipe(contributing, 'A workspace entry');
const language = readRecipe(contributing, 'A language');
const anchor = readRecipe(contributing, 'An anchor type');
/** A route, with the command and the page that use it. */
const route = ['A route', 'A page of the console', 'A command of the command line'].map((heading) =>
  readRecipe(contributing, heading),
);
/** It has a store of its own, and no table. */
const routeWithStore = { always: [...route.flatMap(({ always }) => always), ...(route[0]?.perhaps ?? [])] };

/** The folder of a new adapter, of which a recipe names another one. */
const OF_ITS_OWN = ['libs/adapters/anchor-notary/'];

/** Sources, apart from tests, what serves them, and what is recorded. */
const sources = execFileSync('git', ['ls-files', '--', 'libs', 'apps', 'packages'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.(?:ts|tsx|py|json)$/.test(path))
  .filter((path) => !/\.test\.tsx?$|\/tests?\/|\/testing\/|\/fixtures\/|\/examples\/recorded-/.test(path))
  .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const);

/** The sources that name so many of the words that they must be a list of them. */
function findLists(words: readonly string[], atLeast: number): readonly string[] {
  return sources
    .filter(([, text]) => words.filter((word) => text.includes(word)).length >= atLeast)
    .map(([path]) => path);
}

describe('the recipes of CONTRIBUTING.md', () => {
  it.each(HEADINGS)('end with a commit that is in the history: %s', (heading) => {
    const { commit = 'no commit' } = readRecipe(contributing, heading);
    expect(commit).toMatch(/^[0-9a-f]{8}$/);
    const isShallow = execFileSync('git', ['rev-parse', '--is-shallow-repository'], { cwd: ROOT, encoding: 'utf8' });
    if (isShallow.trim() === 'false')
      execFileSync('git', ['merge-base', '--is-ancestor', commit, 'HEAD'], { cwd: ROOT });
  });

  it('name every list of labels, of workspace entries and of languages in the sources', () => {
    const missing = (recipe: typeof label, lists: readonly string[]) =>
      lists.filter((path) => !names([...recipe.always, ...recipe.perhaps], path));
    // `mode` is a word of everything.
    const words = RECORD_LABELS.filter((name) => name !== 'mode');
    const labels = findLists(words, words.length);
    expect(labels).toContain('libs/contracts/src/labels.ts');
    expect(missing(label, labels)).toEqual([]);
    const entries = findLists(WORKSPACE_ENTRY_TYPES, WORKSPACE_ENTRY_TYPES.length / 2);
    expect(entries).toContain('libs/contracts/src/ledger-entries.ts');
    expect(missing(entry, entries)).toEqual([]);
    const languages = sources.filter(([, text]) => /['"]en['"]/.test(text) && /['"]de['"]/.test(text));
    expect(languages.length).toBeGreaterThan(0);
    expect(
      missing(
        language,
        languages.map(([path]) => path),
      ),
    ).toEqual([]);
  });
});

describe('a label, an entry, an anchor type, a route and a language, added to a copy as their recipes say', () => {
  let folder: string;
  let copy: ScratchCopy;
  const edited: Record<string, readonly string[]> = {};

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recipes-'));
    copy = openScratchCopy(ROOT, folder);
    const apply = (name: string, recipe: () => void) => {
      const before = copy.edited.length;
      recipe();
      edited[name] = copy.edited.slice(before);
    };
    apply('label', () => addLabel(copy));
    apply('entry', () => addWorkspaceEntry(copy));
    apply('anchor type', () => addAnchorType(copy));
    apply('route', () => addRoute(copy));
    apply('language', () =>
      copy.add('apps/console/src/locales/nl.json', copy.read('apps/console/src/locales/en.json')),
    );
  }, MINUTES_MS);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('need as few edits as they say, and no file that they do not name', () => {
    for (const [name, recipe, atMost] of [
      ['label', label, 4],
      ['entry', entry, 6],
      ['anchor type', anchor, 8],
      ['route', routeWithStore, 16],
      ['language', language, 1],
    ] as const) {
      const files = edited[name] ?? [];
      expect([name, files.filter((path) => !names([...recipe.always, ...OF_ITS_OWN], path))]).toEqual([name, []]);
      expect(files.length).toBeGreaterThan(0);
      expect([name, files.length <= atMost, files.length]).toEqual([name, true, files.length]);
    }
  });

  it(
    'compile, the console too',
    async () => {
      const tsc = join(ROOT, 'node_modules/tsc7/bin/tsc');
      for (const project of ['tsconfig.json', 'apps/console'])
        await run(process.execPath, [tsc, '--incremental', 'false', '--noEmit', '-p', project], {
          cwd: folder,
          maxBuffer: 2 ** 24,
        }).catch((error: { readonly stdout: string }) => {
          throw new Error(error.stdout);
        });
    },
    10 * MINUTES_MS,
  );

  it(
    'are then in requests, cores, responses, exports, filters and the leaves of a monitor, here and in Python',
    async () => {
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', SHOW], { cwd: folder });
      const shown = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
      expect(shown).toEqual({
        request: true,
        record: true,
        core: true,
        older: true,
        columns: true,
        filter: true,
        order: true,
        anchor: true,
        policy: true,
        route: 'listFirstRecords',
      });
      const help = ['apps/cli/bin/answer-evidence.mjs', 'records', 'firsts', '--help'];
      expect((await run(process.execPath, help, { cwd: folder })).stdout).toContain('recorded first');
      const python = ['-c', SHOW_IN_PYTHON];
      const env = { ...process.env, PYTHONPATH: join(folder, 'packages/python/src'), PYTHONDONTWRITEBYTECODE: '1' };
      expect((await run('python3', python, { cwd: folder, env })).stdout).toBe('True True\n');
    },
    MINUTES_MS,
  );

  it(
    'pass the tests that compare the lists of a language',
    async () => {
      const jest = ['--no-warnings', join(ROOT, 'node_modules/jest/bin/jest.js'), 'apps/console/src/locales'];
      await expect(run(process.execPath, jest, { cwd: folder })).resolves.toBeDefined();
    },
    5 * MINUTES_MS,
  );
});

/** Asks the copy's own code what it makes of the additions. */
const SHOW = `
import * as contracts from '@answer-evidence/contracts';
import { PLACES } from './libs/domain/verify/src/order/entry-kinds.ts';
import { describeApi } from './libs/runtime/src/start/describe-api.ts';
import { formatCsv } from './libs/stages/ingest/src/routes/export-records/csv.ts';
const accepts = (schema, value) => schema.safeParse(value).success;
const { labelCores, labelForms, RECORD_LABELS, workspaceEntryFilters, WORKSPACE_ENTRY_TYPES } = contracts;
console.log(JSON.stringify({
  request: accepts(labelForms.device_id_hash, 'abc'),
  record: RECORD_LABELS.includes('device_id_hash'),
  core: accepts(labelCores.device_id_hash, 'abc'),
  older: accepts(labelCores.device_id_hash, undefined),
  columns: formatCsv([], { start: '', cellLengthMax: undefined }).includes('device_id_hash'),
  filter: accepts(workspaceEntryFilters, { type: 'keys_counted' }) && WORKSPACE_ENTRY_TYPES.includes('keys_counted'),
  order: PLACES.keys_counted?.[0] === 'workspace',
  anchor: contracts.anchorType.options.includes('notary'),
  policy: accepts(contracts.putTrustPolicyRequest, {
    ...contracts.DEFAULT_TRUST_POLICY, anchors: [{ id: 'n', type: 'notary', url: 'https://notary.example' }],
  }),
  route: JSON.parse(describeApi()).paths['/api/first-records']?.get.operationId,
}));
`;

const SHOW_IN_PYTHON = `
from answer_evidence.verify.bundle_form import LABELS
from answer_evidence.verify.entry_kinds import PLACES
print("device_id_hash" in LABELS, PLACES["keys_counted"] == ("workspace", "zero"))
`;
