import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { WORD_LANGUAGES, WORDS } from '@answer-evidence/verify';
import { createProcessIo } from '../../apps/cli/src/process-io.ts';
import { runVerifier } from '../../apps/cli/src/run-verifier.ts';
import { runPythonVerifier } from './python-verifier.ts';

const FROZEN = join(import.meta.dirname, '../frozen/v1');
const TRUST = join(FROZEN, 'trust/trust.json');

/** The lines in which a program says what the groups come to and what may be said, without their gaps. */
function readWords(stdout: string, language: (typeof WORD_LANGUAGES)[number]): readonly string[] {
  const { groups, levels, may_be_said: title } = WORDS[language];
  const names = [...Object.values(groups), ...Object.values(levels)].map(({ name }) => name);
  const lines = stdout.split('\n').map((line) => line.replace(/ {2,}/, ': '));
  return lines.filter((line) => line === `${title}:` || names.some((name) => line.startsWith(`${name}: `)));
}

async function runNode(args: readonly string[]): Promise<string> {
  const stdout: (string | Uint8Array)[] = [];
  const sink = { isTerminal: false, write: (text: string | Uint8Array) => void stdout.push(text) };
  await runVerifier(args, { ...createProcessIo(), stdout: sink, stderr: { ...sink, write: () => {} } });
  return stdout.join('');
}

describe.each(WORD_LANGUAGES)('the words in the language %s', (language) => {
  it.each(['plain', 'voided-and-corrected', 'redacted', 'discarded'])(
    'are the same of both programs: %s',
    async (name) => {
      const bundle = join(FROZEN, 'bundles', `${name}.json`);
      for (const trust of [['--trust', TRUST], []]) {
        const args = [bundle, ...trust, '--language', language];
        const said = readWords(await runNode(args), language);
        expect(said).toHaveLength(10);
        expect(readWords(runPythonVerifier(args).stdout, language)).toEqual(said);
      }
    },
    60_000,
  );
});

it('a text that was altered fails its group, which comes first, in both programs', async () => {
  const text = readFileSync(join(FROZEN, 'bundles/corrected.json'), 'utf8').replace('The first.', 'The worst.');
  const folder = mkdtempSync(join(tmpdir(), 'answer-evidence-words-'));
  const altered = join(folder, 'altered.json');
  writeFileSync(altered, text);
  try {
    const first = `Text: does not hold: ${WORDS.en.groups.text.fails}`;
    const args = [altered, '--trust', TRUST];
    expect(readWords(await runNode(args), 'en')[0]).toBe(first);
    expect(readWords(runPythonVerifier(args).stdout, 'en')[0]).toBe(first);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);
