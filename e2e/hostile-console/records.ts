import { expect, it } from '@jest/globals';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import type { HostileConsole } from './hostile-console.ts';
import { bare, ELSEWHERE, isRefused, JSON_TEXTS, LONG, NAMES } from './texts.ts';

/** Tests of hostile texts in records: their list, one of them, and their export. */
export function testRecords(open: () => HostileConsole): void {
  it('are refused where they are no text, or none that a database keeps', async () => {
    const { service } = open();
    for (const text of HOSTILE_TEXTS.filter(isRefused))
      for (const [path, body] of [
        ['/api/answer-audit-logs', { application_key: 'a', question: { text }, answer: { text: 'a' } }],
        ['/api/tokens', { kind: 'user', name: text }],
        ['/api/evidence-assets', { application_key: 'a', segments: [text] }],
      ] as const)
        expect([400, 422]).toContain((await service.call('POST', path, { body })).status);
  });

  it('do nothing in the list of records, and stand there as they are', async () => {
    const { service, walk, expectShown } = open();
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
    const records = JSON_TEXTS.map((text, at) => record(text, NAMES.includes(text) ? text : 'refused', at));
    const control = await service.call('POST', '/api/answer-audit-logs', { body: record('a', '\u001B[31m', 0) });
    expect(control.body.errors.map((error: any) => error.pointer)).toHaveLength(7);
    const reply = await service.call('POST', '/api/answer-audit-logs/batch', { body: { records } });
    expect([reply.status, reply.body?.errors]).toEqual([200, undefined]);
    expect(reply.body.results.filter((result: any) => result.outcome !== 'created')).toEqual([]);
    expect(NAMES.length).toBeGreaterThan(150);
    expectShown(await walk('records', 'Records'), NAMES);
  }, 120_000);

  it('do nothing on the page of a record, revealed, corrected and redacted', async () => {
    const { service, page, walk, inspect, expectShown } = open();
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
    const shown = await walk(at, '·');
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
    await page.getByRole('button', { name: 'Change the state' }).click();
    await page.getByRole('menuitem', { name: 'Redact the record' }).click();
    await page.getByRole('dialog').getByRole('checkbox').nth(149).waitFor();
    await inspect(at);
  }, 120_000);

  it('do nothing as the names of views that members share', async () => {
    const { service, site, page, inspect } = open();
    const names = NAMES.map((text, at) => `${at} ${text}`.slice(0, 100));
    const taken: string[] = [];
    for (const name of names) {
      const { status } = await service.call('POST', '/api/search/views', {
        body: { name, filters: { mode: name.slice(0, 64) } },
      });
      // Names that hide characters are refused.
      expect([201, 422]).toContain(status);
      if (status === 201) taken.push(name);
    }
    expect(taken.length).toBeGreaterThan(50);
    await page.goto(`${site.url}records`);
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('menuitem').nth(taken.length).waitFor();
    await inspect('records');
    await page.keyboard.press('Escape');
  }, 120_000);

  it('do nothing while somebody browses with texts, and in the panel at the side', async () => {
    const { site, page, inspect } = open();
    await page.goto(`${site.url}records`);
    await page.getByRole('button', { name: 'Browse with texts' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill(JSON_TEXTS.join(' ').slice(0, 400));
    await page.getByRole('dialog').getByRole('button', { name: 'Show the texts' }).click();
    await page.getByText('Question:').first().waitFor();
    await page.locator('tbody tr[tabindex]').first().focus();
    await page.keyboard.press('e');
    await page.getByRole('complementary', { name: 'Record at the side' }).waitFor();
    await inspect('records');
  }, 120_000);

  it('are no formulas in the export for spreadsheets', async () => {
    const { status, text } = await open().service.call('GET', '/api/answer-audit-logs/export?format=csv');
    expect(status).toBe(200);
    const cells = [...text.matchAll(/(?<=^|,|\n)(?:"((?:[^"]|"")*)"|([^",\n]*))/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    );
    expect(cells.filter((cell) => cell.includes('evil.example')).length).toBeGreaterThan(20);
    expect(cells.filter((cell) => /^[=+\-@\t\r\n＝＋]./.test(cell))).toEqual([]);
  });
}
