import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { REPOSITORY } from '../../tools/scenery/service-process.ts';
import { answer } from '../../tools/scenery/test-service.ts';
import { FOREIGN, PROBE } from '../support/find-ran-markup.ts';
import { follow } from '../support/follow-page.ts';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import { type Form, listForms, SIGN_IN } from './forms.ts';
import type { HostileConsole } from './hostile-console.ts';
import { CHUNKS, ELSEWHERE } from './texts.ts';

const SOURCES = join(REPOSITORY, 'apps/console/src');
/** Fields that somebody types in; a date can only be one. */
const TYPED =
  'input:not([type=checkbox],[type=radio],[type=file],[type=date],[type=datetime-local],[type=hidden]), textarea';
/** What the sources call such a field. */
const COMPONENT = /<(?:TextInput|Textarea|PasswordInput|NumberInput|FileInput|input)\b/;

/** For what needs no more than their names. */
const NO_IDS = { record: '', run: '' };

/** Tests of hostile texts that somebody types, in each field there is. */
export function testFields(open: () => HostileConsole): void {
  it('have a field of every file of the sources that has one', async () => {
    const files = (await readdir(SOURCES, { recursive: true })).filter((file) => file.endsWith('.tsx'));
    const texts = await Promise.all(files.map((file) => readFile(join(SOURCES, file), 'utf8')));
    const tested = new Set([...listForms(NO_IDS), ...SIGN_IN].map(({ file }) => file));
    expect(files.filter((_, at) => COMPONENT.test(texts[at] ?? '')).toSorted()).toEqual([...tested].toSorted());
  });

  it('do nothing in the form that signs in, with a password or a link, while typed and when refused', async () => {
    const { watched, site } = open();
    const page = await watched.openPage();
    for (const form of SIGN_IN) {
      await page.goto(site.url + form.at);
      await keepTexts(page);
      await typeAll(page, form);
      for (const field of await page.locator(TYPED).all()) await field.fill(ELSEWHERE);
      await page.locator('form button[type=submit]').click();
      await page.getByRole('alert').waitFor();
      expect(await page.evaluate<readonly string[]>(PROBE)).toEqual([]);
    }
    await page.context().close();
  }, 120_000);

  describe('in the fields of a page or a dialog, of which none is left out', () => {
    let forms: readonly Form[];
    beforeAll(async () => {
      const { service, site, page } = open();
      const body = answer('a question', 'an answer', { external_trace_id: 'a-trace' });
      const record = (await service.call('POST', '/api/answer-audit-logs', { body })).body.id as string;
      const at = (millis: number) => new Date(Date.now() + millis).toISOString();
      const run = await service.call('POST', '/api/reconciliations/runs', {
        body: {
          ...{ application_key: 'fields-bot', match_on: 'idempotency_key' },
          ...{ window_start: at(-3_600_000), window_end: at(3_600_000) },
          references: [{ reference_id: 'one', occurred_at: at(0) }],
        },
      });
      await service.call('PATCH', '/api/tenant/settings', { body: { answer_audit_proof_links_enabled: true } });
      await page.goto(`${site.url}reconciliation/${run.body.id}`);
      await page.getByRole('row', { name: /Missing/ }).waitFor();
      await keepTexts(page);
      forms = listForms({ record, run: run.body.id });
    }, 120_000);

    it.each(listForms(NO_IDS).map(({ file, at }, n) => [file, at.split('/')[0] ?? '', n] as const))(
      'do nothing in those of %s at %s',
      async (_file, _at, n) => {
        const { site, page } = open();
        const form = forms[n]!;
        await follow(page, site, form.at);
        await typeAll(page, form);
        // What was typed without focus leaves its results open, over the page.
        if (form.within === 'header') await page.getByRole('combobox', { name: 'Find an answer' }).press('Escape');
      },
      120_000,
    );
  });
}

/** Types every text in each field of a form whose page is open, and looks after each of them. */
async function typeAll(page: Page, form: Form): Promise<void> {
  const { at, open, fields, again = [], isJudged = false, takesFile = false } = form;
  await page.locator(`main ${TYPED}, main h1`).first().waitFor();
  await open?.(page);
  const isDialog = at.includes('finding=') || (await page.getByRole('dialog').count()) > 0;
  const within = form.within ?? (isDialog ? '[role=dialog]' : 'main');
  const all = page.locator(
    TYPED.split(', ')
      .map((one) => `${within} ${one}`)
      .join(', '),
  );
  await all.nth(fields.length - 1).waitFor();
  const names = await all.evaluateAll((inputs) =>
    inputs.map((input) => {
      const { labels, ariaLabel } = input as HTMLInputElement;
      return labels?.[0]?.textContent?.replace(/ \*$/, '') ?? ariaLabel ?? '';
    }),
  );
  expect([at, names]).toEqual([at, fields]);
  if (takesFile)
    for (const name of ['\u202Egpj.csv', '<img src=x onerror=alert(1)>.csv']) {
      const buffer = Buffer.from('<b>,\u202Eat\n=1+1,\u202E\n');
      await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
      await page.getByText(name.replace('\u202E', 'U+202E')).first().waitFor();
      expect([at, await page.evaluate<readonly string[]>(PROBE)]).toEqual([at, []]);
    }
  for (const [n, field] of (await all.all()).entries()) {
    if (again.includes(fields[n] ?? '')) continue;
    await field.evaluate((input) => Object.assign(globalThis, { typedInto: input }));
    expect([
      at,
      fields[n],
      await page.evaluate<readonly string[]>(typing(isJudged ? 'hostile.each' : 'hostile.chunks')),
    ]).toEqual([at, fields[n], []]);
  }
}

/** Brings the texts into a document, once for all of its fields: they are a third of a megabyte. */
async function keepTexts(page: Page): Promise<void> {
  const hostile = { each: [...HOSTILE_TEXTS, ...CHUNKS], chunks: CHUNKS };
  await page.evaluate(`globalThis.hostile = ${JSON.stringify(hostile)}; undefined`);
}

/** Types texts as React notices it: in the page, where each takes a few milliseconds. */
const typing = (texts: 'hostile.each' | 'hostile.chunks') => `(async () => {
  const field = globalThis.typedInto;
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
  for (const text of ${texts}) {
    set.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    // React shows what was typed in the next microtasks.
    for (let n = 0; n < 4; n++) await null;
    // The whole page is looked at with many texts at once, and by itself no text makes an element.
    const isMany = text.length > 1_000;
    const found = isMany ? ${PROBE} : Array.from(document.querySelectorAll(${JSON.stringify(FOREIGN)}), String);
    if (found.length > 0) return [text, ...found];
  }
  return [];
})()`;
