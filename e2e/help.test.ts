import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runApp, runOperatorCommand } from '../tools/scenery/service-process.ts';

const dataDir = join(tmpdir(), `answer-evidence-help-${process.pid}`);

it.each(['all-in-one', 'witness', 'operator'])('%s prints its help, and starts nothing', async (app) => {
  const { code, stdout, stderr } = await runApp(app, ['--help'], { dataDir });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(app === 'witness' ? '--log VKEY' : app === 'operator' ? 'ledger-check' : 'SERVICE_DATA_DIR');
  expect(existsSync(dataDir)).toBe(false);
});

it.each([
  ['all-in-one', 'unknown argument --prot'],
  ['witness', "Unknown option '--prot'"],
])('%s refuses an argument that it does not know, and starts nothing', async (app, sentence) => {
  const { code, stdout, stderr } = await runApp(app, ['--prot=9000'], { dataDir });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain('9000');
  expect(existsSync(dataDir)).toBe(false);
});

describe('a command of the operator', () => {
  it('prints its own help, wherever the option stands', async () => {
    const { code, stdout } = await runOperatorCommand(['ledger-check', '--json', '--help'], { dataDir });
    expect(code).toBe(0);
    expect(stdout).toContain('npm run operator -- ledger-check [--workspace SLUG] [--json]');
    expect(stdout).not.toContain('workspace-create');
    expect(existsSync(dataDir)).toBe(false);
  });

  it('names an option that it does not know', async () => {
    const { code, stderr } = await runOperatorCommand(['ledger-check', '--jsno'], { dataDir });
    expect(code).toBe(2);
    expect(stderr).toContain("'--jsno'");
    expect(existsSync(dataDir)).toBe(false);
  });
});
