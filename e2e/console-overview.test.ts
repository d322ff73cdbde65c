import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DEFAULT_TRUST_POLICY } from '@answer-evidence/contracts';
import { openTestAuthority, type TestAuthority } from '@answer-evidence/testing';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { until } from '../tools/scenery/service-process.ts';
import { answer, type TestService } from '../tools/scenery/test-service.ts';
import { findBarriers, signInAs } from './support/console.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

/** A name that a page must only ever show. */
const APPLICATION = '<img src=x onerror=alert(1)>';
const NOTICED_MS = 60_000;
/** Anchors, runs and a browser, on a machine that does other things as well. */
const SLOW_MS = 180_000;

describeInBrowser('the overview, in the console', () => {
  let watched: WatchedConsole;
  let service: TestService;
  let authority: TestAuthority;

  beforeAll(async () => {
    authority = await openTestAuthority();
    watched = await openWatchedConsole(
      { rita: 'manager', max: 'member' },
      { environment: { SERVICE_OUTBOUND_ALLOW: '127.0.0.1:*' } },
    );
    ({ service } = watched);
    const body = {
      ...DEFAULT_TRUST_POLICY,
      checkpoint_interval_seconds: 1,
      anchors: [{ id: 'tsa', type: 'rfc3161', url: authority.url, certificate_pem: authority.rootPem, required: true }],
      anchors_required: 1,
    };
    const { status } = await service.call('PUT', '/api/trust/policy', { body });
    expect(status).toBe(200);
  }, 120_000);
  afterAll(async () => {
    await watched.close();
  });

  const read = async (query = '') => (await service.call('GET', `/api/overview${query}`)).body;
  const record = (key: string) =>
    service.call('POST', '/api/answer-audit-logs', {
      body: answer(`question ${key}`, 'an answer', { application_key: APPLICATION, idempotency_key: key }),
    });

  it(
    'has a stopped required anchor and seven missing answers first within a minute, with the way to solve them',
    async () => {
      for (const key of ['one', 'two', 'three']) await record(key);
      const anchored = async () => ((await read()).log.anchored_size as number) > 0;
      await service.call('POST', '/api/trust/anchors/run', { body: {} });
      await until('the anchor', anchored);
      await authority.close();
      const stoppedAt = Date.now();
      await record('four');
      const at = (millis: number) => new Date(Date.now() + millis).toISOString();
      const left = Array.from({ length: 7 }, (_, n) => `left out ${n}`);
      await service.call('POST', '/api/reconciliations/runs', {
        body: {
          ...{ application_key: APPLICATION, match_on: 'idempotency_key', max_lateness_seconds: 0 },
          ...{ window_start: at(-3_600_000), window_end: at(0) },
          references: ['one', 'two', ...left].map((id) => ({ reference_id: id, occurred_at: at(-1_000) })),
        },
      });
      await service.call('POST', '/api/trust/anchors/run', { body: {} });
      await until('both, first', async () => {
        const kinds = (await read()).attention.map(({ kind }: { kind: string }) => kind);
        return kinds[0] === 'answers_missing' && kinds[1] === 'anchor_failing';
      });
      expect(Date.now() - stoppedAt).toBeLessThan(NOTICED_MS);
      const page = await watched.openPage();
      await page.goto(watched.site.url);
      await signInAs(page, service, 'rita');
      const items = page.getByRole('region', { name: 'What needs you' }).getByRole('listitem');
      // The page asks again by itself.
      const texts = async () => items.allInnerTexts();
      await until('both', async () => {
        const [first = '', second = ''] = await texts();
        return first.includes('7 answers') && second.includes('The anchor tsa');
      });
      const [first = '', second = ''] = await texts();
      expect(first).toContain(`7 answers of ${APPLICATION} are on a list and not recorded`);
      expect(second).toContain('The anchor tsa does not respond');
      expect(await findBarriers(page)).toEqual([]);
      await items.nth(1).getByRole('link', { name: 'Look at it' }).click();
      await page.waitForURL(/\/console\/trust$/);
      await page.goBack();
      await items.nth(0).getByRole('link', { name: 'Look at them' }).click();
      await page.waitForURL(/\/reconciliation\/[0-9a-f-]{36}\?/);
      await page.getByText('left out 0').waitFor();
      // The page of findings shows those that are missing, and nothing ran that a name of an application says.
      expect(new URL(page.url()).searchParams.get('type')).toBe('missing_service');
      await page.goBack();
      await items.filter({ hasText: 'no owner' }).getByRole('link').click();
      await page.waitForURL(/\/reconciliation\/[0-9a-f-]{36}\?/);
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ state: 'open', assignee: 'none' });
      expect(watched.faults).toEqual([]);
      await page.context().close();
    },
    SLOW_MS,
  );

  it(
    'counts answers by day and application, in a chart and in a table that leads to the records',
    async () => {
      await until('the counts', async () => (await read()).counts[0]?.recorded === 4);
      const page = await watched.openPage({ viewport: { width: 390, height: 844 } });
      await page.goto(`${watched.site.url}?days=3650`);
      await signInAs(page, service, 'rita');
      await page.getByRole('heading', { name: 'Answers per month' }).waitFor();
      await page.locator('[data-chart] svg').first().waitFor();
      // Ten years are months: a bounded number of bars.
      expect(Number(await page.locator('[data-chart]').getAttribute('data-chart'))).toBeLessThanOrEqual(122);
      await page.getByText('The same as a table').click();
      const row = page.getByRole('row', { name: APPLICATION });
      await row.waitFor();
      expect((await row.innerText()).split(/\s+/)).toEqual(expect.arrayContaining(['4', '9', '7']));
      expect(await findBarriers(page)).toEqual([]);
      const width = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      expect(width[0]).toBeLessThanOrEqual(width[1] ?? 0);
      await row.getByRole('link').click();
      await page.waitForURL(/\/records\?/);
      expect(new URL(page.url()).searchParams.get('application_key')).toBe(APPLICATION);
      expect(watched.faults).toEqual([]);
      await page.context().close();
    },
    SLOW_MS,
  );

  it(
    'shows a member what members may see, and says as of when the counts are while they wait',
    async () => {
      const page = await watched.openPage();
      await page.route('**/api/overview**', async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        await route.fulfill({ response, json: { ...body, counted: { ...body.counted, entries: 1 } } });
      });
      await page.goto(watched.site.url);
      await signInAs(page, service, 'max');
      await page.getByRole('status').filter({ hasText: 'The counts are as of' }).waitFor();
      expect(await page.getByText('texts read by people').count()).toBe(0);
      expect(watched.faults).toEqual([]);
      await page.context().close();
    },
    SLOW_MS,
  );
});
