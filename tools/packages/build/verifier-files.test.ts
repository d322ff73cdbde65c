import { execFile, execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { PRODUCT_VERSION } from '@answer-evidence/contracts';
import { buildVerifierPage } from '../../../libs/adapters/pack-page/src/build-page.ts';
import { verifyBundle } from '../../../packages/verify/src/index.ts';
import { readLogIn } from '../../../packages/verify/src/node.ts';
import { describeInBrowser, openBrowser } from '../../scenery/browser.ts';
import { buildPackage } from './build-package.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const FROZEN = join(ROOT, 'e2e/frozen/v1');
const TRUST = join(FROZEN, 'trust/trust.json');
const bundleOf = (name: string) => join(FROZEN, 'bundles', `${name}.json`);

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ae-verifier-files-'));
  await buildPackage(ROOT, 'packages/cli', join(folder, 'cli'));
  copyFileSync(join(folder, 'cli/dist/answer-evidence-verify.js'), join(folder, 'answer-evidence-verify.mjs'));
  writeFileSync(join(folder, 'verify.html'), await buildVerifierPage());
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Outcomes by check. */
function outcomesOf(checks: readonly { readonly check: string; readonly outcome: string }[]): Record<string, string> {
  return Object.fromEntries(checks.map(({ check, outcome }) => [check, outcome]));
}

describe('@answer-evidence/cli, installed from its tarball', () => {
  it('brings both commands, of the version of this repository, and no dependency', async () => {
    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{"private":true}');
    const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: join(folder, 'cli') });
    const tarball = join(folder, packed.stdout.trim());
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project });
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toHaveLength(1);
    for (const name of ['answer-evidence', 'answer-evidence-verify']) {
      const { stdout } = await run(join(project, 'node_modules/.bin', name), ['--version'], { cwd: project });
      expect(stdout).toBe(`${name} ${PRODUCT_VERSION} (interface 2026-07-31)\n`);
    }
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
    expect(manifest.version).toBe(PRODUCT_VERSION);
  }, 120_000);
});

describe('answer-evidence-verify.mjs', () => {
  const verify = (...args: readonly string[]) =>
    run(process.execPath, [join(folder, 'answer-evidence-verify.mjs'), '--output', 'json', ...args]);

  it('verifies a bundle as the library does, from one file', async () => {
    const { stdout } = await verify('verify', bundleOf('corrected'), '--trust', TRUST, '--tlog', join(FROZEN, 'tlog'));
    const { checks } = await verifyBundle(readFileSync(bundleOf('corrected')), readFileSync(TRUST), {
      log: readLogIn(join(FROZEN, 'tlog')),
    });
    expect(outcomesOf(JSON.parse(stdout).checks)).toEqual(outcomesOf(checks));
  });

  it('runs the command that the page for auditors shows', async () => {
    const page = readFileSync(join(ROOT, 'docs/auditor.md'), 'utf8');
    const command = /```sh\n(node answer-evidence-verify\.mjs verify .*?)```/s.exec(page)?.[1] ?? 'exit 99';
    copyFileSync(bundleOf('plain'), join(folder, 'bundle.json'));
    copyFileSync(TRUST, join(folder, 'trust.json'));
    const { stdout } = await run('bash', ['-c', command], { cwd: folder });
    expect(stdout).toMatch(/\b0 FAIL\b/);
    copyFileSync(join(FROZEN, 'receipts/plain.tlog-proof'), join(folder, 'receipt.tlog-proof'));
    copyFileSync(join(FROZEN, 'receipts/plain.entry'), join(folder, 'entry.txt'));
    cpSync(join(FROZEN, 'tlog'), join(folder, 'copy-of-the-log'), { recursive: true });
    const others = [...page.matchAll(/^node answer-evidence-verify\.mjs (?:receipt|copy).*$/gm)].map(([line]) => line);
    expect(others).toHaveLength(2);
    const { stdout: shown } = await run('bash', ['-ec', others.join('\n')], { cwd: folder });
    expect(shown.match(/\b0 FAIL, 0 SKIP\b/g)).toHaveLength(2);
  });

  it('ends with 1 for a bundle that was altered, and with 2 for a command of the service', async () => {
    const altered = readFileSync(bundleOf('corrected'), 'utf8').replace('"text":"', '"text":"not ');
    writeFileSync(join(folder, 'altered.json'), altered);
    await expect(verify('verify', join(folder, 'altered.json'), '--trust', TRUST)).rejects.toMatchObject({ code: 1 });
    await expect(verify('records', 'list')).rejects.toMatchObject({ code: 2 });
  });
});

