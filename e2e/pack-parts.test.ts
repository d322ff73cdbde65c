import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { buildPackPage, buildVerifierPage } from '@answer-evidence/pack-page/build-page';
import { createProcessIo } from '../apps/cli/src/process-io.ts';
import { runVerifier } from '../apps/cli/src/run-verifier.ts';
import { describeInBrowser, openBrowser } from '../tools/scenery/browser.ts';
import { runPythonVerifier } from './independent-verifier/python-verifier.ts';
import { formatPackPart } from './support/pack-part.ts';

const FROZEN = join(import.meta.dirname, 'frozen/v1');
const TRUST = join(FROZEN, 'trust/trust.json');
const read = (path: string) => JSON.parse(readFileSync(join(FROZEN, path), 'utf8'));
const [plain, corrected] = [read('bundles/plain.json'), read('bundles/corrected.json')];

const part = (id: string, value: unknown) => formatPackPart(id, JSON.stringify(value));
const list = (...bundles: readonly unknown[]) =>
  part('pack', {
    format: 'answer-evidence-pack/v1',
    made_at: '2026-11-22T21:30:00.000000Z',
    origin: plain.origin,
    bundles,
  });
const TRUST_PART = part('trust', read('trust/trust.json'));
const [one, two] = [part('bundle-1', plain), part('bundle-2', corrected)];
const TWO = list('bundle-1', 'bundle-2');

/** The parts of packs, and what becomes of their bundles: `+` verified, `-` failed by itself. */
const PACKS: readonly (readonly [name: string, parts: string, records: string])[] = [
  ['whole', [TWO, TRUST_PART, one, two].join('\n'), '++'],
  ['a part is missing', [TWO, TRUST_PART, one].join(''), '+-'],
  ['a part is there twice', [TWO, TRUST_PART, one, two, two].join(''), '+-'],
  ['a part is in a comment', [TWO, TRUST_PART, one, `<!-- ${two} -->`].join(''), '+-'],
  ['a part is in a template', [TWO, TRUST_PART, one, `<template>${two}</template>`].join(''), '++'],
  [
    'a part has its id first',
    [TWO, TRUST_PART, one, `<script id="bundle-2" type="application/json">{}</script>`].join(''),
    '+-',
  ],
  ['a part has another type', [TWO, TRUST_PART, one, two.replace('application/json', 'text/plain')].join(''), '+-'],
  ['a part is within a part', [TWO, TRUST_PART, one, two.replace('{', '<script>{')].join(''), '+-'],
  ['another element has its id', [TWO, TRUST_PART, one, '<p id="bundle-2"></p>', two].join(''), '++'],
  ['an odd name', [list('bundle-1', 'bundle-x'), TRUST_PART, one, part('bundle-x', corrected)].join(''), '+-'],
  ['a part beside the list', [list('bundle-1'), TRUST_PART, one, two].join(''), '+-'],
  [
    'a part without an id',
    [list('bundle-1'), TRUST_PART, one, '<script type="application/json">{}</script>'].join(''),
    '+-',
  ],
  ['the other order', [list('bundle-2', 'bundle-1'), TRUST_PART, one, two].join(''), '--'],
  ['two lists', [list('bundle-1'), TWO, TRUST_PART, one, two].join(''), '++'],
  ['no list', [TRUST_PART, one, two].join(''), '++'],
  ['a part is no bundle', [TWO, TRUST_PART, one, part('bundle-2', {})].join(''), '+-'],
];

const folder = mkdtempSync(join(tmpdir(), 'answer-evidence-pack-parts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeInBrowser('the records of a pack', () => {
  let browser: Browser;
  let page: Page;
  let template: string;

  beforeAll(async () => {
    template = await buildPackPage();
    writeFileSync(join(folder, 'verify.html'), await buildVerifierPage());
    browser = await openBrowser();
    page = await (await browser.newContext({ offline: true })).newPage();
  }, 120_000);
  afterAll(() => browser.close());

  function write(parts: string): string {
    const path = join(folder, 'pack.html');
    writeFileSync(
      path,
      template.replace('<!-- parts -->', () => parts),
    );
    return path;
  }

  /** What a program makes of a pack: its bundles, and whether a check of the whole fails. */
  function readJson(stdout: string, path: string): readonly [records: string, isWhole: boolean] {
    const [whole, ...records] = JSON.parse(stdout) as readonly any[];
    expect(whole.file).toBe(path);
    const failed = (item: any) => 'fault' in item || item.checks.every(({ outcome }: any) => outcome === 'FAIL');
    return [
      records.map((item) => (failed(item) ? '-' : '+')).join(''),
      !whole.checks.some(({ outcome }: any) => outcome === 'FAIL'),
    ];
  }

  it.each(PACKS)(
    'are the same to its page, the page of the verifier, Node and Python: %s',
    async (name, parts, records) => {
      const path = write(parts);
      const isWhole = !/\blist|order|odd|missing|twice|comment|first|type|within|beside|without/.test(name);
      const stdout: (string | Uint8Array)[] = [];
      const io = createProcessIo();
      const sink = { isTerminal: false, write: (text: string | Uint8Array) => void stdout.push(text) };
      const code = await runVerifier(['--output', 'json', path, '--trust', TRUST], {
        ...io,
        stdout: sink,
        stderr: { ...sink, write: () => {} },
      });
      expect([code, ...readJson(stdout.join(''), path)]).toEqual([
        records === '++' && isWhole ? 0 : 1,
        records,
        isWhole,
      ]);
      const python = runPythonVerifier([path, '--trust', TRUST, '--output', 'json']);
      expect([python.status, ...readJson(python.stdout, path)]).toEqual([code, records, isWhole]);

      const shown = async (all: string) =>
        page
          .locator(all)
          .evaluateAll((sections) =>
            sections.map((section) => (section.querySelector('.PASS') === null ? '-' : '+')).join(''),
          );
      await page.goto(`file://${path}`);
      await page.locator('body[data-state="verified"]').waitFor({ timeout: 30_000 });
      expect(await shown('section.record')).toBe(records);
      const parted = page.locator('#made tr:has(.check:text-is("pack_parts")) .outcome');
      expect(await parted.innerText()).toBe(isWhole ? 'PASS' : 'FAIL');
      await page.goto(`file://${join(folder, 'verify.html')}`);
      await page.setInputFiles('#files', [path, TRUST]);
      await page.locator('#result tr:has(.check:text-is("pack_parts"))').waitFor({ timeout: 30_000 });
      expect(await page.locator('#result h2.file').count()).toBe([...records].length);
      expect(await page.locator('#result tr:has(.check:text-is("record_hash")) .PASS').count()).toBe(
        records.replaceAll('-', '').length,
      );
    },
    120_000,
  );
});
