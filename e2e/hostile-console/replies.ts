import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { answerSpan, OTEL, span, traces } from '../../tools/scenery/otlp.ts';
import { REPOSITORY, until } from '../../tools/scenery/service-process.ts';
import { addDeadLetter } from '../../tools/scenery/tenants.ts';
import { answer, type TestService } from '../../tools/scenery/test-service.ts';
import { openChecks } from '../support/console.ts';
import { findRanMarkup } from '../support/find-ran-markup.ts';
import { follow, watchRequests } from '../support/follow-page.ts';
import type { HostileConsole } from './hostile-console.ts';
import { listTexts, poison, type Schema, type Schemas } from './poison.ts';
import { JSON_TEXTS } from './texts.ts';

const PER_ROW = 5;
const CONSOLE = join(REPOSITORY, 'apps/console/src');
const { navigation }: { readonly navigation: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(CONSOLE, 'locales/en.json'), 'utf8'),
);
/** The paths of all pages. */
const PATHS = [...readFileSync(join(CONSOLE, 'shell/router.tsx'), 'utf8').matchAll(/= page\(\s*'([^']*)'/g)].map(
  ([, path = '']) => path,
);
/** A page as it is read: where, what its heading says, and what is opened on it. */
type Place = { readonly at: string; readonly heading: string | RegExp; readonly open?: (page: Page) => Promise<void> };
type Ids = Readonly<Record<'record' | 'asset' | 'run' | 'entry' | 'target' | 'hold', string>>;

/** For what needs only the paths. */
const NO_IDS: Ids = { record: '', asset: '', run: '', entry: '', target: '', hold: '' };

const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click();
const changeFirst = async (page: Page) => {
  await press('More')(page);
  await page.getByRole('menuitem', { name: 'Change', exact: true }).click();
  await page.getByRole('dialog').waitFor();
};
const reveal = (button: string, confirm: string) => async (page: Page) => {
  await press(button)(page);
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('to see it');
  await page.getByRole('dialog').getByRole('button', { name: confirm }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

/** What is opened on pages, by their paths in the router. */
const listOpened = ({ record, asset, run, entry, target, hold }: Ids): Readonly<Record<string, readonly Place[]>> => ({
  '/': ['', '?days=3650'].map((days) => ({ at: days, heading: /need/ })),
  '/records/$recordId': [
    { at: `records/${record}`, heading: /·/, open: press('Show the texts') },
    { at: `records/${record}`, heading: /·/, open: press('Link for the person concerned') },
    {
      at: `records/${record}`,
      heading: /·/,
      async open(page) {
        await press('Verify now')(page);
        const all = page.getByText(/^All \d+ checks/);
        await all.or(page.getByRole('alert')).first().waitFor();
        if (await all.isVisible()) await openChecks(page);
      },
    },
  ],
  '/evidence/new': [{ at: 'evidence/new', heading: 'Upload a file' }],
  '/evidence/$assetId': [
    { at: `evidence/${asset}`, heading: /\S/, open: reveal('Read the passages', 'Read the passages') },
  ],
  '/opentelemetry': ['', '?view=ignored', '?view=unattached', '?view=given-up'].map((view) => ({
    at: `opentelemetry${view}`,
    heading: 'OpenTelemetry',
  })),
  '/reconciliation/new': [{ at: 'reconciliation/new', heading: 'Compare a list' }],
  '/reconciliation/$runId': [
    { at: `reconciliation/${run}`, heading: /·/ },
    { at: `reconciliation/${run}?finding=0`, heading: /·/ },
  ],
  '/tokens': [{ at: 'tokens', heading: 'Tokens', open: press('Rotate') }],
  '/members': [
    { at: 'members', heading: 'Members', open: press('Change') },
    {
      at: 'members',
      heading: 'Members',
      open: async (page) => {
        await page.getByRole('button', { name: 'Change' }).last().click();
        await page.getByLabel('Unlink from the OpenID provider').waitFor();
      },
    },
  ],
  '/notifications': [{ at: `notifications?target=${target}`, heading: 'Notifications' }],
  '/my-notifications': [{ at: 'my-notifications', heading: 'My notifications' }],
  '/streams': [{ at: 'streams', heading: 'Streams', open: changeFirst }],
  '/holds': [
    { at: 'holds', heading: 'Holds', open: press('Release the hold') },
    { at: `holds?hold=${hold}`, heading: 'Hold' },
  ],
  '/log/$entryId': [{ at: `log/${entry}`, heading: 'Entry of the log' }],
  '/start': [{ at: 'start', heading: 'From here to the first record' }],
  '/device': [{ at: 'device', heading: 'Sign a program in' }],
});

/** A page as it is opened by the menu, where nothing else is opened on it. */
function listPlaces(path: string, ids: Ids): readonly Place[] {
  const heading = navigation[path.slice(1)];
  const opened = listOpened(ids)[path] ?? (heading === undefined ? [] : [{ at: path.slice(1), heading }]);
  if (opened.length === 0) throw new Error(`${path} is not in the menu: say what is opened of it`);
  return opened;
}

/** What the rows of a list have, a few texts each: a table of hundreds takes long to look through. */
const ROWS = JSON_TEXTS.flatMap((_, at) => (at % PER_ROW === 0 ? [JSON_TEXTS.slice(at, at + PER_ROW).join(' ')] : []));
/** Members that lead a page and are not shown. With a cursor that never ends, a page would read on for ever. */
const KEPT = /\.next_cursor$/;
/** Members that other requests of the page name. */
const ASKED = /\.(?:application_key|external_message_id)$/;

/** Members that no reply here has, and where they are looked at instead. */
const NOT_HERE: readonly (readonly [RegExp, string])[] = [
  [/^(?:ProofBundle|WithheldBundle|Bundle\w+)\./, 'a verifier reads them; e2e/hostile-packs looks at its words'],
  [/^(?:Late|Duplicate|Unanchored)\w+Finding\./, 'shown in the column that a missing answer has its own in'],
  [/^(Shown)?TrustPolicy\./, 'part of the JSON in the field for anchors, and of the lines of its change'],
  [/^(?:KnownPayload|Tombstone)\./, 'of a redaction; e2e/console-record makes one'],
  [/^TraceRef\.entry$/, 'the bytes of an entry, which pages save as a file'],
  [/^RetrievedEvidence\.content_base64$/, 'the bytes of a file, which pages save as one'],
  [/^OtlpPlace\.path$/, 'of the rules for telemetry, which no page shows'],
  [/^(?:ReconciliationRun|ListedRun)\.(?:code|detail)$/, 'why a run failed, in words of the service'],
];

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Schemas };
};
type Operation = {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
};

