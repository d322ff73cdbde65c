import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { buildVerifierPage } from '@answer-evidence/pack-page/build-page';
import { sortByUrgency } from '@answer-evidence/verify';
import { createProcessIo } from '../apps/cli/src/process-io.ts';
import { runVerifier } from '../apps/cli/src/run-verifier.ts';
import { describeInBrowser, openBrowser } from '../tools/scenery/browser.ts';
import { runPythonVerifier } from './independent-verifier/python-verifier.ts';

const FROZEN = join(import.meta.dirname, 'frozen/v1');
const TRUST = join(FROZEN, 'trust/trust.json');
const BUNDLES = ['plain.json', 'corrected.json'].map((name) => join(FROZEN, 'bundles', name));
const TILE = 'tile/entries/000.p/79';

const folder = mkdtempSync(join(tmpdir(), 'answer-evidence-verify-page-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of the log whose entries are changed. */
function copyLog(name: string, change: (entries: Buffer) => Buffer): string {
  const copy = join(folder, name);
  cpSync(join(FROZEN, 'tlog'), copy, { recursive: true });
  writeFileSync(join(copy, TILE), change(readFileSync(join(copy, TILE))));
  return copy;
}

const LOGS: readonly (readonly [name: string, log: string, outcome: string])[] = [
  ['honest', copyLog('honest', (entries) => entries), 'PASS'],
  [
    'altered',
    copyLog('altered', (entries) => Buffer.from(entries.toString('latin1').replace('"seq":0', '"seq":1'), 'latin1')),
    'FAIL',
  ],
  ['cut', copyLog('cut', (entries) => entries.subarray(0, -1)), 'FAIL'],
];

type Outcomes = readonly (readonly [check: string, outcome: string])[];

function readJson(stdout: string): Outcomes {
  const files = JSON.parse(stdout) as readonly any[];
  // People see what fails first.
  return files.flatMap(({ checks }) => sortByUrgency<any>(checks).map(({ check, outcome }) => [check, outcome]));
}

async function runNode(args: readonly string[]): Promise<readonly [code: number, outcomes: Outcomes]> {
  const stdout: (string | Uint8Array)[] = [];
  const sink = { isTerminal: false, write: (text: string | Uint8Array) => void stdout.push(text) };
  const io = { ...createProcessIo(), stdout: sink, stderr: { ...sink, write: () => {} } };
  const code = await runVerifier(['--output', 'json', ...args], io);
  return [code, readJson(stdout.join(''))];
}

describeInBrowser('several files at once', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    writeFileSync(join(folder, 'verify.html'), await buildVerifierPage());
    browser = await openBrowser();
    page = await (await browser.newContext({ offline: true })).newPage();
  }, 120_000);
  afterAll(() => browser.close());

  /** Every check that the page shows, in its order. */
  const readShown = (): Promise<Outcomes> =>
    page
      .locator('#result tr:has(.check)')
      .evaluateAll((rows) =>
        rows.map((row): [string, string] => [
          row.querySelector('.check')?.textContent ?? '',
          row.querySelector('.outcome')?.textContent ?? '',
        ]),
      );

  it('come to the same in the page and Node: two bundles and the receipt of one of them', async () => {
    const receipt = join(FROZEN, 'receipts/plain.tlog-proof');
    const [code, expected] = await runNode([...BUNDLES, receipt, '--trust', TRUST]);
    expect(code).toBe(0);
    await page.goto(`file://${join(folder, 'verify.html')}`);
    await page.setInputFiles('#files', [...BUNDLES, receipt, TRUST]);
    await page.locator('#result tr:has(.check:text-is("receipt")) .SKIP').first().waitFor({ timeout: 30_000 });
    const shown = await readShown();
    expect(shown).toEqual(expected);
    expect(shown.filter(([check]) => check === 'receipt')).toEqual([
      ['receipt', 'SKIP'],
      ['receipt', 'NA'],
    ]);
  }, 120_000);

  it.each(LOGS)(
    'come to the same in the page, Node and Python: two bundles, a trust file and a log that is %s',
    async (_, log, outcome) => {
      const args = [...BUNDLES, '--trust', TRUST, '--tlog', log];
      const [code, expected] = await runNode(args);
      expect(code).toBe(outcome === 'PASS' ? 0 : 1);
      const python = runPythonVerifier([...args, '--output', 'json']);
      expect(python.status).toBe(code);

      await page.goto(`file://${join(folder, 'verify.html')}`);
      await page.setInputFiles('#files', [...BUNDLES, TRUST]);
      await page.locator('#result tr:has(.check:text-is("log_order")) .SKIP').first().waitFor({ timeout: 30_000 });
      await page.setInputFiles('#folder', log);
      await page
        .locator(`#result tr:has(.check:text-is("log_order")) .${outcome}`)
        .first()
        .waitFor({ timeout: 30_000 });
      const shown = await readShown();
      expect(shown.filter(([check]) => check === 'event_completeness')).toEqual(
        Array.from({ length: 2 }, () => ['event_completeness', outcome]),
      );
      expect(shown).toEqual(expected);
      const known = new Set(shown.map(([check]) => check));
      expect(readJson(python.stdout).filter(([check]) => known.has(check))).toEqual(
        shown.filter(([check]) => check !== 'reconciliation'),
      );
    },
    120_000,
  );

  it.each([
    ['en-US', 'does not match what was recorded', 'matches what was recorded'],
    ['de-DE', 'stimmt nicht mit dem Aufgezeichneten überein', 'stimmt mit dem Aufgezeichneten überein'],
  ])(
    'show an altered text with its mark, before the checks, in %s',
    async (locale, differs, matches) => {
      const altered = join(folder, 'altered.json');
      const [, corrected = ''] = BUNDLES;
      writeFileSync(altered, readFileSync(corrected, 'utf8').replace('The first.', 'The worst.'));
      const context = await browser.newContext({ offline: true, locale });
      const own = await context.newPage();
      await own.goto(`file://${join(folder, 'verify.html')}`);
      await own.setInputFiles('#files', [altered, TRUST]);
      await own.locator('#result .mark').first().waitFor({ timeout: 30_000 });
      const shown = await own
        .locator('#result figure.text')
        .evaluateAll((texts) =>
          texts.map((text) => [
            text.querySelector('blockquote')?.textContent,
            text.querySelector('.mark')?.textContent,
          ]),
        );
      expect(shown).toEqual([
        ['Which is right?', matches],
        ['The second.', matches],
        ['The worst.', differs],
      ]);
      expect(await own.locator('#result .check').first().textContent()).toBe('answer_commitment');
      await context.close();
    },
    120_000,
  );

  it.each([
    ['a source', 'corrected', 'faq.md', 'fab.md', '.sources li', 'fab.md'],
    ['a reason', 'voided', 'never to be used', 'ever to be used', 'td', 'ever to be used'],
    ['the application', 'plain', 'support-bot', 'support-bat', '.story', 'support-bat'],
  ] as const)(
    'show %s that was altered with its mark, in German and in print, and quote it nowhere else',
    async (_, name, from, to, place, shown) => {
      const altered = join(folder, `altered-${name}.json`);
      const bundle = readFileSync(join(FROZEN, 'bundles', `${name}.json`), 'utf8');
      expect(bundle).toContain(from);
      writeFileSync(altered, bundle.replaceAll(from, to));
      const context = await browser.newContext({ offline: true, locale: 'de-DE' });
      const own = await context.newPage();
      await own.emulateMedia({ media: 'print' });
      await own.goto(`file://${join(folder, 'verify.html')}`);
      await own.setInputFiles('#files', [altered, TRUST]);
      const at = own.locator(`#result ${place}:has(.mark.differs)`).first();
      await at.waitFor({ timeout: 30_000 });
      expect(await at.innerText()).toContain(shown);
      expect(await at.innerText()).toContain('stimmt nicht mit dem Aufgezeichneten überein');
      expect(await at.locator('.mark').isVisible()).toBe(true);
      if (place !== '.story') expect(await own.locator('.story').innerText()).not.toContain(shown);
      await context.close();
    },
    120_000,
  );

  it('say in German what each check found, of every frozen bundle', async () => {
    const context = await browser.newContext({ offline: true, locale: 'de-DE' });
    const own = await context.newPage();
    const files = readdirSync(join(FROZEN, 'bundles')).map((name) => join(FROZEN, 'bundles', name));
    await own.goto(`file://${join(folder, 'verify.html')}`);
    await own.setInputFiles('#files', [...files, TRUST]);
    await own
      .locator('#result h2')
      .nth(files.length - 1)
      .waitFor({ timeout: 60_000 });
    const found = await own
      .locator('#result tr:has(.check)')
      .evaluateAll((rows) => rows.map((row) => row.querySelectorAll('td')[2]?.textContent ?? ''));
    expect(found.length).toBeGreaterThan(files.length * 20);
    const english = /\b(?:the|of|is|are|were|has|its|with|by|not|and|no|needs)\b/;
    expect([...new Set(found.filter((text) => english.test(text)))]).toEqual([]);
    await context.close();
  }, 120_000);

  it.each([
    ['a bundle alone', () => BUNDLES.slice(0, 1), 'The trust file is missing.'],
    ['a trust file alone', () => [TRUST], 'This is the trust file alone.'],
    ['a file that is nothing', () => [join(FROZEN, 'tlog', TILE)], 'is not used: it is neither a proof bundle'],
  ])(
    'or too few of them are answered with what to do: %s',
    async (_, files, sentence) => {
      await page.goto(`file://${join(folder, 'verify.html')}`);
      await page.setInputFiles('#files', [...files()]);
      await page.locator('#messages').getByText(sentence).waitFor({ timeout: 30_000 });
      expect(await page.locator('#messages .fault').count()).toBe(1);
    },
    60_000,
  );
});