describeInBrowser('verify.html, opened from disk in Chromium without a network', () => {
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    page = await (await browser.newContext({ offline: true })).newPage();
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      if (!request.url().endsWith('/verify.html')) faults.push(`asked for ${request.url()}`);
    });
  }, 60_000);
  afterAll(() => browser.close());

  /** Gives the files to a page that was just opened, and reads the outcomes that it shows. */
  async function show(files: readonly string[]): Promise<Record<string, string>> {
    await page.goto(`file://${join(folder, 'verify.html')}`);
    await page.setInputFiles('#files', [...files]);
    await page.locator('#result tr:has(.check)').first().waitFor({ timeout: 60_000 });
    return readOutcomes();
  }

  /** The outcome of each check, by its name. */
  async function readOutcomes(): Promise<Record<string, string>> {
    const rows = await page.locator('tr:has(.check)').all();
    return Object.fromEntries(
      await Promise.all(
        rows.map(async (row) => [await row.locator('.check').innerText(), await row.locator('.outcome').innerText()]),
      ),
    ) as Record<string, string>;
  }

  it.each(['plain', 'corrected', 'redacted', 'keyed', 'bound-gone'])(
    'shows of the bundle %s the outcomes that the library comes to',
    async (name) => {
      const { checks } = await verifyBundle(readFileSync(bundleOf(name)), readFileSync(TRUST));
      expect(await show([bundleOf(name), TRUST])).toEqual(outcomesOf(checks));
      expect(faults).toEqual([]);
    },
    120_000,
  );

  it('reads a receipt, and a copy of the log in a folder', async () => {
    const receipt = readFileSync(join(FROZEN, 'receipts/plain.tlog-proof'), 'utf8');
    const { checks } = await verifyBundle(readFileSync(bundleOf('plain')), readFileSync(TRUST), {
      receipt,
      log: readLogIn(join(FROZEN, 'tlog')),
    });
    const files = [bundleOf('plain'), TRUST, join(FROZEN, 'receipts/plain.tlog-proof')];
    await show(files);
    await page.setInputFiles('#folder', join(FROZEN, 'tlog'));
    await page.locator('tr:has(.check:text-is("event_completeness")) .PASS').waitFor({ timeout: 60_000 });
    expect(await readOutcomes()).toEqual(outcomesOf(checks));
    expect(faults).toEqual([]);
  }, 120_000);

  it('names the check that an altered byte fails, and runs nothing of a text', async () => {
    const text = '<img src=x onerror=alert(1)>\u202E';
    const altered = readFileSync(bundleOf('plain'), 'utf8').replace(/("text": ?")[^"]*/, `$1${text}`);
    writeFileSync(join(folder, 'altered.json'), altered);
    const outcomes = await show([join(folder, 'altered.json'), TRUST]);
    expect(Object.entries(outcomes).filter(([, outcome]) => outcome === 'FAIL')).toHaveLength(1);
    expect(await page.locator('blockquote').allInnerTexts()).toContain(text);
    expect(await page.locator('img').count()).toBe(0);
    expect(faults).toEqual([]);
  }, 120_000);

  it('says of a file that it knows not what it takes', async () => {
    await page.goto(`file://${join(folder, 'verify.html')}`);
    await page.setInputFiles('#files', [join(ROOT, 'package.json')]);
    await page.getByText('package.json is not used: it is neither a proof bundle, an evidence pack').waitFor();
  });
});

it('is the same, byte for byte, when it is built again', async () => {
  writeFileSync(join(folder, 'again.html'), await buildVerifierPage());
  expect(readFileSync(join(folder, 'again.html'))).toEqual(readFileSync(join(folder, 'verify.html')));
  await buildPackage(ROOT, 'packages/cli', join(folder, 'again/cli'));
  const sums = ['cli', 'again/cli'].map((name) =>
    execFileSync('sha256sum', ['dist/answer-evidence-verify.js'], { cwd: join(folder, name), encoding: 'utf8' }),
  );
  expect(sums[0]).toBe(sums[1]);
}, 120_000);
