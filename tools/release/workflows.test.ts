import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { pythonBin, run, runsGoTools } from '../foreign-tools/python-tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, '.github/workflows');
const workflows = readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const);
const ACTIONLINT = join(pythonBin, 'actionlint');
const lints = runsGoTools(ACTIONLINT);

describe('the workflows', () => {
  it.each(workflows)('%s runs actions by their commits, and says which version each is', (_, text) => {
    const used = text.split('\n').filter((line) => /\buses:/.test(line) && !line.includes('uses: ./'));
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  it.each(workflows)('%s may read the sources and nothing else, unless a job says so', (_, text) => {
    expect((parse(text) as { readonly permissions: unknown }).permissions).toEqual({ contents: 'read' });
  });

  it.each(workflows)('%s calls scripts of the repository that are there', (_, text) => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly scripts: object };
    for (const [, name = ''] of text.matchAll(/npm run (?:--\S+ )*([\w:]+)/g))
      expect(Object.keys(scripts)).toContain(name);
    for (const [, file = ''] of text.matchAll(/(\.ci\/[\w.-]+)/g)) expect(existsSync(join(ROOT, file))).toBe(true);
  });

  (lints ? it : it.skip)('have no fault that actionlint finds', async () => {
    expect(await run(ACTIONLINT, [], { cwd: ROOT })).toEqual({ code: 0, output: '' });
  });
});
