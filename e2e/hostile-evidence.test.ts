import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { buildVerifierPage } from '@answer-evidence/pack-page/build-page';
import { describeInBrowser, openBrowser } from '../tools/scenery/browser.ts';
import { describeWithTools, runPythonVerifier } from './independent-verifier/python-verifier.ts';
import { HOSTILE_EVIDENCE, HOSTILE_TRUST, SOUND_BUNDLE } from './support/hostile-evidence.ts';

const ROOT = join(import.meta.dirname, '..');
const TRUST = join(ROOT, 'e2e/frozen/v1/trust/trust.json');
const MINUTES_MS = 60_000;
/** What a reader may use of memory for a few megabytes of evidence. */
const NODE_HEAP_MB = 256;
/** What moves a terminal, or the words beside it. */
const MOVES = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const SOUND = 'sound.json';
/** What is given together: a file of evidence and a trust file, one of them hostile. */
const GIVEN: readonly (readonly [name: string, evidence: string, trust: string])[] = [
  ...HOSTILE_EVIDENCE.map(([name]) => [name, name, TRUST] as const),
  ...HOSTILE_TRUST.map(([name]) => [`a sound bundle, with a ${name}`, SOUND, name] as const),
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'answer-evidence-hostile-evidence-'));
  for (const [name, text] of [...HOSTILE_EVIDENCE, ...HOSTILE_TRUST, [SOUND, SOUND_BUNDLE] as const])
    writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pathOf = (name: string): string => (name === TRUST ? TRUST : join(folder, name));

type Ended = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

function runNode(args: readonly string[]): Ended {
  const options = ['--no-warnings', `--max-old-space-size=${NODE_HEAP_MB}`, 'apps/cli/src/verifier-main.ts'];
  return spawnSync(process.execPath, [...options, ...args], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 });
}

/** Evidence failed, or a file was refused, in lines that a person can read; nothing of it moves their terminal. */
function assertRefused({ status, stdout, stderr }: Ended): void {
  expect([1, 2]).toContain(status);
  const lines = [...stdout.split('\n'), ...stderr.split('\n')];
  expect(lines.length).toBeLessThan(500);
  expect(lines.filter((line) => line.length > 2_000)).toEqual([]);
  expect(lines.filter((line) => MOVES.test(line))).toEqual([]);
  expect(lines.filter((line) => /^\s+at .*:\d+:\d+|Traceback|Error: /.test(line))).toEqual([]);
  expect(stderr + stdout).toMatch(/FAIL|^answer-evidence-verify: |^error: |cannot be read/m);
}

const PROGRAMS = [
  ['Node', describe, runNode],
  ['Python', describeWithTools, (args: readonly string[]): Ended => runPythonVerifier(args)],
] as const;

for (const [reader, describeReader, run] of PROGRAMS)
  describeReader(`hostile evidence, read by the verifier in ${reader}`, () => {
    it.each(GIVEN)(
      'fails or is refused in words: %s',
      (_, evidence, trust) => assertRefused(run([pathOf(evidence), '--trust', pathOf(trust)])),
      MINUTES_MS,
    );
  });

describeInBrowser('hostile evidence, read by the page of the verifier', () => {
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    writeFileSync(join(folder, 'verify.html'), await buildVerifierPage());
    browser = await openBrowser();
    page = await (await browser.newContext({ offline: true })).newPage();
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('dialog', (dialog) => {
      faults.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!/^(?:blob:|file:.*\/verify\.html$)/.test(request.url())) faults.push(`asked for ${request.url()}`);
    });
  }, 2 * MINUTES_MS);
  afterAll(() => browser.close());

  it.each(GIVEN)(
    'fails or is refused in words, and runs nothing: %s',
    async (_, evidence, trust) => {
      await page.goto(`file://${join(folder, 'verify.html')}`);
      await page.setInputFiles('#files', [pathOf(evidence), pathOf(trust)]);
      await page.locator('#result:not(:has([role=status])) .FAIL, #result .fault, #messages .fault').first().waitFor();
      expect(await page.locator('#result .PASS').count()).toBeLessThan(20);
      expect(await page.title()).toBe('Verify answer evidence');
      expect(await page.locator('img, iframe, object, embed, base, form, main script, [onerror]').count()).toBe(0);
      expect(await page.evaluate(() => document.body.innerText.length)).toBeLessThan(100_000);
      expect(faults).toEqual([]);
    },
    MINUTES_MS,
  );
});
