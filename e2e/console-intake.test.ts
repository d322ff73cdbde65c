import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { answerSpan, OTEL, span, traces } from '../tools/scenery/otlp.ts';
import { until } from '../tools/scenery/service-process.ts';
import { addDeadLetter } from '../tools/scenery/tenants.ts';
import { answer, type TestService } from '../tools/scenery/test-service.ts';
import { findBarriers, PASSWORD, type TestConsole } from './support/console.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

const HOSTILE = 'read <img src=x onerror=alert(1)> \u202Egnp';

describeInBrowser('what comes into the service, in the console', () => {
  let watched: WatchedConsole;
  let service: TestService;
  let site: TestConsole;
  let page: Page;

  beforeAll(async () => {
    watched = await openWatchedConsole({ rita: 'manager', max: 'member' });
    ({ service, site, page } = watched);
    await watched.enter('evidence', 'rita');
  }, 90_000);
  afterAll(() => watched.close());

  const button = (name: string) => watched.button(name);
  const dialog = () => watched.dialog();
  const look = (name: string) => watched.look(name);
  async function call(status: number, method: string, path: string, body?: object) {
    const reply = await service.call(method, path, body === undefined ? {} : { body });
    expect([method, path, reply.status]).toEqual([method, path, status]);
    return reply.body;
  }

  describe('evidence', () => {
    let assetId = '';

    it('is uploaded with the hash of the browser, and says what it was kept as', async () => {
      await page.getByText('No evidence is kept yet').waitFor();
      await look('evidence-empty');
      await page.getByRole('link', { name: 'Upload a file' }).click();
      const buffer = Buffer.from(`${HOSTILE}\n\nThe second passage.\n`);
      await page.locator('input[type=file]').setInputFiles({ name: 'terms.txt', mimeType: 'image/png', buffer });
      await page.getByRole('textbox', { name: 'Record id' }).fill('no record');
      await page.getByRole('textbox', { name: 'Application', exact: true }).fill('support-bot');
      await button('Upload').click();
      await page.getByRole('alert').getByText('That did not work').waitFor();
      await look('evidence-upload-refused');
      await page.getByRole('textbox', { name: 'Record id' }).fill('');
      await button('Upload').click();
      await page.getByText('The file is kept').waitFor();
      await page.getByText('the service received the same bytes').waitFor();
      await look('evidence-upload');
      const { items } = await call(200, 'GET', '/api/evidence-assets');
      expect(items).toMatchObject([{ name: 'terms.txt', segment_count: 2, content_type: 'text/plain' }]);
      assetId = items[0].id;
    });

    it('says how much of it is sent, and is stopped on the way', async () => {
      const devtools = await watched.context.newCDPSession(page);
      const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 50_000 };
      await devtools.send('Network.enable');
      await devtools.send('Network.emulateNetworkConditions', slow);
      const buffer = Buffer.alloc(2_000_000, 'a line of a large file\n');
      await page.locator('input[type=file]').setInputFiles({ name: 'large.txt', mimeType: 'text/plain', buffer });
      await button('Upload').click();
      await page.getByRole('progressbar', { name: 'Progress of the upload' }).waitFor();
      await page
        .getByRole('status')
        .getByText(/^[1-9]\d? % sent$/)
        .waitFor();
      await button('Stop').click();
      await page.getByText('The upload was stopped.').waitFor();
      await devtools.detach();
      expect((await call(200, 'GET', '/api/evidence-assets')).items).toHaveLength(1);
      await page.goto(`${site.url}evidence`);
    });

    it('shows nothing of itself before a reader says why, and then what it is, as text', async () => {
      await page.getByRole('link', { name: 'terms.txt' }).click();
      await page.getByText('2 passages are kept').waitFor();
      await page.getByText('Nobody has looked at it yet').waitFor();
      expect(await page.content()).not.toContain('second passage');
      await button('Read the passages').click();
      await dialog().getByText('The log keeps that you looked at it').waitFor();
      expect(await dialog().getByRole('button', { name: 'Read the passages' }).isDisabled()).toBe(true);
      await look('evidence-purpose');
      await dialog().getByRole('textbox', { name: 'Reason' }).fill('a complaint, ticket 7');
      await dialog().getByRole('button', { name: 'Read the passages' }).click();
      await page.getByText('The second passage.').waitFor();
      await page.getByText('read <img src=x onerror=alert(1)> U+202Egnp').waitFor();
      await page.getByRole('cell', { name: 'a complaint, ticket 7' }).waitFor();
      await page.getByRole('cell', { name: /^rita/ }).waitFor();
      await look('evidence-passages');
      await button('Hide the passages').click();
      expect(await page.content()).not.toContain('second passage');
      const saved = page.waitForEvent('download');
      await button('Download the original').click();
      await dialog().getByRole('textbox', { name: 'Reason' }).fill('for the auditor');
      await dialog().getByRole('button', { name: 'Download the original' }).click();
      expect((await saved).suggestedFilename()).toBe('terms.txt');
      const { items } = await call(200, 'GET', `/api/evidence-assets/${assetId}/accesses`);
      expect(items.map((one: { access: string; purpose: string }) => [one.access, one.purpose])).toEqual([
        ['download', 'for the auditor'],
        ['retrieve', 'a complaint, ticket 7'],
      ]);
    });

    it('is read passage by passage, where an access names some', async () => {
      const whole = await call(200, 'POST', `/api/evidence-assets/${assetId}/retrieve`, {});
      const named = { segment_ids: [whole.segments[1].segment_id], purpose: 'one of two' };
      await call(200, 'POST', `/api/evidence-assets/${assetId}/retrieve`, named);
      await page.reload();
      await page
        .getByRole('row', { name: /one of two/ })
        .getByRole('button', { name: 'Read these' })
        .click();
      await dialog().getByRole('textbox', { name: 'Reason' }).fill('only what was used');
      await dialog().getByRole('button', { name: 'Read this passage' }).click();
      await page.getByText('The second passage.').waitFor();
      expect(await page.getByText('onerror').count()).toBe(0);
      const { items } = await call(200, 'GET', `/api/evidence-assets/${assetId}/accesses?size=1`);
      expect(items[0]).toMatchObject({ purpose: 'only what was used', segment_ids: named.segment_ids });
    });

    it('is redacted with the record that used it, after its consequences and who else holds it', async () => {
      const upload = {
        application_key: 'other-bot',
        content_base64: Buffer.from(`${HOSTILE}\n\nThe second passage.\n`).toString('base64'),
      };
      const twin = await call(201, 'POST', '/api/evidence-assets', upload);
      const used = await call(200, 'POST', `/api/evidence-assets/${assetId}/retrieve`, { purpose: 'answer' });
      const record = await call(
        201,
        'POST',
        '/api/answer-audit-logs',
        answer('a question', 'an answer', {
          application_key: 'support-bot',
          source_refs: [used.source_ref],
          evidence_access_event_ids: [used.access_event_id],
        }),
      );
      await page.goto(`${site.url}evidence/${assetId}`);
      await button(`Redact ${record.id} and what it used of this evidence`).click();
      await dialog().getByText('Gone for good: every passage').waitFor();
      await dialog().getByRole('link', { name: twin.id }).waitFor();
      await look('evidence-redact');
      await dialog().getByRole('textbox', { name: 'Reason' }).fill('personal data');
      await call(200, 'POST', `/api/answer-audit-logs/${record.id}/events`, { event_type: 'voided', reason: 'wrong' });
      await dialog().getByRole('button', { name: 'Erase for good' }).click();
      await dialog().getByText('Somebody changed this record').waitFor();
      await dialog().getByRole('button', { name: 'Erase for good' }).click();
      await page.getByText('The bytes of the original stay for the other evidence').waitFor();
      await page.getByText('Its name was erased.').waitFor();
      await look('evidence-redacted');
      await page.getByRole('link', { name: record.id }).first().click();
      await page.getByRole('link', { name: 'Evidence of this record' }).click();
      await page.getByRole('link', { name: assetId }).click();
      const asset = await call(200, 'GET', `/api/evidence-assets/${assetId}`);
      expect(asset).toMatchObject({ state: 'redacted', original: 'erased', name: null });
      await button('Read the passages').click();
      await dialog().getByRole('textbox', { name: 'Reason' }).fill('to see what is left');
      await dialog().getByRole('button', { name: 'Read the passages' }).click();
      await page.getByText('Erased. Its hash stays in the log.').first().waitFor();
      expect((await call(200, 'GET', `/api/evidence-assets/${twin.id}`)).original).toBe('stored');
    });

    it('is found by its hash, its record and its state, which are in the address', async () => {
      await page.goto(`${site.url}evidence`);
      await page.getByLabel('Status').selectOption('redacted');
      await button('Search').click();
      await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: assetId }).waitFor();
      expect(new URL(page.url()).search).toBe('?state=redacted');
      await look('evidence');
      await page.getByLabel('Search for').fill('0'.repeat(64));
      await button('Search').click();
      await page.getByText('No evidence matches').waitFor();
      await page.getByLabel('Search for').fill('no hash');
      await button('Search').click();
      await page.getByRole('alert').getByText('?content_hash').waitFor();
    });

    it('shows members everything but who looked at it, and nothing that only managers do', async () => {
      const narrow = await watched.openPage({ locale: 'de-DE', viewport: { width: 390, height: 844 } });
      await narrow.goto(`${site.url}evidence/${assetId}`);
      await narrow.locator('input').nth(0).fill(service.workspace);
      await narrow.locator('input').nth(1).fill('max');
      await narrow.locator('input[type=password]').fill(PASSWORD);
      await narrow.keyboard.press('Enter');
      await narrow.getByText('Wer es wann und warum angesehen hat, sehen Verwalter und Auditoren.').waitFor();
      expect(await findBarriers(narrow)).toEqual([]);
      const width = await narrow.evaluate<number>('document.documentElement.scrollWidth');
      expect(width).toBeLessThanOrEqual(390);
      await narrow.goto(`${site.url}opentelemetry?view=given-up`);
      await narrow.getByText('Ihre Rolle').waitFor();
      expect(await findBarriers(narrow)).toEqual([]);
      await narrow.context().close();
    });
  });

  describe('OpenTelemetry', () => {
    beforeAll(async () => {
      const recorded = answer('the question 0', 'what was said', { idempotency_key: 'mismatch' });
      await call(201, 'POST', '/api/answer-audit-logs', { ...recorded, application_key: 'otel-bot' });
      const spans = [
        answerSpan(1, 'traced'),
        answerSpan(2, 'mismatch', 'something else'),
        { ...span(3, { 'gen_ai.operation.name': 'chat', 'gen_ai.system': 'a value' }), traceId: 'd'.repeat(32) },
      ];
      await call(200, 'POST', `${OTEL}/v1/traces`, traces(spans, 'otel-bot'));
      for (const list of ['unattached', 'ignored'])
        await until(`one that is ${list}`, async () => {
          return (await call(200, 'GET', `${OTEL}/${list}`)).items.length === 1;
        });
    });
    const open = (view: string) =>
      page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).click();

    it('says which applications send, and what of it left no record and why', async () => {
      await page.goto(`${site.url}opentelemetry`);
      const row = page.getByRole('row', { name: /otel-bot/ });
      await row.getByText('0 of 2 newest').waitFor();
      await row.getByText('spans', { exact: true }).waitFor();
      await look('otel');
      await row.getByRole('link', { name: '1' }).first().click();
      await page.getByRole('cell', { name: /^no texts/ }).waitFor();
      expect(new URL(page.url()).search).toBe('?view=ignored&application_key=otel-bot');
      await page.getByText('2 attributes').click();
      await page.getByText('gen_ai.operation.name').waitFor();
      expect(await page.content()).not.toContain('a value');
      await look('otel-ignored');
      await page.getByLabel('Reason').selectOption('unrelated');
      await button('Search').click();
      await page.getByText('Nothing was ignored').waitFor();
    });

    it('leads from a record to its trace in the tool that the reader names, over HTTP alone', async () => {
      const { items } = await call(
        200,
        'GET',
        '/api/answer-audit-logs?application_key=otel-bot&idempotency_key=traced',
      );
      await page.goto(`${site.url}records/${items[0].id}`);
      const section = page.getByRole('region', { name: 'Traces' });
      await section.getByText('Where traces are shown').click();
      const template = section.getByRole('textbox', { name: 'Address of a trace' });
      await template.fill('javascript:alert("{trace_id}")');
      expect(await section.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      await template.fill('https://tracing.example/trace/{trace_id}?span={span_id}');
      await section.getByRole('button', { name: 'Save' }).click();
      const link = section.getByRole('link', { name: 'Open the trace' });
      expect(items[0].external_trace_id).toMatch(/^[0-9a-f]{32}$/);
      expect(await link.getAttribute('href')).toBe(`https://tracing.example/trace/${items[0].external_trace_id}?span=`);
      await page.goto(`${site.url}opentelemetry`);
    });

    it('names traces without a record, and the record that they do not match', async () => {
      await open('Unattached');
      await page.getByRole('cell', { name: 'mismatch', exact: true }).waitFor();
      await page.getByRole('cell', { name: /states another question or answer/ }).waitFor();
      await look('otel-unattached');
      await page.locator('tbody').getByRole('link').first().click();
      await page.getByRole('heading', { level: 1, name: '·' }).waitFor();
      await page.goBack();
    });

    it('has work that was given up tried again by managers', async () => {
      await open('Given up');
      await page.getByText('Nothing was given up').waitFor();
      const { workspace } = await call(200, 'GET', '/api/whoami');
      await addDeadLetter(service, workspace.id, HOSTILE);
      await page.reload();
      await page.getByText('read <img src=x onerror=alert(1)> U+202Egnp').waitFor();
      await look('otel-given-up');
      await button('Try again: publishing and anchoring').click();
      await page.getByText('It is tried again: publishing and anchoring').waitFor();
      await page.getByText('Nothing was given up').waitFor();
      expect((await call(200, 'GET', '/api/dead-letters')).items).toEqual([]);
    });
  });

  it('breaks no policy, asks no other host, and leaves a password, passage or purpose nowhere', async () => {
    expect(watched.faults).toEqual([]);
    const texts = ['second passage', 'ticket 7', 'personal data', 'what was said', 'a value'];
    expect(await watched.findLeaks([PASSWORD, service.managerToken, ...texts])).toEqual([]);
  });
});
