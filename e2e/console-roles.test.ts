import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page, Response } from 'playwright-core';
import { MEMBER_ROLES, type MemberRole } from '@answer-evidence/contracts';
import { ACCESS_MATRIX, type Right } from '@answer-evidence/contracts/operations';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { openTenants, runRequest, type Target } from '../tools/scenery/tenants.ts';
import { answer } from '../tools/scenery/test-service.ts';
import { addMember, PASSWORD, signInAs } from './support/console.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

/** A control of a page by its name, and the right without which it is not there. What it opens is opened, too. */
type Control = readonly [name: string | RegExp, right: Right, opens?: 'dialog' | 'menu' | 'runs'];
type PageRow = {
  readonly path: (target: Target) => string;
  /** What it takes to open the page. */
  readonly right: Right;
  readonly controls: readonly Control[];
};

/** A run that misses an answer. */
let missingRunId = '';

const PAGES: Readonly<Record<string, PageRow>> = {
  overview: { path: () => '', right: 'overview', controls: [] },
  records: {
    path: () => 'records',
    right: 'records.read',
    controls: [
      ['Saved views', 'views.read', 'menu'],
      ['Browse with texts', 'texts.read', 'dialog'],
      ['Evidence pack', 'packs', 'dialog'],
      ['Export', 'records.export', 'dialog'],
    ],
  },
  record: {
    path: ({ recordId }) => `records/${recordId}`,
    right: 'records.read',
    controls: [
      ['Evidence pack', 'packs', 'dialog'],
      ['Link for the person concerned', 'proof_links', 'dialog'],
      ['Change the state', 'events.append', 'menu'],
      ['Show the texts', 'texts.read', 'dialog'],
      ['Verify now', 'records.read', 'runs'],
    ],
  },
  runs: {
    path: () => 'reconciliation',
    right: 'reconciliations.read',
    controls: [['Compare a list', 'reconciliations.run']],
  },
  'a new run': { path: () => 'reconciliation/new', right: 'reconciliations.run', controls: [] },
  findings: {
    path: ({ runId }) => `reconciliation/${runId}`,
    right: 'triage.read',
    controls: [['Proof', 'reconciliations.read']],
  },
  'a finding': {
    path: () => `reconciliation/${missingRunId}?finding=1`,
    right: 'triage.read',
    controls: [
      ['Assign to me', 'triage'],
      ['Resolve', 'triage'],
    ],
  },
  assets: { path: () => 'evidence', right: 'evidence.read', controls: [['Upload a file', 'evidence.create']] },
  'an upload': { path: () => 'evidence/new', right: 'evidence.create', controls: [] },
  asset: {
    path: ({ assetId }) => `evidence/${assetId}`,
    right: 'evidence.read',
    controls: [
      ['Read the passages', 'evidence.texts', 'dialog'],
      [/^Redact .* and what it used of this evidence$/, 'events.manage', 'dialog'],
    ],
  },
  telemetry: { path: () => 'opentelemetry', right: 'telemetry.read', controls: [['Given up', 'deadletters']] },
  'given up': {
    path: () => 'opentelemetry?view=given-up',
    right: 'telemetry.read',
    controls: [[/^Try again: /, 'deadletters']],
  },
  tokens: { path: () => 'tokens', right: 'tokens.own', controls: [['Issue a token', 'tokens.own', 'dialog']] },
  trust: {
    path: () => 'trust',
    right: 'trust.read',
    controls: [
      ['Publish and anchor now', 'trust.manage'],
      ['Add a key', 'trust.manage', 'dialog'],
      ['Check now', 'ledger.check'],
    ],
  },
  holds: {
    path: () => 'holds',
    right: 'holds.read',
    controls: [['Place a hold', 'holds.manage', 'dialog']],
  },
  log: { path: () => 'log', right: 'entries.read', controls: [] },
  entry: { path: ({ entryId }) => `log/${entryId}`, right: 'entries.read', controls: [] },
  start: { path: () => 'start', right: 'tokens.applications', controls: [['Create the token', 'tokens.applications']] },
  members: {
    path: () => 'members',
    right: 'members.read',
    controls: [['Add a member', 'members.change', 'dialog']],
  },
  notifications: {
    path: () => 'notifications',
    right: 'notifications',
    controls: [
      ['Add a webhook', 'notifications', 'dialog'],
      ['Add a mail address', 'notifications', 'dialog'],
    ],
  },
  'own notifications': {
    path: () => 'my-notifications',
    right: 'notifications.own',
    controls: [['Send the code', 'notifications.own']],
  },
  settings: {
    path: () => 'settings',
    right: 'settings.read',
    controls: [
      ['Save', 'settings.manage'],
      ['Make a new key', 'hash_keys.manage', 'dialog'],
    ],
  },
};

