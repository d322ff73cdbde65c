import { expect, it } from '@jest/globals';
import { findRanMarkup } from '../support/find-ran-markup.ts';
import { follow } from '../support/follow-page.ts';
import type { HostileConsole } from './hostile-console.ts';
import { bare, ELSEWHERE, JSON_TEXTS, NAMES } from './texts.ts';

/** What no policy may hide in its comments. */
const HIDING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/u;

/** Tests of hostile texts in tokens, the log, the policy, sign-ins of programs, and addresses. */
export function testWorkspace(open: () => HostileConsole): void {
  it('do nothing in the list of tokens, and in the dialogs about one', async () => {
    const { site, page, put, walk, inspect, expectShown } = open();
    const taken: string[] = [];
    for (const text of JSON_TEXTS) {
      const base = { kind: 'application', name: 'refused', application_key: 'refused', scopes: ['answer_audit:read'] };
      const fields = await put('/api/tokens', base, { name: text, application_key: text });
      if (fields.length > 0) taken.push(text);
    }
    expect(taken.length).toBeGreaterThan(150);
    expectShown(await walk('tokens', 'Tokens'), taken);
    const one = { kind: 'application', application_key: 'one-bot', scopes: ['answer_audit:create'] };
    await put('/api/tokens', one, { name: 'gpj <b>' });
    await page.goto(`${site.url}tokens`);
    for (const action of ['Rotate', 'Revoke']) {
      await page.getByRole('button', { name: `${action} gpj <b>` }).click();
      await page.getByRole('dialog').getByText('gpj <b>').waitFor();
      await inspect('tokens');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  }, 120_000);

  it('do nothing in the log of the workspace', async () => {
    const { service, put, walk, expectShown } = open();
    const body = { application_key: 'log-bot', question: { text: 'q' }, answer: { text: 'a' } };
    const { id } = (await service.call('POST', '/api/answer-audit-logs', { body })).body;
    for (const reason of [JSON_TEXTS.slice(0, 100), JSON_TEXTS.slice(100)].map((some) => some.join(' ').slice(0, 490)))
      await put(`/api/answer-audit-logs/${id}/reveal`, { reason_code: 'other' }, { reason });
    const issued = (await service.call('GET', '/api/tokens?size=200')).body.items;
    const shown = await walk('log?type=token_issued', 'Log');
    expectShown(
      shown,
      issued.map(({ name }: any) => name),
    );
    await walk('log?type=texts_revealed', 'Log');
    await walk(`records/${id}`, '·');
  }, 120_000);

  it('do nothing as the names of programs that want to sign in', async () => {
    const { service, site, page, inspect } = open();
    const acting = NAMES.filter((text) => bare(text) !== text);
    for (const text of [...acting, ...NAMES.slice(0, 3)].filter(({ length }) => length <= 100)) {
      const asked = await service.call('POST', '/api/auth/device', { token: null, body: { client_name: text } });
      if (asked.status === 422) continue;
      await follow(page, site, 'device');
      await page.getByRole('textbox', { name: 'Code' }).fill(asked.body.user_code);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Deny' }).waitFor();
      expect((await page.locator('main .wrapped').allTextContents()).map(bare)).toContain(bare(text));
      await inspect('device');
    }
  }, 120_000);

  it('do nothing in the policy, its change and its entry of the log', async () => {
    const { service, site, page, inspect } = open();
    const policy = (await service.call('GET', '/api/trust/policy')).body;
    const comments = JSON_TEXTS.filter((text) => !HIDING.test(text) && text.length < 200);
    const witness_policy = `${comments.map((text) => `# ${text}`).join('\n')}\nquorum none\n`;
    const { version: _, ...rest } = policy;
    const saved = await service.call('PUT', '/api/trust/policy', { body: { ...rest, witness_policy } });
    expect([saved.status, saved.body?.errors]).toEqual([200, undefined]);
    await follow(page, site, 'trust');
    await page.getByRole('textbox', { name: 'Witness policy' }).fill(`# ${ELSEWHERE}\nquorum none\n`);
    await page
      .locator('del')
      .nth(comments.length - 1)
      .waitFor();
    await inspect('trust');
    // What is wrong with a policy names its members.
    await page.getByRole('textbox', { name: 'Anchors in JSON' }).fill('[{"id":"here","type":"file","\u202E<b>":1}]');
    await page.getByText('U+202E<b>').first().waitFor();
    await inspect('trust');
    await follow(page, site, 'log?type=trust_policy_changed');
    await page.locator('tbody tr').first().getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Entry of the log' }).waitFor();
    await page.getByRole('cell').first().waitFor();
    await inspect(new URL(page.url()).pathname.slice('/console/'.length));
  }, 120_000);

  it('do nothing in addresses: as filters, as ids and as pages that are not there', async () => {
    const { site, page } = open();
    const texts = [ELSEWHERE, '"><script>alert(1)</script>', '{{7*7}}', 'javascript:alert(1)', '\u202Egpj'];
    const query = texts.map((text) => encodeURIComponent(text)).join('');
    const filters = [
      ...['records?external_message_id', 'evidence?name', 'log?answer_log_id', 'tokens?status', 'members?cursor'],
      ...['reconciliation?application_key', 'opentelemetry?view=ignored&application_key', 'opentelemetry?view'],
    ];
    const places = ['records', 'evidence', 'log', 'reconciliation'].map((at) => `${at}/${query}`);
    for (const path of [...filters.map((name) => `${name}=${query}`), ...places, query]) {
      await page.goto(site.url + path);
      await page.getByRole('heading').or(page.getByRole('alert')).first().waitFor();
      expect([path, await findRanMarkup(page)]).toEqual([path, []]);
    }
  });
}
