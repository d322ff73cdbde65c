import { expect, it } from '@jest/globals';
import { answerSpan, OTEL, span } from '../../tools/scenery/otlp.ts';
import { until } from '../../tools/scenery/service-process.ts';
import { addDeadLetter } from '../../tools/scenery/tenants.ts';
import { follow } from '../support/follow-page.ts';
import type { HostileConsole } from './hostile-console.ts';
import { bare, CHUNKS, ELSEWHERE, JSON_TEXTS, LONG, NAMES } from './texts.ts';

/** Tests of hostile texts in evidence, lists, findings and OpenTelemetry. */
export function testIntake(open: () => HostileConsole): void {
  it('do nothing in findings and the list of runs', async () => {
    const { service, site, page, walk, inspect, expectShown } = open();
    const [now, minute] = [Date.now(), 60_000];
    const texts = JSON_TEXTS.filter((text) => text.search(/\p{Cc}/u) < 0 && text.length <= 200);
    const body = {
      application_key: ELSEWHERE,
      environment: 'production \u202Egpj',
      window_start: new Date(now - 30 * minute).toISOString(),
      window_end: new Date(now - minute).toISOString(),
      match_on: 'external_message_id',
      references: texts.map((text) => ({
        reference_id: text,
        occurred_at: new Date(now - 2 * minute).toISOString(),
      })),
    };
    const run = await service.call('POST', '/api/reconciliations/runs', { body });
    expect([run.status, run.body?.errors]).toEqual([202, undefined]);
    await follow(page, site, `reconciliation/${run.body.id}`);
    await page
      .getByRole('row', { name: /Missing/ })
      .first()
      .waitFor();
    expectShown(await walk(`reconciliation/${run.body.id}`, '·'), texts);
    expectShown(await walk('reconciliation', 'Reconciliation'), [ELSEWHERE]);
    for (const text of CHUNKS) {
      const step = { action: 'comment', text };
      const path = `/api/reconciliations/runs/${run.body.id}/triage/0/steps`;
      expect((await service.call('POST', path, { body: step })).status).toBe(200);
    }
    await follow(page, site, `reconciliation/${run.body.id}?finding=0`);
    const steps = page.getByRole('dialog').getByRole('listitem');
    await steps.nth(CHUNKS.length - 1).waitFor();
    const comments = (await steps.allTextContents()).map(bare).join('\n');
    expect(CHUNKS.filter((text) => !comments.includes(bare(text)))).toEqual([]);
    await inspect(`reconciliation/${run.body.id}`);
  }, 120_000);

  it('do nothing in the preview of a list, in the names of its columns, and in what is wrong with it', async () => {
    const { site, page, inspect } = open();
    await follow(page, site, 'reconciliation/new');
    const rows = JSON_TEXTS.map((text) => JSON.stringify({ [text]: text, id: text, at: text }));
    const buffer = Buffer.from(rows.join('\n'));
    await page.locator('input[type=file]').setInputFiles({ name: '<img src=x>\u202E.jsonl', mimeType: 'a/b', buffer });
    await page.getByText(`The first 5 of ${rows.length} rows`).waitFor();
    await page.getByText('Row 1: occurred_at').waitFor();
    await inspect('reconciliation/new');
    await page.setViewportSize({ width: 390, height: 800 });
    await inspect('reconciliation/new');
    await page.setViewportSize({ width: 1280, height: 900 });
    const twice = Buffer.from(`\u202E<b>,\u202E<b>\n1,2\n`);
    await page.locator('input[type=file]').setInputFiles({ name: 'twice.csv', mimeType: 'text/csv', buffer: twice });
    await page.getByText('U+202E<b>').waitFor();
    await inspect('reconciliation/new');
  });

  it('do nothing in the list of evidence, in passages, attributes and purposes', async () => {
    const { service, site, page, put, walk, inspect, expectShown } = open();
    const taken: string[] = [];
    for (const text of JSON_TEXTS) {
      const base = { application_key: 'refused', segments: ['a passage'] };
      const fields = await put('/api/evidence-assets', base, { name: text, application_key: text });
      if (fields.includes('name')) taken.push(text);
    }
    expect(taken.length).toBeGreaterThan(100);
    expectShown(await walk('evidence', 'Evidence'), taken);
    const whole = {
      application_key: ELSEWHERE,
      segments: [...JSON_TEXTS, LONG],
      attributes: Object.fromEntries(JSON_TEXTS.slice(0, 40).map((text) => [text, text])),
    };
    const made = await service.call('POST', '/api/evidence-assets', { body: whole });
    expect([made.status, made.body?.errors]).toEqual([201, undefined]);
    for (const some of [JSON_TEXTS.slice(0, 80), JSON_TEXTS.slice(80, 160), JSON_TEXTS.slice(160)])
      await put(`/api/evidence-assets/${made.body.id}/retrieve`, {}, { purpose: some.join(' ').slice(0, 900) });
    const at = `evidence/${made.body.id}`;
    await follow(page, site, at);
    await page.getByRole('button', { name: 'Read the passages' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill(ELSEWHERE);
    await page.getByRole('dialog').getByRole('button', { name: 'Read the passages' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('{{7*7}}').last().waitFor();
    await inspect(at);
  }, 120_000);

  it('do nothing where OpenTelemetry left no record, and beside the records that it does not match', async () => {
    const { service, walk, expectShown } = open();
    const resourceSpans = NAMES.map((text, at) => ({
      resource: { attributes: [{ key: 'service.name', value: { stringValue: text } }] },
      scopeSpans: [
        {
          scope: { name: text },
          spans: [
            { ...span(at, { 'gen_ai.operation.name': 'chat', [text]: text }), traceId: traceOf(1, at), name: text },
            { ...answerSpan(at, `${text} ${JSON_TEXTS.indexOf(text)}`, 'something else'), traceId: traceOf(2, at) },
          ],
        },
      ],
    }));
    const sent = await service.call('POST', `${OTEL}/v1/traces`, { body: { resourceSpans } });
    expect(sent.status).toBe(200);
    for (const [view, path] of [
      ['ignored', `${OTEL}/ignored?size=200`],
      ['unattached', `${OTEL}/unattached?size=200`],
    ] as const) {
      await until(`all are ${view}`, async () => {
        const { items } = (await service.call('GET', path)).body;
        return items.length >= Math.min(NAMES.length, 150);
      });
      const { items } = (await service.call('GET', path)).body;
      const taken = items.map((item: any) => item.application_key).filter((text: string) => NAMES.includes(text));
      expect(taken.length).toBeGreaterThanOrEqual(150);
      expectShown(await walk(`opentelemetry?view=${view}`, 'OpenTelemetry'), taken);
    }
  }, 120_000);

  it('do nothing as the words of work that was given up', async () => {
    const { service, walk, expectShown } = open();
    const { workspace } = (await service.call('GET', '/api/whoami')).body;
    for (const text of CHUNKS) await addDeadLetter(service, workspace.id, text);
    expectShown(await walk('opentelemetry?view=given-up', 'OpenTelemetry'), CHUNKS);
  }, 120_000);
}

/** A trace of its own for each. */
function traceOf(kind: number, at: number): string {
  return `${kind}${at.toString(16).padStart(31, '0')}`;
}
