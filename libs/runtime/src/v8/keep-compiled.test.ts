import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../../../..');
const MODULE = join(import.meta.dirname, 'keep-compiled.ts');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keep-compiled-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program that keeps what it compiles, and then does this. */
async function start(module: string, argument: string, then: string) {
  const program = `
    const { keepCompiled } = await import(${JSON.stringify(module)});
    keepCompiled(${argument});
    ${then}`;
  const args = ['--no-warnings', '--input-type=module', '--eval', program];
  return run(process.execPath, args, { env: {} });
}

describe('what is compiled of the sources', () => {
  it('is kept in a folder of the installation', async () => {
    const then = `console.log((await import('node:module')).getCompileCacheDir())`;
    const { stdout, stderr } = await start(MODULE, '', then);
    expect([stdout.startsWith(join(ROOT, 'node_modules/.cache/')), stderr]).toEqual([true, '']);
  });

  it('is there after the end', async () => {
    const kept = join(folder, 'kept');
    await start(
      MODULE,
      JSON.stringify(kept),
      `await import(${JSON.stringify(join(import.meta.dirname, '../ground/roles.ts'))})`,
    );
    expect(readdirSync(kept)).not.toEqual([]);
  });

  it('is not kept where nothing can be written, and nothing is said', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(await start(MODULE, JSON.stringify(file), 'console.log("went on")')).toMatchObject({
      stdout: 'went on\n',
      stderr: '',
    });
  });
});
