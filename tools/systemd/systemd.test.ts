import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isInstalled } from '@answer-evidence/testing';

const REPOSITORY = new URL('../..', import.meta.url).pathname;
const UNITS = join(REPOSITORY, 'deploy/systemd');
const { scripts } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8'));
const unit = (name: string) => readFile(join(UNITS, name), 'utf8');

it.each([
  // The console was built when it was installed, and a unit passes no options on.
  ['answer-evidence.service', scripts.start.split(' exec ').at(-1).split(' "$@"')[0]],
  ['answer-evidence-check.service', `${scripts.operator} ledger-check`],
])('%s runs what npm runs', async (name, script: string) => {
  expect(await unit(name)).toContain(`\nExecStart=/opt/answer-evidence/node_modules/.bin/${script}\n`);
});

it('starts again what ended to be started again, and not where a person has to look', async () => {
  const text = await unit('answer-evidence.service');
  // Any exit code but 0 is a failure for systemd, 75 and that of a refused start too.
  expect(text).toMatch(/^Restart=on-failure$/m);
  expect(/^RestartPreventExitStatus=(.*)$/m.exec(text)?.[1]).toBe('70');
  expect(text).toMatch(/^StartLimitBurst=5$/m);
});

(isInstalled('systemd-analyze') ? describe : describe.skip)('the units, read by systemd', () => {
  let folder: string;
  let units: readonly string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'answer-evidence-units-'));
    const names = await readdir(UNITS);
    // As if this clone were the installed one: systemd wants the programs to be there.
    for (const name of names)
      await writeFile(
        join(folder, name),
        (await unit(name)).replaceAll('/opt/answer-evidence', REPOSITORY.slice(0, -1)),
      );
    units = names.map((name) => join(folder, name));
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('contain nothing that systemd does not understand', () => {
    const { stderr, stdout } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], { encoding: 'utf8' });
    expect(`${stdout}${stderr}`).not.toContain('answer-evidence');
  });

  it.each(['answer-evidence.service', 'answer-evidence-check.service'])('%s exposes little', (name) => {
    const args = ['security', '--offline=yes', '--threshold=20', '--no-pager', join(folder, name)];
    expect(spawnSync('systemd-analyze', args, { encoding: 'utf8' })).toMatchObject({ status: 0 });
  });
});
