import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { runTranscript } from '../testing/run-transcript.ts';

async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout, exitCode } = await runTranscript(['__complete', '--', ...words]);
  expect(exitCode).toBe(0);
  return stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
}

describe('candidates', () => {
  it('are the commands, then those of the group', async () => {
    expect(await complete('re')).toEqual(['records', 'reconcile', 'readings', 'receipt']);
    expect(await complete('records', '')).toEqual(expect.arrayContaining(['list', 'get', 'create']));
  });

  it('are the options of the command and of the program', async () => {
    expect(await complete('records', 'list', '--s')).toEqual(['--status', '--session-id-hash', '--size']);
    expect(await complete('records', 'list', '--out')).toEqual(['--output']);
  });

  it('are the choices of an option and of an argument', async () => {
    expect(await complete('records', 'list', '--status', 'v')).toEqual(['voided']);
    expect(await complete('--output', 'js')).toEqual(['json', 'jsonl']);
    expect(await complete('members', 'role', 'bob', '')).toEqual([
      'manager',
      'member',
      'reviewer',
      'application_operator',
      'auditor',
      'read_only',
    ]);
    expect(await complete('--quiet', 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  it('are none where a file or a text is expected', async () => {
    expect(await complete('verify', '')).toEqual([]);
    expect(await complete('records', 'get', '')).toEqual([]);
    expect(await complete('verify', '--trust', '')).toEqual([]);
  });

  it('are no part of the help', async () => {
    expect((await runTranscript(['--help'])).stdout).not.toContain('__complete');
  });
});

describe('the script for bash', () => {
  const folder = mkdtempSync(join(tmpdir(), 'completion-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('asks the program, and offers what begins with the word', async () => {
    const { stdout: script } = await runTranscript(['completion', 'bash']);
    // A program of this name that answers with two candidates, and keeps what it was asked.
    const program = join(folder, 'answer-evidence');
    writeFileSync(
      program,
      `#!/bin/sh\nprintf '%s\\n' "$@" >'${folder}/asked'\nprintf 'list\\tlists\\nlink\\tlinks\\n'\n`,
    );
    chmodSync(program, 0o755);
    const test = `${script}
COMP_WORDS=('${program}' records --quiet li); COMP_CWORD=3
_answer_evidence
printf '%s\\n' "\${COMPREPLY[@]}"
cat '${folder}/asked'`;
    expect(execFileSync('bash', ['-c', test], { encoding: 'utf8' }).split('\n')).toEqual([
      'list',
      'link',
      '__complete',
      '--',
      'records',
      '--quiet',
      'li',
      '',
    ]);
  });

  it('exists for each shell, and no other is known', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { stdout } = await runTranscript(['completion', shell]);
      expect(stdout).toContain(' __complete -- ');
      expect(stdout).toContain('answer-evidence');
    }
    expect(await runTranscript(['completion', 'tcsh'])).toMatchObject({ exitCode: 2 });
  });
});
