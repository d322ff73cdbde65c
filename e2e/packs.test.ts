import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../tools/scenery/browser.ts';
import { answer, openTestService } from '../tools/scenery/test-service.ts';

const HOSTILE = `</script><script>alert(1)</script><img src=x onerror=alert(2)><!-- \u202Eright to left`;
const ENDLESS = 'w'.repeat(256 * 1024);
/** What A4 and Letter leave between margins of 15 mm, in CSS pixels. */
const PAPERS = { A4: 680, Letter: 702 } as const;

const folder = mkdtempSync(join(tmpdir(), 'ae-packs-'));
const file = join(folder, 'evidence-pack.html');
const service = await openTestService();
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});

const frozen = (path: string) => readFileSync(join(import.meta.dirname, 'frozen/v1', path), 'utf8');

/** The pack with other texts in some of its parts. */
function withParts(texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts).reduce(
    (html, [id, text]) =>
      html.replace(
        new RegExp(`(id="${id}">).*?(</script>)`, 's'),
        (_, before, after) => `${before}${text.replaceAll('<', String.raw`\u003c`)}${after}`,
      ),
    readFileSync(file, 'utf8'),
  );
}

describeInBrowser('an evidence pack, opened from disk in Chromium without a network', () => {
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];
  const ids: string[] = [];

  beforeAll(async () => {
    for (const [question, text] of [
      ['plain question', 'plain answer'],
      [HOSTILE, HOSTILE],
      [ENDLESS, 'short'],
    ] as const) {
      const { status, body } = await service.call('POST', '/api/answer-audit-logs', { body: answer(question, text) });
      expect(status).toBe(201);
      ids.push(body.id);
    }
    const reply = await service.call('POST', '/api/trust/packs', { body: { answer_log_ids: ids } });
    expect(reply.status).toBe(200);
    writeFileSync(file, reply.text);
    browser = await openBrowser();
    page = await (await browser.newContext({ offline: true, acceptDownloads: true })).newPage();
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('dialog', (dialog) => faults.push(dialog.message()));
    page.on('request', (request) => {
      if (!/^(?:blob:|file:.*\.html$)/.test(request.url())) faults.push(`asked for ${request.url()}`);
    });
  }, 120_000);
  afterAll(() => browser.close());

  async function open(path: string): Promise<void> {
    await page.goto(`file://${path}`);
    await page.locator('body[data-state="verified"]').waitFor({ timeout: 60_000 });
  }
  /** The checks of a record that have an outcome. */
  const checksWith = (record: number, outcome: string) =>
    page.locator(`#record-${record} tr:has(.check):has(.${outcome}) .check`).allInnerTexts();

  it('verifies each record, shows every check with its outcome, and says whose keys it used', async () => {
    await open(file);
    for (const record of [1, 2, 3]) {
      expect(await page.locator(`#record-${record} .check`).count()).toBe(21);
      expect(await checksWith(record, 'FAIL')).toEqual([]);
      expect(await checksWith(record, 'PASS')).toEqual(
        expect.arrayContaining(['question_commitment', 'merkle_inclusion', 'checkpoint_signature']),
      );
    }
    const signature = page.locator('#record-1 tr:has(.check:text-is("checkpoint_signature"))');
    expect(await signature.innerText()).toContain('Only by the keys that this file brought');
    // One for each checkpoint: another one may have been published between two records.
    const bundles = [...readFileSync(file, 'utf8').matchAll(/id="bundle-\d+">(.*?)<\/script>/gs)];
    const checkpoints = new Set(bundles.map(([, text = '']) => JSON.parse(text).checkpoint.split('\n', 3).join('\n')));
    expect(bundles.length).toBe(3);
    expect(await page.locator('svg.qr').count()).toBe(checkpoints.size);
    expect(faults).toEqual([]);
  }, 120_000);

  it('shows both ends of the window of each record, and who vouches for them', async () => {
    const nobody = "- (nobody vouches for this end: it is the operator's word)";
    const ends = async (record: number) =>
      Promise.all(
        ['Recorded at', 'In the log after', 'In the log not later than'].map((name) =>
          page.locator(`#record-${record} tr:has(td:text-is("${name}")) td`).last().innerText(),
        ),
      );
    await open(file);
    for (const record of [1, 2, 3])
      expect(await ends(record)).toEqual([expect.stringMatching(/Z, the operator's word$/), nobody, nobody]);
    const stamped = join(folder, 'stamped.html');
    writeFileSync(stamped, withParts({ 'bundle-1': frozen('bundles/both.json'), trust: frozen('trust/trust.json') }));
    await open(stamped);
    expect(await ends(1)).toEqual([
      "2026-11-22T21:22:12.104090Z, the operator's word",
      nobody,
      '2026-11-22T21:22:12.494000Z (anchor authority)',
    ]);
  }, 120_000);

  it('shows hostile texts as what they are, and runs nothing of them', async () => {
    await open(file);
    expect(await page.locator('#record-2 blockquote').allInnerTexts()).toEqual([HOSTILE, HOSTILE]);
    expect(await page.locator('img').count()).toBe(0);
    expect(faults).toEqual([]);
  }, 120_000);

  it('names the check that one changed character fails', async () => {
    const changed = join(folder, 'changed.html');
    writeFileSync(changed, readFileSync(file, 'utf8').replace('plain answer', 'plain answeR'));
    await open(changed);
    expect(await checksWith(1, 'FAIL')).toEqual(['answer_commitment']);
    expect(await checksWith(2, 'FAIL')).toEqual([]);
  }, 120_000);

  it('without texts says so in words, and decides every check but those of the texts', async () => {
    const body = { answer_log_ids: ids.slice(0, 1), texts: 'withheld' };
    const reply = await service.call('POST', '/api/trust/packs', { body });
    expect(reply.text).not.toContain('plain answer');
    const redacted = join(folder, 'withheld.html');
    writeFileSync(redacted, reply.text);
    await open(redacted);
    await page.getByText('This file was made without the texts of question, answer and corrections').waitFor();
    expect(await checksWith(1, 'FAIL')).toEqual([]);
    expect(await checksWith(1, 'SKIP')).toEqual(expect.arrayContaining(['question_commitment', 'answer_commitment']));
    expect(await checksWith(1, 'PASS')).toContain('record_hash');
    writeFileSync(redacted, reply.text.replace('"question":null', '"question":{"text":"plain question","key":null}'));
    await open(redacted);
    expect(await checksWith(1, 'FAIL')).toEqual(['question_commitment']);
  }, 120_000);

  it('leads from a record to its public page by a code and a link, and names its purpose', async () => {
    const on = { answer_audit_proof_links_enabled: true };
    expect((await service.call('PATCH', '/api/tenant/settings', { body: on })).status).toBe(200);
    const cover = { recipient: HOSTILE, purpose: 'Case 7', proof_links: {} };
    const body = { answer_log_ids: ids.slice(0, 1), ...cover };
    const linked = join(folder, 'linked.html');
    writeFileSync(linked, (await service.call('POST', '/api/trust/packs', { body })).text);
    await open(linked);
    expect(await page.locator('#cover').innerText()).toContain('Case 7');
    expect(await page.locator('#cover').innerText()).toContain('<script>alert(1)</script>');
    expect(await page.locator('#record-1 .link svg.qr').count()).toBe(1);
    const href = await page.locator('#record-1 .link a').getAttribute('href');
    expect(href).toMatch(/^http:\/\/\S+\/proof\/#ael_[\w-]{86}$/);
    expect(faults).toEqual([]);
  }, 120_000);

  it('verifies with the keys that its reader gives instead of its own', async () => {
    const trust = JSON.parse(/id="trust">(.*?)<\/script>/.exec(readFileSync(file, 'utf8'))?.[1] ?? '');
    const own = join(folder, 'trust.json');
    writeFileSync(own, JSON.stringify({ ...trust, logs: [{ ...trust.logs[0], origin: 'other.example/log' }] }));
    await open(file);
    await page.setInputFiles('#files', own);
    await page.locator('#record-3 .FAIL.outcome').first().waitFor({ timeout: 60_000 });
    expect(await checksWith(1, 'FAIL')).toContain('checkpoint_signature');
  }, 120_000);

  it('saves the bundle of a record, the same that stands in the file', async () => {
    await open(file);
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#record-1 button').click()]);
    const inFile = /id="bundle-1">(.*?)<\/script>/s.exec(readFileSync(file, 'utf8'))?.[1];
    expect(readFileSync(await download.path(), 'utf8')).toBe(inFile);
  }, 120_000);

  it.each(Object.entries(PAPERS))(
    'prints on %s without a table that is cut off',
    async (format, width) => {
      await page.setViewportSize({ width, height: 1_000 });
      await page.emulateMedia({ media: 'print' });
      await open(file);
      const beyond = await page
        .locator('table, blockquote, code, svg')
        .evaluateAll((found, right) => found.filter((one) => one.getBoundingClientRect().right > right).length, width);
      expect(beyond).toBe(0);
      // On paper it is as dark as what stands around it.
      const [said, around] = await page
        .getByText(/^On hold: /)
        .first()
        .evaluate((one) => [one, document.body].map((each) => getComputedStyle(each).color));
      expect(said).toBe(around);
      expect((await page.pdf({ format, printBackground: false })).subarray(0, 5).toString()).toBe('%PDF-');
    },
    120_000,
  );
});