/** Tests of hostile texts in whatever the API replies, on every page that the router has. */
export function testReplies(open: () => HostileConsole): void {
  it('know what is opened of pages that exist alone', () => {
    expect(PATHS.length).toBeGreaterThan(15);
    expect(Object.keys(listOpened(NO_IDS)).filter((path) => !PATHS.includes(path))).toEqual([]);
  });

  describe('in whichever member of a reply they stand', () => {
    let ids = NO_IDS;
    let untilQuiet: () => Promise<void>;
    const [filled, declared] = [new Set<string>(), new Set<string>()];
    beforeAll(async () => {
      const { service, site, page } = open();
      ids = await fill(service);
      const document: Document = (await service.call('GET', '/api/openapi.json', { token: null })).body;
      const { schemas } = document.components;
      const text = JSON_TEXTS.join(' ');
      await page.route(`${site.url}api/**`, async (route: Route) => {
        const response = await route.fetch();
        const schema = findSchema(document, route.request().method(), route.request().url(), response.status());
        if (schema === undefined) return route.fulfill({ response });
        for (const name of listTexts(schema, schemas)) declared.add(name);
        const json = poison(await response.json(), schema, {
          schemas,
          text,
          itemTexts: ROWS,
          kept: KEPT,
          asked: ASKED,
          filled,
        });
        return route.fulfill({ response, json });
      });
      untilQuiet = watchRequests(page);
      // Nothing is kept of the replies before.
      await page.goto(site.url);
    }, 120_000);
    afterAll(async () => {
      const { page } = open();
      await page.unrouteAll();
      // The console keeps replies; what it reads from here on is the service's.
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
    }, 60_000);

    it.each(PATHS)(
      'do nothing on the page %s',
      async (path) => {
        const { site, page } = open();
        const found: string[] = [];
        for (const { at, heading, open: show } of listPlaces(path, ids)) {
          await follow(page, site, at);
          await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
          await untilQuiet();
          if (show !== undefined) {
            await show(page);
            await untilQuiet();
          }
          for (const fault of await findRanMarkup(page)) found.push(`${at}: ${fault}`);
          found.push(...(await page.getByText('That did not work').all()).map(() => `${at}: something failed`));
        }
        expect(found).toEqual([]);
      },
      120_000,
    );

    it('leave no member out that a reply to these pages may have', () => {
      const missing = [...declared].filter((name) => !filled.has(name) && !KEPT.test(name));
      expect(missing.filter((name) => !NOT_HERE.some(([pattern]) => pattern.test(name)))).toEqual([]);
      expect(NOT_HERE.filter(([pattern]) => !missing.some((name) => pattern.test(name)))).toEqual([]);
    });
  });
}

function findSchema({ paths }: Document, method: string, url: string, status: number): Schema | undefined {
  const path = new URL(url).pathname.replace(/^\/console/, '');
  const match = Object.keys(paths)
    .filter((template) => new RegExp(`^${template.replace(/\{[^}]*\}/g, '[^/]+')}$`).test(path))
    .toSorted((one, other) => one.split('{').length - other.split('{').length)[0];
  const operation = match === undefined ? undefined : paths[match]?.[method.toLowerCase()];
  return operation?.responses[String(status)]?.content?.['application/json']?.schema;
}

