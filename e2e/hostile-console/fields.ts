import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { REPOSITORY } from '../../tools/scenery/service-process.ts';
import { answer } from '../../tools/scenery/test-service.ts';
import { FOREIGN, PROBE } from '../support/find-ran-markup.ts';
import { follow } from '../support/follow-page.ts';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import type { HostileConsole } from './hostile-console.ts';
import { CHUNKS, ELSEWHERE } from './texts.ts';

const SOURCES = join(REPOSITORY, 'apps/console/src');
/** Fields that somebody types in; a date can only be one. */
const TYPED =
  'input:not([type=checkbox],[type=radio],[type=file],[type=date],[type=datetime-local],[type=hidden]), textarea';
/** What the sources call such a field. */
const COMPONENT = /<(?:TextInput|Textarea|PasswordInput|NumberInput|FileInput|input)\b/;

/** A page or a dialog with fields, and the file that has them. */
type Form = {
  readonly file: string;
  readonly at: string;
  /** Leads to them. */
  readonly open?: (page: Page) => Promise<void>;
  /** Their names. */
  readonly fields: readonly string[];
  /** Those of them that a form before has, too; they are typed in once. */
  readonly again?: readonly string[];
  /** What is typed is read while it is typed, and not only shown. */
  readonly isJudged?: boolean;
  /** A file can be chosen, too. */
  readonly takesFile?: boolean;
  /** Where on the page they are, if that is neither its main part nor a dialog. */
  readonly within?: 'header';
};
type Ids = { readonly record: string; readonly run: string };

const click = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name, exact: true }).click();
};
const openDialog = (name: string) => async (page: Page) => {
  await click(name)(page);
  await page.getByRole('dialog').waitFor();
};
const choose = (button: string, item: string) => async (page: Page) => {
  await click(button)(page);
  await page.getByRole('menuitem', { name: item }).click();
  await page.getByRole('dialog').waitFor();
};
/** Chooses what is to be added, which has fields on the page. */
const add = (button: string, item: string) => async (page: Page) => {
  await click(button)(page);
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};
const NEW_RUN = ['Application', 'Environment', 'Late after (seconds)'];
const INTERVALS = ['Publish every (seconds)', 'Anchor every (seconds)', 'Outside anchors that must confirm'];
const SEARCH = ['Search for', 'Application', 'Environment'];
const LIMITS = ['Only in these applications', 'Only in these environments'];

