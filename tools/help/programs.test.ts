import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { PROGRAMS } from './programs.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** These have a help of their own, which their own tests look at. */
const OWN = /^(apps\/|tools\/(dev-split|otlp-crash|faults|prose|exports)\/)/;

const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { scripts: Record<string, string> };

describe('the help of the programs of package.json', () => {
  it('is there for every program', () => {
    const files = Object.values(scripts).flatMap((script) => script.match(/[\w./-]+\.ts\b/g) ?? []);
    const own = files.filter((file) => existsSync(`${ROOT}${file}`) && !OWN.test(file));
    expect([...new Set(own)].sort()).toEqual(Object.keys(PROGRAMS).sort());
  });

  it.each(Object.entries(PROGRAMS))('of %s is printed, and nothing else is done', async (file, { usage }) => {
    const args = ['--disable-warning=ExperimentalWarning', file, '--help'];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
    expect([stdout.split('\n')[0], stdout.split('\n').length, stderr]).toEqual([usage, 3, '']);
  });

  it.each(['compose:init', 'packages'])('of npm run %s is printed by the name that people use', async (name) => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', name, '--', '--help'], { cwd: ROOT });
    expect(stdout).toMatch(new RegExp(`^npm run ${name}`));
  });
});
