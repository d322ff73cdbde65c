import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { listen, type ListeningServer } from '@answer-evidence/testing';
import { describeInBrowser, openBrowser } from '../tools/scenery/browser.ts';
import { until } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';

const RECORDS = '/api/answer-audit-logs';

/** What a page loads: the exporter of OpenTelemetry for browsers, which sends one span. */
const EXPORTING = `
  import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
  import { resourceFromAttributes } from '@opentelemetry/resources';
  import { TracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
  globalThis.exportSpan = (url, token, attributes) => new Promise((resolve) => {
    const exporter = new OTLPTraceExporter({ url, headers: { Authorization: 'Bearer ' + token } });
    const watched = {
      export: (spans) => exporter.export(spans, ({ code, error }) => resolve({ code, error: error?.message })),
      shutdown: () => exporter.shutdown(),
    };
    const provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'support-bot' }),
      spanProcessors: [new SimpleSpanProcessor({ exporter: watched })],
    });
    provider.getTracer('page').startSpan('chat', { attributes }).end();
  });`;

let service: TestService;
let listed: ListeningServer;
let unlisted: ListeningServer;
let script: string;

beforeAll(async () => {
  const built = await build({
    stdin: { contents: EXPORTING, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    logLevel: 'silent',
  });
  script = built.outputFiles[0]?.text ?? '';
  [listed, unlisted] = await Promise.all([openPage(), openPage()]);
  service = await openTestService({ environment: { SERVICE_CORS_ORIGINS: listed.url } });
}, 60_000);
afterAll(() => Promise.all([service.close(), listed.close(), unlisted.close()]));

/** A server of a page, and with it an origin. */
function openPage(): Promise<ListeningServer> {
  return listen(({ url }, res) => {
    const isScript = url === '/script.js';
    res.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    res.end(isScript ? script : '<!doctype html><title>page</title><script src="/script.js"></script>');
  });
}

describe('without a browser', () => {
  it('a preflight of a creation permits nothing, and one of OTLP does', async () => {
    const ask = async (path: string) => {
      const headers = { Origin: listed.url, 'Access-Control-Request-Method': 'POST' };
      const reply = await service.call('OPTIONS', path, { token: null, headers });
      return [reply.status, reply.headers.get('access-control-allow-methods')];
    };
    expect(await ask(RECORDS)).toEqual([204, null]);
    expect(await ask(`${RECORDS}/otel/v1/traces`)).toEqual([204, 'POST']);
  });
});

describeInBrowser('in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser.close());

  async function pageOf({ url }: ListeningServer): Promise<Page> {
    const page = await browser.newPage();
    await page.goto(url);
    return page;
  }

  /** What a page gets of a request: status and readable headers, or that the browser refused it. */
  function ask(page: Page, method: string, path: string, token: string, body?: object) {
    const init = {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    return page.evaluate(
      ({ url, sent }) =>
        fetch(url, sent).then(
          async (reply) => ({
            status: reply.status,
            code: ((await reply.json()) as { code?: string }).code,
            requestId: reply.headers.get('x-request-id'),
            etag: reply.headers.get('etag'),
            link: reply.headers.get('link'),
          }),
          (error: unknown) => String(error),
        ),
      { url: service.baseUrl + path, sent: init },
    );
  }

  it('a page of a listed origin reads records, pages and errors', async () => {
    const { body } = await service.call('POST', RECORDS, { body: answer('q') });
    await service.call('POST', RECORDS, { body: answer('another') });
    const page = await pageOf(listed);
    expect(await ask(page, 'GET', `${RECORDS}/${body.id}`, service.managerToken)).toMatchObject({
      status: 200,
      etag: expect.stringContaining('W/'),
      requestId: expect.any(String),
    });
    const list = await ask(page, 'GET', `${RECORDS}?size=1`, service.managerToken);
    expect(list).toMatchObject({ status: 200, link: expect.stringContaining('rel="next"') });
    const refused = await ask(page, 'GET', `${RECORDS}/${body.id}`, 'nothing');
    expect(refused).toMatchObject({ status: 401, code: 'token_malformed' });
    expect(await ask(page, 'GET', `${RECORDS}?size=0`, service.managerToken)).toMatchObject({ status: 422 });
  });

  it('it creates nothing but by OTLP, with the exporter for browsers', async () => {
    const page = await pageOf(listed);
    const ofRecords = async (query: string) => (await service.call('GET', `${RECORDS}?${query}`)).body.items.length;
    const body = answer('from a page', 'a', { environment: 'page' });
    expect(await ask(page, 'POST', RECORDS, service.managerToken, body)).toContain('Failed to fetch');
    expect(await ofRecords('environment=page')).toBe(0);
    const sent = await page.evaluate(
      ({ url, token }) =>
        (globalThis as unknown as { exportSpan(...args: readonly unknown[]): Promise<object> }).exportSpan(url, token, {
          'service.audit.question_text': 'a question',
          'service.audit.answer_text': 'an answer',
          'session.id_hash': 'from-a-page',
        }),
      { url: `${service.baseUrl}${RECORDS}/otel/v1/traces`, token: service.managerToken },
    );
    expect(sent).toEqual({ code: 0 });
    await until('the record', async () => (await ofRecords('session_id_hash=from-a-page')) === 1);
  });

  it('a page of another origin reads nothing', async () => {
    const page = await pageOf(unlisted);
    for (const path of [RECORDS, '/api/openapi.json', '/nothing'])
      expect(await ask(page, 'GET', path, service.managerToken)).toContain('Failed to fetch');
  });
});
