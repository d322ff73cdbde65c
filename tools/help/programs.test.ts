import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { GROUPS } from '../run/programs.ts';
import { PROGRAMS } from './programs.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** These have a help of their own, which their own tests look at. */
const OWN = /^(apps\/|tools\/(demo|dev-split|otlp-crash|faults|prose|exports|run)\/)/;

const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { scripts: Record<string, string> };

describe('the help of the programs of package.json', () => {
  it('is there for every program', () => {
    const named = Object.values(GROUPS).flatMap((targets) => Object.values(targets).map(({ args }) => args.join(' ')));
    const files = [...Object.values(scripts), ...named].flatMap((script) => script.match(/[\w./-]+\.ts\b/g) ?? []);
    const own = files.filter((file) => existsSync(`${ROOT}${file}`) && !OWN.test(file) && !file.endsWith('.test.ts'));
    expect([...new Set(own)].sort()).toEqual(Object.keys(PROGRAMS).sort());
  });

  it.each(Object.entries(PROGRAMS))('of %s is printed, and nothing else is done', async (file, { usage }) => {
    const args = ['--disable-warning=ExperimentalWarning', file, '--help'];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
    expect([stdout.split('\n')[0], stdout.split('\n').length, stderr]).toEqual([usage, 3, '']);
  });

  it('of npm start is printed without building the console first', async () => {
    const page = `${ROOT}apps/console/dist/index.html`;
    const madeAt = () => (existsSync(page) ? statSync(page).mtimeMs : undefined);
    const before = madeAt();
    // The build would be a program of npm, which this one refuses to be.
    const path = await mkdtemp(join(tmpdir(), 'no-npm-'));
    await writeFile(join(path, 'npm'), '#!/bin/sh\necho built >&2\nexit 1\n', { mode: 0o755 });
    for (const word of ['--help', '-h']) {
      const env = { ...process.env, PATH: `${path}:${process.env['PATH'] ?? ''}` };
      const { stdout, stderr } = await promisify(execFile)('sh', ['-c', `${scripts['start']} ${word}`], {
        cwd: ROOT,
        env,
      });
      expect([stdout.startsWith('Runs the Answer Evidence Service'), stderr]).toEqual([true, '']);
    }
    const unbuilt = promisify(execFile)('sh', ['-c', String(scripts['start'])], {
      cwd: ROOT,
      env: { ...process.env, PATH: `${path}:${process.env['PATH'] ?? ''}` },
    });
    await expect(unbuilt).rejects.toMatchObject({ stderr: 'built\n' });
    await rm(path, { recursive: true });
    expect(madeAt()).toBe(before);
  }, 180_000);

  it.each(Object.keys(GROUPS))('names what npm run %s takes, and refuses another name', async (group) => {
    expect(scripts[group]).toMatch(new RegExp(` tools/run/main\\.ts ${group}$`));
    const { '': byItself, ...names } = GROUPS[group] ?? {};
    if (byItself !== undefined) return;
    const args = ['--disable-warning=ExperimentalWarning', 'tools/run/main.ts', group];
    const { stdout } = await promisify(execFile)(process.execPath, [...args, '--help'], { cwd: ROOT });
    expect(stdout).toBe(`npm run ${group} -- ${Object.keys(names).join(' | ')}\n`);
    const refused = promisify(execFile)(process.execPath, [...args, 'nothing'], { cwd: ROOT });
    await expect(refused).rejects.toMatchObject({ code: 2, stderr: stdout });
  });

  it('is short enough to be read: a script is a word, and what it may do is its argument', () => {
    expect(Object.keys(scripts).length).toBeLessThanOrEqual(30);
  });

  it.each(['compose:init', 'packages'])(
    'of npm run %s is printed by the name that people use',
    async (name) => {
      const { stdout } = await promisify(execFile)('npm', ['run', '--silent', name, '--', '--help'], { cwd: ROOT });
      expect(stdout).toMatch(new RegExp(`^npm run ${name}`));
    },
    180_000,
  );
});
