import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findPrograms, MissingProgramError } from './find-programs.ts';

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'answer-evidence-programs-'));
  await writeFile(join(dir, 'pgbench'), '', { mode: 0o755 });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe('findPrograms', () => {
  it('names the command that installs what is missing, in one line', async () => {
    expect(() => findPrograms(dir)).toThrow(MissingProgramError);
    expect(() => findPrograms(dir)).toThrow(/^wrk is missing: apt-get install wrk postgresql-contrib$/);
    await writeFile(join(dir, 'wrk'), '', { mode: 0o644 });
    expect(() => findPrograms(dir)).toThrow(MissingProgramError);
  });

  it('finds the first of each in the PATH', async () => {
    await rm(join(dir, 'wrk'), { force: true });
    await writeFile(join(dir, 'wrk'), '', { mode: 0o755 });
    const found = findPrograms(['', '/nowhere', dir].join(delimiter));
    expect(found).toEqual({ wrk: join(dir, 'wrk'), pgbench: join(dir, 'pgbench') });
  });
});
