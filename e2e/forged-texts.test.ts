import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { buildVerifierPage } from '@answer-evidence/pack-page/build-page';
import { createTrustFile, WORDS } from '@answer-evidence/verify';
import { describeInBrowser, openBrowser } from '../tools/scenery/browser.ts';
import { answer, openTestService } from '../tools/scenery/test-service.ts';

const QUESTION = 'How long can I return the jacket?';
const RECORDED = 'You can return it within 30 days.';
const CORRECTED = 'You can return it within 14 days.';
const FORGED = CORRECTED.replace('14 days', '41 days');
const LANGUAGES = ['en', 'de'] as const;

/** A text as a reader of the page sees it, and the mark that stands before it. */
type Seen = { readonly text: string; readonly mark: string };

describeInBrowser('a text that sed has altered', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ae-forged-'));
  const at = (name: string) => join(folder, name);
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    const service = await openTestService();
    try {
      const call = async (method: string, path: string, body?: object) => {
        const reply = await service.call(method, path, body === undefined ? {} : { body });
        expect([reply.status, reply.body?.detail]).toEqual([expect.any(Number), undefined]);
        return reply;
      };
      const { id } = (await call('POST', '/api/answer-audit-logs', answer(QUESTION, RECORDED))).body;
      await call('POST', `/api/answer-audit-logs/${id}/events`, {
        event_type: 'correction_appended',
        reason: 'wrong deadline',
        payload: { corrected_answer_text: CORRECTED },
      });
      const keys = (await call('GET', '/api/trust/keys')).body;
      const policy = (await call('GET', '/api/trust/policy')).body;
      writeFileSync(at('trust.json'), JSON.stringify(createTrustFile(keys, policy)));
      writeFileSync(at('bundle.json'), (await call('GET', `/api/trust/proofs/answers/${id}`)).text);
      writeFileSync(at('pack.html'), (await call('POST', '/api/trust/packs', { answer_log_ids: [id] })).text);
    } finally {
      await service.close();
    }
    writeFileSync(at('verify.html'), await buildVerifierPage());
    for (const name of ['bundle.json', 'pack.html']) execFileSync('sed', ['-i', `s/${CORRECTED}/${FORGED}/`, at(name)]);
    browser = await openBrowser();
    page = await (await browser.newContext({ offline: true })).newPage();
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const show: Readonly<Record<string, () => Promise<void>>> = {
    'a bundle, in verify.html': async () => {
      await page.goto(`file://${at('verify.html')}`);
      await page.setInputFiles('#files', [at('bundle.json'), at('trust.json')]);
    },
    'a pack, opened alone': async () => {
      await page.goto(`file://${at('pack.html')}`);
    },
  };

  /** The texts from top to bottom. What is not visible is not there, and neither is a mark behind its text. */
  const see = (): Promise<readonly Seen[]> =>
    page.locator('figure.text').evaluateAll((figures) =>
      figures.map((figure) => {
        const [mark, text] = ['.mark', 'blockquote'].map((name) => figure.querySelector<HTMLElement>(name));
        const isBefore = (mark?.getBoundingClientRect().top ?? 0) < (text?.getBoundingClientRect().top ?? 0);
        return { text: text?.innerText ?? '', mark: isBefore ? (mark?.innerText ?? '') : '' };
      }),
    );

  it.each(Object.keys(show).flatMap((what) => LANGUAGES.map((language) => [what, language] as const)))(
    'is marked at the text, on the page and in print: %s, in %s',
    async (what, language) => {
      const { differs, matches } = WORDS[language].marks;
      await show[what]?.();
      await page.locator('#language').selectOption(language);
      await page.getByText(differs, { exact: true }).first().waitFor({ timeout: 60_000 });
      for (const media of ['screen', 'print'] as const) {
        await page.emulateMedia({ media });
        const seen = await see();
        // What was asked and what would hold come first, and a text that was altered is never shown plain.
        expect(seen.map(({ text }) => text)).toEqual([QUESTION, FORGED, RECORDED]);
        expect(seen.map(({ mark }) => mark)).toEqual([
          expect.stringMatching(`^${matches}`),
          differs,
          expect.stringMatching(`^${matches}`),
        ]);
        const whole = await page.locator('body').innerText();
        expect(whole.split(FORGED).length - 1).toBe(1);
      }
      await page.emulateMedia({ media: null });
    },
    120_000,
  );
});