/** Every form of the console, for somebody who is signed in. */
const listForms = ({ record, run }: Ids): readonly Form[] => [
  { file: 'search/search-box.tsx', at: 'records', within: 'header', fields: ['Find an answer'] },
  { file: 'components/filter-bar.tsx', at: 'records', fields: SEARCH },
  { file: 'components/filter-bar.tsx', at: 'evidence', fields: ['Search for', 'Application', 'Type'] },
  { file: 'components/filter-bar.tsx', at: 'log', fields: ['Record id'] },
  { file: 'components/filter-bar.tsx', at: 'opentelemetry?view=ignored', fields: ['Application'] },
  {
    file: 'pages/otel/trace-fates.tsx',
    isJudged: true,
    at: 'opentelemetry?view=trace',
    fields: ['Trace id (32 hexadecimal digits)'],
  },
  { file: 'components/filter-bar.tsx', at: 'reconciliation', fields: ['Application'] },
  {
    file: 'pages/records/saved-views.tsx',
    at: 'records?mode=a',
    open: choose('Saved views', 'Save this view'),
    fields: ['Name of the view'],
  },
  {
    file: 'pages/records/pack-dialog.tsx',
    at: `records/${record}`,
    open: openDialog('Evidence pack'),
    fields: ['Made for', 'Purpose'],
  },
  {
    file: 'pages/records/event-dialogs.tsx',
    at: `records/${record}`,
    open: choose('Change the state', 'Correct the answer'),
    fields: ['The right answer', 'Reason'],
  },
  {
    file: 'components/reason-dialog.tsx',
    at: `records/${record}`,
    open: choose('Change the state', 'Void the answer'),
    fields: ['Reason'],
  },
  { file: 'components/reason-fields.tsx', at: 'records', open: openDialog('Export'), fields: ['Reason'] },
  {
    file: 'pages/records/link-dialog.tsx',
    isJudged: true,
    at: `records/${record}`,
    open: openDialog('Link for the person concerned'),
    fields: ['Days until it expires'],
  },
  {
    file: 'pages/records/redact-dialog.tsx',
    at: `records/${record}`,
    open: choose('Change the state', 'Redact the record'),
    fields: [`Type ${record.slice(-8)}, the end of the id of this record, to confirm`, 'Reason'],
  },
  {
    file: 'pages/records/record-traces.tsx',
    isJudged: true,
    at: `records/${record}`,
    open: (page) => page.getByText('Where traces are shown').click(),
    fields: ['Address of a trace'],
  },
  {
    file: 'pages/evidence/upload-page.tsx',
    at: 'evidence/new',
    fields: ['Application', 'Name', 'Record id'],
    takesFile: true,
  },
  {
    file: 'pages/reconciliation/new-run-page.tsx',
    isJudged: true,
    at: 'reconciliation/new',
    fields: NEW_RUN,
    takesFile: true,
  },
  {
    file: 'pages/reconciliation/window-fields.tsx',
    at: 'reconciliation/new',
    open: (page) => page.getByRole('switch', { name: 'Exact times' }).check({ force: true }),
    fields: NEW_RUN,
  },
  { file: 'pages/reconciliation/triage/triage-fields.tsx', at: `reconciliation/${run}?finding=0`, fields: ['Comment'] },
  {
    file: 'pages/trust/policy/policy-editor.tsx',
    isJudged: true,
    at: 'trust',
    open: (page) => page.getByText('Advanced: the same as texts').click(),
    fields: [...INTERVALS, 'Witness policy', 'Anchors in JSON'],
  },
  {
    file: 'pages/trust/policy/witness-forms.tsx',
    isJudged: true,
    at: 'trust',
    open: add('Add a witness', 'Another witness'),
    fields: ['Name in the policy', 'Address', 'Verifier key', ...INTERVALS],
    again: INTERVALS,
  },
  {
    file: 'pages/trust/policy/anchor-forms.tsx',
    isJudged: true,
    at: 'trust',
    open: add('Add an anchor', 'Locked bucket'),
    fields: [
      ...['Name in the policy', 'Address', 'Bucket', 'Region', 'Prefix of the objects', 'Access key'],
      ...['Locked for (days)', 'Secret', ...INTERVALS],
    ],
    again: INTERVALS,
  },
  {
    file: 'pages/trust/policy/anchor-forms.tsx',
    isJudged: true,
    at: 'trust',
    open: add('Add an anchor', 'Time-stamping authority'),
    fields: ['Name in the policy', 'Address', 'Certificate that tokens must lead to (PEM)', ...INTERVALS],
    again: INTERVALS,
  },
  {
    file: 'pages/notifications/target-dialog.tsx',
    at: 'notifications',
    open: openDialog('Add a webhook'),
    fields: ['Name', 'Address'],
  },
  {
    file: 'pages/tokens/issue-token-dialog.tsx',
    at: 'tokens',
    open: openDialog('Issue a token'),
    fields: ['Name', 'Application'],
  },
  {
    file: 'pages/members/add-member-dialog.tsx',
    at: 'members',
    open: openDialog('Add a member'),
    fields: ['Name', ...LIMITS],
  },
  {
    file: 'pages/members/access-choice.tsx',
    at: 'members',
    open: openDialog('Add a member'),
    fields: ['Name', ...LIMITS],
  },
  {
    file: 'pages/members/provider-link.tsx',
    at: 'members',
    open: async (page) => {
      await page.route('**/console/sign-in', (route) => route.fulfill({ json: { provider: true } }));
      await page
        .getByRole('button', { name: /^Change / })
        .first()
        .click();
      // Who is limited to nothing.
      await page.getByRole('radio', { name: 'Manager' }).check();
      await page.getByLabel('Subject at the OpenID provider').waitFor();
    },
    fields: ['Subject at the OpenID provider'],
  },
  {
    file: 'pages/settings/size-field.tsx',
    isJudged: true,
    at: 'settings',
    fields: ['Texts are kept for', 'Largest file of evidence'],
  },
  {
    file: 'pages/settings/retention-fields.tsx',
    isJudged: true,
    at: 'settings',
    open: (page) => page.getByRole('switch', { name: 'Records are kept at least for' }).check({ force: true }),
    fields: ['Texts are kept for', 'At least', 'Reason', 'Largest file of evidence'],
  },
  { file: 'pages/start/start-page.tsx', at: 'start', fields: ['Application'] },
  { file: 'pages/device/device-page.tsx', at: 'device', fields: ['Code'] },
];

/** Those for somebody who is not. */
const SIGN_IN: readonly Form[] = [
  { file: 'session/sign-in-form.tsx', at: 'members', fields: ['Workspace', 'Name', 'Password'] },
  {
    file: 'session/link-form.tsx',
    at: 'members',
    open: click('I have a one-time link'),
    fields: ['One-time link', 'New password', 'New password again'],
  },
];

/** Tests of hostile texts that somebody types, in each field there is. */
export function testFields(open: () => HostileConsole): void {
  it('have a field of every file of the sources that has one', async () => {
    const files = (await readdir(SOURCES, { recursive: true })).filter((file) => file.endsWith('.tsx'));
    const texts = await Promise.all(files.map((file) => readFile(join(SOURCES, file), 'utf8')));
    const tested = new Set([...listForms({ record: '', run: '' }), ...SIGN_IN].map(({ file }) => file));
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

    it.each(listForms({ record: '', run: '' }).map(({ file, at }, n) => [file, at.split('/')[0] ?? '', n] as const))(
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