/** One of everything that a page shows. */
async function fill(service: TestService): Promise<Ids> {
  const call = async (method: string, path: string, body?: object) => {
    const reply = await service.call(method, path, body === undefined ? {} : { body });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  const at = (millis: number) => new Date(Date.now() + millis).toISOString();
  const upload = {
    application_key: 'replies-bot',
    name: 'terms.txt',
    segments: ['one', 'two'],
    attributes: { a: 'b' },
  };
  const asset = (await call('POST', '/api/evidence-assets', upload)).id;
  const used = await call('POST', `/api/evidence-assets/${asset}/retrieve`, { purpose: 'to answer' });
  const body = answer('a question', 'an answer', {
    ...{ application_key: 'replies-bot', idempotency_key: 'replies', external_message_id: 'of replies' },
    ...{ external_trace_id: 'a-trace', mode: 'chat', actor_id_hash: 'somebody', session_id_hash: 'a session' },
    source_refs: [used.source_ref, { source_ref_id: 'gone', title: 'a source' }],
    semantic_refs: [{ name: 'a concept' }],
    evidence_access_event_ids: [used.access_event_id],
  });
  const record = (await call('POST', '/api/answer-audit-logs', body)).id;
  await call('POST', '/api/answer-audit-logs', { ...body, idempotency_key: 'replies again' });
  await call('POST', `/api/answer-audit-logs/${record}/reveal`, { reason_code: 'other', reason: 'once' });
  await call('POST', `/api/answer-audit-logs/${record}/events`, {
    ...{ event_type: 'correction_appended', reason: 'wrong', payload: { corrected_answer_text: 'right' } },
  });
  await call('POST', '/api/search/views', {
    name: 'a view',
    filters: {
      ...{ application_key: 'a', environment: 'a', external_trace_id: 'a', external_message_id: 'a' },
      ...{ idempotency_key: 'a', mode: 'a', actor_id_hash: 'a', session_id_hash: 'a' },
      ...{ created_after: at(0), created_before: at(0), answered_after: at(0), answered_before: at(0) },
    },
  });
  const linked = await call('POST', '/api/members', { username: 'zoe', role: 'manager' });
  const provider = { issuer: 'https://login.example.com', subject: 'auth0|5f7c8ec7c33c6c004bbafe82' };
  await call('PATCH', `/api/members/${linked.id}`, { provider });
  await call('POST', '/api/approvals', {
    reason: 'for two',
    event: { answer_log_id: record, event_type: 'voided', reason: 'wrong' },
  });
  const run = await call('POST', '/api/reconciliations/runs', {
    ...{ application_key: 'replies-bot', match_on: 'idempotency_key' },
    ...{ window_start: at(-3_600_000), window_end: at(3_600_000) },
    references: [{ reference_id: 'missing', occurred_at: at(0) }],
  });
  await until('the run', async () => (await call('GET', `/api/reconciliations/runs/${run.id}`)).status === 'completed');
  await call('POST', `/api/reconciliations/runs/${run.id}/triage/0/steps`, { action: 'comment', text: 'a comment' });
  const spans = [
    answerSpan(1, 'replies', 'something else'),
    { ...span(2, { 'gen_ai.operation.name': 'chat' }), traceId: 'e'.repeat(32) },
  ];
  await call('POST', `${OTEL}/v1/traces`, traces(spans, 'replies-bot'));
  for (const list of ['unattached', 'ignored'])
    await until(`one that is ${list}`, async () => (await call('GET', `${OTEL}/${list}`)).items.length > 0);
  const { workspace } = await call('GET', '/api/whoami');
  await addDeadLetter(service, workspace.id, 'given up');
  const entries = await call('GET', '/api/tenant/entries?type=token_issued&size=1');
  const floor = { days: 30, reason: 'a law' };
  await call('PATCH', '/api/tenant/settings', { answer_audit_retention_floor: floor });
  const hook = { name: 'on-call', url: 'https://127.0.0.1:9/' };
  const target = (await call('POST', '/api/notifications/targets', hook)).id;
  await call('POST', `/api/notifications/targets/${target}/test`);
  const deliveries = `/api/notifications/targets/${target}/deliveries`;
  await until('a delivery that failed', async () =>
    (await call('GET', deliveries)).items.some((one: { last_error: unknown }) => one.last_error !== null),
  );
  const destination = { type: 'https', url: 'https://127.0.0.1:9/' };
  await call('POST', '/api/streams', { name: 'siem', destination });
  await until('a stream that failed', async () => (await call('GET', '/api/streams')).items[0].last_error !== null);
  await call('POST', '/api/holds', { matter: 'a case', reason: 'a claim', answer_log_ids: [record] });
  const ended = await call('POST', '/api/holds', {
    ...{ matter: 'another', reason: 'a claim' },
    filters: {
      ...{ application_key: 'a', environment: 'a', external_trace_id: 'a', external_message_id: 'a' },
      ...{ idempotency_key: 'a', mode: 'a', actor_id_hash: 'a', session_id_hash: 'a' },
      ...{ created_after: at(0), created_before: at(0) },
    },
  });
  await call('POST', `/api/holds/${ended.id}/release`, { reason: 'settled' });
  return { record, asset, run: run.id, entry: entries.items[0].id, target, hold: ended.id };
}
