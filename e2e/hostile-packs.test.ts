import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../tools/scenery/browser.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { HOSTILE_TEXTS } from './support/hostile-texts.ts';

const DEADLINE_MS = 240_000;
/** Characters that turn the direction of what stands beside them. */
const TURNS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
/** Those that a JSON text may be, and as many as a pack may hold. */
const TEXTS = HOSTILE_TEXTS.filter((text) => !text.includes('\0') && text.isWellFormed()).slice(0, 199);
/** What A4 leaves between margins of 15 mm, in CSS pixels. */
const A4_WIDTH = 680;

describeInBrowser('an evidence pack of hostile texts', () => {
  let folder: string;
  let service: TestService;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'answer-evidence-hostile-pack-'));
    service = await openTestService();
    const settings = { answer_audit_store_question_text: true, answer_audit_store_answer_text: true };
    await service.call('PATCH', '/api/tenant/settings', { body: settings });
    const records = TEXTS.map((text, at) => recordOf(text, at));
    const { body } = await service.call('POST', '/api/answer-audit-logs/batch', { body: { records } });
    expect(body.results.filter(({ outcome }: any) => outcome !== 'created')).toEqual([]);
    const ids: readonly string[] = body.results.map(({ id }: any) => id);
    const reasoned = {
      event_type: 'correction_appended',
      reason: TEXTS.join(' ').slice(0, 3_900),
      payload: { corrected_answer_text: TEXTS.join('\n'), [TEXTS[0] ?? '']: TEXTS[0] },
    };
    const path = `/api/answer-audit-logs/${ids[0]}/events`;
    expect((await service.call('POST', path, { body: reasoned })).status).toBe(200);
    const made = await service.call('POST', '/api/trust/packs', { body: { answer_log_ids: ids } });
    expect(made.status).toBe(200);
    await writeFile(join(folder, 'pack.html'), made.text);
    browser = await openBrowser();
    page = await (await browser.newContext({ offline: true })).newPage();
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('dialog', (dialog) => {
      faults.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!/^(?:blob:|file:.*\/pack\.html$)/.test(request.url())) faults.push(`asked for ${request.url()}`);
    });
    await page.goto(`file://${join(folder, 'pack.html')}`);
    await page.locator('body[data-state="verified"]').waitFor({ timeout: DEADLINE_MS });
  }, DEADLINE_MS);
  afterAll(async () => {
    await browser.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** By the browser's own selectors: a locator's `:has` goes through a large pack for every row. */
  const count = (selector: string) => page.evaluate((one) => document.querySelectorAll(one).length, selector);

  it(
    'verifies every record',
    async () => {
      expect(TEXTS.length).toBe(199);
      expect(await count('section.record')).toBe(TEXTS.length);
      expect(await count('tr:has(.check):has(.FAIL)')).toBe(0);
      expect(await count('tr:has(.check):has(.PASS)')).toBeGreaterThan(TEXTS.length * 5);
    },
    DEADLINE_MS,
  );

  it(
    'shows each as the text that it is, and none turns the words around it',
    async () => {
      const shown = await page
        .locator('section.record')
        .evaluateAll((all) =>
          all.map((one) => Array.from(one.querySelectorAll('blockquote'), (quote) => quote.textContent ?? '')),
        );
      expect(shown.map(([question]) => question)).toEqual(TEXTS);
      expect(shown[0]).toContain(TEXTS.join('\n'));
      const around = await page.locator('p, h2, h3, td, th, figcaption').allTextContents();
      expect(around.filter((text) => TURNS.test(text))).toEqual([]);
    },
    DEADLINE_MS,
  );

  it(
    'runs nothing, makes nothing of them and asks for nothing',
    async () => {
      const made =
        'img, iframe, object, embed, base, form, link, math, marquee, main script, main style, [onerror], [onload]';
      expect(await page.locator(made).count()).toBe(0);
      expect(faults).toEqual([]);
    },
    DEADLINE_MS,
  );

  it(
    'prints without a text or a table that is cut off',
    async () => {
      await page.setViewportSize({ width: A4_WIDTH, height: 1_000 });
      await page.emulateMedia({ media: 'print' });
      const beyond = await page
        .locator('table, blockquote, code, svg, p')
        .evaluateAll((all, right) => all.filter((one) => one.getBoundingClientRect().right > right).length, A4_WIDTH);
      expect(beyond).toBe(0);
    },
    DEADLINE_MS,
  );
});

/** A record with the text in each field that takes it; names take no control character, and have a longest length. */
function recordOf(text: string, at: number) {
  const name = (lengthMax: number) =>
    /\p{Cc}/u.test(text) || text === '' || text.length > lengthMax ? 'refused' : text;
  return {
    application_key: name(200),
    environment: name(200),
    idempotency_key: `pack ${at}`,
    external_message_id: name(256),
    external_trace_id: name(256),
    actor_id_hash: name(256),
    session_id_hash: name(256),
    mode: name(64),
    question: { text },
    answer: { text: `${at} ${text}` },
    source_refs: [{ source_ref_id: `s${at}`, title: text, url: text, [text]: text }],
    semantic_refs: [{ name: text, [text]: text }],
  };
}
