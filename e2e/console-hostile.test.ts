import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from './support/browser.ts';
import type { TestConsole } from './support/console.ts';
import { findRanMarkup } from './support/find-ran-markup.ts';
import { HOSTILE_TEXTS } from './support/hostile-texts.ts';
import { answerSpan, OTEL, span } from './support/otlp.ts';
import { until } from './support/service-process.ts';
import { addDeadLetter } from './support/tenants.ts';
import type { TestService } from './support/test-service.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

/** Characters that turn or hide what stands beside them; pages show them by their numbers. */
const ACTING = /(?![\t\n])[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;
/** No field takes these: PostgreSQL keeps neither, and no encoding has the second. */
const isRefused = (text: string) => text.includes('\0') || !text.isWellFormed();
const JSON_TEXTS = HOSTILE_TEXTS.filter((text) => !isRefused(text));
const LONG = 'W'.repeat(250_000);
/** All of them in a few texts, each as long as a comment may be. */
const CHUNKS = chunksOf(JSON_TEXTS, 1_900);

describeInBrowser('hostile texts in every field', () => {
  let watched: WatchedConsole;
  let service: TestService;
  let site: TestConsole;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    watched = await openWatchedConsole({ rita: 'manager' });
    ({ service, site, page } = watched);
    const settings = { answer_audit_store_question_text: true, answer_audit_store_answer_text: true };
    await service.call('PATCH', '/api/tenant/settings', { body: settings });
    page.on('console', (message) => {
      // A refused request is what the page shows; everything else that Chromium complains of is a fault of the page.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text());
    });
    await watched.enter('', 'rita');
    await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
  }, 120_000);
  afterAll(() => watched.close());

  /** Sends a text in each of these fields; one that refuses it keeps its harmless value. The fields that took it. */
  async function put(path: string, base: object, texts: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
    const reply = await service.call('POST', path, { body: { ...base, ...texts } });
    if (reply.status === 201 || reply.status === 202 || reply.status === 200) return Object.keys(texts);
    expect([400, 422]).toContain(reply.status);
    const refused = new Set((reply.body.errors ?? []).map((error: any) => error.pointer.split('/')[1]));
    const rest = Object.fromEntries(Object.entries(texts).filter(([field]) => !refused.has(field)));
    if (refused.size === 0 || Object.keys(rest).length === 0) return [];
    return put(path, base, rest);
  }

  /** Reads a page and those after it, each held to the same rules; what every text of a tenant on them shows. */
  async function walk(path: string, heading: string): Promise<ReadonlySet<string>> {
    const shown = new Set<string>();
    await page.goto(site.url + path);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page.locator('tbody tr, .wrapped').first().waitFor();
    // The head of a page may be there before its list is.
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    for (;;) {
      await inspect(path);
      for (const text of await page.locator('.wrapped').evaluateAll((all) => all.map((one) => one.textContent ?? '')))
        shown.add(bare(text));
      const next = page.getByRole('button', { name: 'Next page' });
      if ((await next.count()) === 0 || (await next.isDisabled())) return shown;
      const before = await page.locator('tbody').innerText();
      await next.click();
      await page.waitForFunction((text) => {
        const rows = document.querySelector<HTMLElement>('table[aria-busy=false] tbody');
        return rows !== null && rows.innerText !== text;
      }, before);
    }
  }

  /** Nothing ran, nothing acts on what is beside it, nothing is wider than the page, and it is still the same page. */
  async function inspect(path: string): Promise<void> {
    expect([path, await findRanMarkup(page)]).toEqual([path, []]);
    expect(new URL(page.url()).pathname).toBe(`/console/${path.split('?')[0]}`);
  }

  /** A text without characters that act, and without the numbers that pages show for them. */
  const bare = (text: string) => text.replaceAll(ACTING, '').replaceAll(/U\+(?:E0[\dA-F]{3}|[\dA-F]{4})/g, '');
  const expectShown = (shown: ReadonlySet<string>, texts: readonly string[]) =>
    expect(texts.filter((text) => !shown.has(bare(text))).slice(0, 9)).toEqual([]);

  it('are at least two hundred, each another one', () => {
    expect(new Set(HOSTILE_TEXTS).size).toBe(HOSTILE_TEXTS.length);
    expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(200);
  });

  it('are refused where they are no text, or none that a database keeps', async () => {
    for (const text of HOSTILE_TEXTS.filter(isRefused))
      for (const [path, body] of [
        ['/api/answer-audit-logs', { application_key: 'a', question: { text }, answer: { text: 'a' } }],
        ['/api/tokens', { kind: 'user', name: text }],
        ['/api/evidence-assets', { application_key: 'a', segments: [text] }],
      ] as const)
        expect([400, 422]).toContain((await service.call('POST', path, { body })).status);
  });

  it('do nothing in the list of records, and stand there as they are', async () => {
    const record = (text: string, field: string, at: number) => ({
      application_key: field,
      environment: field,
      idempotency_key: `${field} ${at}`,
      external_message_id: field,
      external_trace_id: field,
      actor_id_hash: field,
      mode: field.slice(0, 64),
      question: { text },
      answer: { text: `${at} ${text}` },
    });
    // Fields that name something take no control character; texts do.
    const taken = JSON_TEXTS.filter((text) => !/\p{Cc}/u.test(text) && text.length <= 190);
    const records = JSON_TEXTS.map((text, at) => record(text, taken.includes(text) ? text : 'refused', at));
    const control = await service.call('POST', '/api/answer-audit-logs', { body: record('a', '\u001B[31m', 0) });
    expect(control.body.errors.map((error: any) => error.pointer)).toHaveLength(7);
    const reply = await service.call('POST', '/api/answer-audit-logs/batch', { body: { records } });
    expect([reply.status, reply.body?.errors]).toEqual([200, undefined]);
    expect(reply.body.results.filter((result: any) => result.outcome !== 'created')).toEqual([]);
    expect(taken.length).toBeGreaterThan(150);
    expectShown(await walk('records', 'Records'), taken);
  }, 120_000);

  it('do nothing on the page of a record, revealed, corrected and redacted', async () => {
    const refs = JSON_TEXTS.map((text, at) => ({ source_ref_id: `s${at}`, title: text, url: text, [text]: text }));
    const body = {
      application_key: 'record-bot',
      question: { text: JSON_TEXTS.join('\n') },
      answer: { text: LONG },
      source_refs: refs.slice(0, 150),
      semantic_refs: refs.slice(150),
    };
    const made = await service.call('POST', '/api/answer-audit-logs', { body });
    expect([made.status, made.body?.errors]).toEqual([201, undefined]);
    const path = `/api/answer-audit-logs/${made.body.id}/events`;
    const corrected = { corrected_answer_text: JSON_TEXTS.join(' ') };
    const reasons = [JSON_TEXTS.slice(0, 80), JSON_TEXTS.slice(80, 160), JSON_TEXTS.slice(160)].map((some) =>
      some.join(' ').slice(0, 900),
    );
    for (const reason of reasons) {
      const event = { event_type: 'correction_appended', reason, payload: corrected };
      expect((await service.call('POST', path, { body: event })).status).toBe(200);
    }
    const at = `records/${made.body.id}`;
    const shown = await walk(at, 'Record');
    expectShown(shown, [...JSON_TEXTS.filter((text) => text.length < 600), ...reasons]);
    await page.getByRole('button', { name: 'Show the texts' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill(ELSEWHERE);
    await page.getByRole('dialog').getByRole('button', { name: 'Read the texts' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const question = await page.getByRole('region', { name: 'Question', exact: true }).textContent();
    expect(bare(question ?? '')).toBe(bare(JSON_TEXTS.join('\n')));
    await inspect(at);
    await page.setViewportSize({ width: 390, height: 800 });
    await inspect(at);
    await page.setViewportSize({ width: 1280, height: 900 });
  }, 120_000);

  it('do nothing in the list of tokens', async () => {
    const taken: string[] = [];
    for (const text of JSON_TEXTS) {
      const base = { kind: 'application', name: 'refused', application_key: 'refused', scopes: ['answer_audit:read'] };
      const fields = await put('/api/tokens', base, { name: text, application_key: text });
      if (fields.length > 0) taken.push(text);
    }
    expect(taken.length).toBeGreaterThan(150);
    expectShown(await walk('tokens', 'Tokens'), taken);
  }, 120_000);

  it('do nothing in findings and the list of runs', async () => {
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
    await page.goto(`${site.url}reconciliation/${run.body.id}`);
    await page
      .getByRole('row', { name: /Missing/ })
      .first()
      .waitFor();
    expectShown(await walk(`reconciliation/${run.body.id}`, 'Run'), texts);
    expectShown(await walk('reconciliation', 'Reconciliation'), [ELSEWHERE]);
    for (const text of CHUNKS) {
      const step = { action: 'comment', text };
      const taken = await service.call('POST', `/api/reconciliations/runs/${run.body.id}/triage/0/steps`, {
        body: step,
      });
      expect(taken.status).toBe(200);
    }
    await page.goto(`${site.url}reconciliation/${run.body.id}?finding=0`);
    const steps = page.getByRole('dialog').getByRole('listitem');
    await steps.nth(CHUNKS.length - 1).waitFor();
    const comments = (await steps.allTextContents()).map(bare).join('\n');
    expect(CHUNKS.filter((text) => !comments.includes(bare(text)))).toEqual([]);
    await inspect(`reconciliation/${run.body.id}`);
  }, 120_000);

  it('do nothing in the preview of a list, in the names of its columns, and in what is wrong with it', async () => {
    await page.goto(`${site.url}reconciliation/new`);
    const rows = JSON_TEXTS.slice(0, 40).map((text) => JSON.stringify({ [text]: text, id: text, at: text }));
    const buffer = Buffer.from(rows.join('\n'));
    await page.locator('input[type=file]').setInputFiles({ name: '<img src=x>.jsonl', mimeType: 'a/b', buffer });
    await page.getByText('The first 5 of 40 rows').waitFor();
    await page.getByText('Row 1: occurred_at').waitFor();
    await inspect('reconciliation/new');
  });

  it('do nothing in the list of evidence, in passages, attributes and purposes', async () => {
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
    await page.goto(site.url + at);
    await page.getByRole('button', { name: 'Read the passages' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill(ELSEWHERE);
    await page.getByRole('dialog').getByRole('button', { name: 'Read the passages' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('{{7*7}}').last().waitFor();
    await inspect(at);
  }, 120_000);

  it('do nothing where OpenTelemetry left no record of what it sent, and beside the records that it does not match', async () => {
    const names = JSON_TEXTS.filter((text) => !/\p{Cc}/u.test(text) && text.length <= 190);
    const resourceSpans = names.map((text, at) => ({
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
        return items.length >= Math.min(names.length, 150);
      });
      const { items } = (await service.call('GET', path)).body;
      const taken = items.map((item: any) => item.application_key).filter((text: string) => names.includes(text));
      expect(taken.length).toBeGreaterThanOrEqual(150);
      expectShown(await walk(`opentelemetry?view=${view}`, 'OpenTelemetry'), taken);
    }
  }, 120_000);

  it('do nothing in the log of the workspace', async () => {
    const { items } = (await service.call('GET', '/api/answer-audit-logs?size=1')).body;
    for (const reason of [JSON_TEXTS.slice(0, 100), JSON_TEXTS.slice(100)].map((some) => some.join(' ').slice(0, 490)))
      await put(`/api/answer-audit-logs/${items[0].id}/reveal`, { reason_code: 'other' }, { reason });
    const issued = (await service.call('GET', '/api/tokens?size=200')).body.items;
    const shown = await walk('log?type=token_issued', 'Log');
    expectShown(
      shown,
      issued.map(({ name }: any) => name),
    );
    await walk('log?type=texts_revealed', 'Log');
    await walk(`records/${items[0].id}`, 'Record');
  }, 120_000);

  it('do nothing as the words of work that was given up, and of programs that want to sign in', async () => {
    const { workspace } = (await service.call('GET', '/api/whoami')).body;
    for (const text of CHUNKS) await addDeadLetter(service, workspace.id, text);
    const shown = await walk('opentelemetry?view=given-up', 'OpenTelemetry');
    expectShown(shown, CHUNKS);
    for (const text of JSON_TEXTS.filter((one) => !/\p{Cc}/u.test(one) && one.length <= 100).slice(0, 5)) {
      const asked = await service.call('POST', '/api/auth/device', { token: null, body: { client_name: text } });
      await page.goto(`${site.url}device`);
      await page.getByRole('textbox', { name: 'Code' }).fill(asked.body.user_code);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Deny' }).waitFor();
      expect((await page.locator('main .wrapped').allTextContents()).map(bare)).toContain(bare(text));
      await inspect('device');
    }
  }, 120_000);

  it('do nothing in the policy, its change and its entry of the log', async () => {
    const policy = (await service.call('GET', '/api/trust/policy')).body;
    const comments = JSON_TEXTS.filter((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && text.length < 200);
    const witness_policy = `${comments.map((text) => `# ${text}`).join('\n')}\nquorum none\n`;
    const { version: _, ...rest } = policy;
    const saved = await service.call('PUT', '/api/trust/policy', { body: { ...rest, witness_policy } });
    expect([saved.status, saved.body?.errors]).toEqual([200, undefined]);
    await page.goto(`${site.url}trust`);
    const text = page.getByRole('textbox', { name: 'Witnesses' });
    await text.fill(`# ${ELSEWHERE}\nquorum none\n`);
    await page
      .locator('del')
      .nth(comments.length - 1)
      .waitFor();
    await inspect('trust');
    await page.goto(`${site.url}log?type=trust_policy_changed`);
    await page.locator('tbody tr').first().getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Entry of the log' }).waitFor();
    await page.getByRole('cell').first().waitFor();
    expect(await findRanMarkup(page)).toEqual([]);
  }, 120_000);

  it('do nothing as the names of views that a browser kept', async () => {
    await page.goto(`${site.url}records`);
    const views = JSON_TEXTS.map((text, at) => ({ name: `${at} ${text}`.slice(0, 100), search: { mode: text } }));
    const { workspace } = (await service.call('GET', '/api/whoami')).body;
    await page.evaluate(
      ([key, value]) => localStorage.setItem(key ?? '', value ?? ''),
      [`answer-evidence.views.${workspace.id}`, JSON.stringify(views)],
    );
    await page.reload();
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('menuitem').nth(views.length).waitFor();
    await inspect('records');
    await page.getByRole('menuitem', { name: 'Remove all views' }).click();
  });

  describe('in addresses', () => {
    it('do nothing as filters, as ids and as pages that are not there', async () => {
      const texts = [ELSEWHERE, '"><script>alert(1)</script>', '{{7*7}}', 'javascript:alert(1)', '\u202Egpj'];
      const query = texts.map((text) => encodeURIComponent(text)).join('');
      const filters = ['records?external_message_id', 'evidence?name', 'log?answer_log_id', 'tokens?status'].concat([
        'reconciliation?application_key',
        'opentelemetry?view=ignored&application_key',
        'opentelemetry?view',
      ]);
      const places = ['records', 'evidence', 'log', 'reconciliation'].map((page) => `${page}/${query}`);
      for (const path of [...filters.map((name) => `${name}=${query}`), ...places, query]) {
        await page.goto(site.url + path);
        await page.getByRole('heading').or(page.getByRole('alert')).first().waitFor();
        expect([path, await findRanMarkup(page)]).toEqual([path, []]);
      }
    });
  });

  it('are no formulas in the export for spreadsheets', async () => {
    const { status, text } = await service.call('GET', '/api/answer-audit-logs/export?format=csv');
    expect(status).toBe(200);
    const cells = [...text.matchAll(/(?<=^|,|\n)(?:"((?:[^"]|"")*)"|([^",\n]*))/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    );
    expect(cells.filter((cell) => cell.includes('evil.example')).length).toBeGreaterThan(20);
    expect(cells.filter((cell) => /^[=+\-@\t\r\n＝＋]./.test(cell))).toEqual([]);
  });

  it('ran nothing, asked no other host, and made Chromium complain of nothing', () => {
    expect(watched.faults).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

/** One that a form takes, too. */
const ELSEWHERE = '<img src=https://evil.example/x onerror=alert(1)> {{7*7}} =1+1';

/** A trace of its own for each. */
function traceOf(kind: number, at: number): string {
  return `${kind}${at.toString(16).padStart(31, '0')}`;
}

function chunksOf(texts: readonly string[], lengthMax: number): readonly string[] {
  const chunks: string[] = [];
  let chunk = '';
  for (const text of texts.filter(({ length }) => length < lengthMax)) {
    if (chunk.length + text.length + 1 > lengthMax) {
      chunks.push(chunk.trim());
      chunk = '';
    }
    chunk += `${text} `;
  }
  return [...chunks, chunk.trim()];
}