const REFUSED = 'Your role does not permit this';

describeInBrowser('the console, to each role,', () => {
  let watched: WatchedConsole;
  let target: Target;

  beforeAll(async () => {
    watched = await openWatchedConsole({});
    ({ target } = (await openTenants(watched.service)).ours);
    const call = async (path: string, body: object) => (await watched.service.call('POST', path, { body })).body;
    missingRunId = (await call('/api/reconciliations/runs', runRequest(target.applicationKey, 'nobody'))).id;
    const read = await call(`/api/evidence-assets/${target.assetId}/retrieve`, { purpose: 'a test' });
    const more = { application_key: target.applicationKey, evidence_access_event_ids: [read.access_event_id] };
    expect(await call('/api/answer-audit-logs', answer('question', 'answer', more))).toHaveProperty('id');
    for (const role of MEMBER_ROLES) await addMember(watched.service, `who-${role}`, { access: { role } });
  }, 120_000);
  afterAll(() => watched.close());

  /** Opens every page and what its buttons open. Returns what was there and what the service refused. */
  async function walk(page: Page, role: MemberRole) {
    const may = (right: Right) => ACCESS_MATRIX[right].people.includes(role);
    const seen: Record<string, readonly string[]> = {};
    const wanted: Record<string, readonly string[]> = {};
    for (const [name, { path, right, controls }] of Object.entries(PAGES)) {
      const mayOpen = may(right);
      wanted[name] = mayOpen ? controls.filter((one) => may(one[1])).map(([control]) => `${control}`) : [REFUSED];
      await page.goto(watched.site.url + path(target));
      await page.locator('main > *').first().waitFor();
      // Whatever the page asks for has come.
      await page.waitForLoadState('networkidle');
      const shown: string[] = [];
      if (await page.getByText(REFUSED).first().isVisible()) shown.push(...(mayOpen ? [] : [REFUSED]));
      for (const [control, , opens] of controls) {
        const found = page
          .locator('main, [role=dialog]')
          .getByRole('button', { name: control, exact: true })
          .or(page.locator('main').getByRole('link', { name: control, exact: true }))
          .first();
        if (!(await found.isVisible())) continue;
        shown.push(`${control}`);
        if (opens === undefined || (await found.isDisabled())) continue;
        await found.click();
        if (opens !== 'runs') await page.getByRole(opens).waitFor();
        await page.waitForLoadState('networkidle');
        if (opens === 'runs') continue;
        await page.keyboard.press('Escape');
        await page.getByRole(opens).waitFor({ state: 'detached' });
      }
      seen[name] = shown;
    }
    return { seen, wanted };
  }

  it.each(MEMBER_ROLES)(
    '%s, offers what it may do, and nothing that is refused',
    async (role) => {
      const page = await watched.openPage();
      const refused: string[] = [];
      page.on('response', (response: Response) => {
        if (response.status() === 403) refused.push(`${response.request().method()} ${response.url()}`);
      });
      await page.goto(watched.site.url);
      await signInAs(page, watched.service, `who-${role}`, PASSWORD);
      await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
      const { seen, wanted } = await walk(page, role);
      expect(seen).toEqual(wanted);
      expect(refused).toEqual([]);
      expect(watched.faults).toEqual([]);
      await page.context().close();
    },
    120_000,
  );
});
