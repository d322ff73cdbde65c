import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commitPlain } from '@answer-evidence/commitments';
import { answerSpan, OTEL, span, traces } from '../tools/scenery/otlp.ts';
import { until } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type Reply, type TestService } from '../tools/scenery/test-service.ts';

const MINUTES_MS = 60_000;
const PROTOBUF = 'application/x-protobuf';
const RECORDS = '/api/answer-audit-logs';

let service: TestService;
let createToken: string;
let readToken: string;

beforeAll(async () => {
  service = await openTestService({
    // Long enough for a trace to be there still when the record of its key is made next.
    environment: { SERVICE_OTLP_WAIT_SECONDS: '5', SERVICE_OTLP_BODY_BYTES_MAX: '200000' },
  });
  const issue = async (name: string, scopes: readonly string[]) => {
    const body = { kind: 'application', application_key: 'support-bot', name, scopes };
    return (await service.call('POST', '/api/tokens', { body })).body.token as string;
  };
  createToken = await issue('creates', ['answer_audit:create']);
  readToken = await issue('reads', ['answer_audit:read']);
}, MINUTES_MS);
afterAll(() => service.close());

const send = (body: unknown, path = OTEL, headers: Record<string, string> = {}) =>
  service.call('POST', path, { token: createToken, body, headers });

async function post(body: BodyInit, headers: Record<string, string>, token: string | null = createToken) {
  return await fetch(`${service.baseUrl}${OTEL}/v1/traces`, {
    method: 'POST',
    body,
    headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
  });
}

async function recordOf(key: string): Promise<any> {
  return (await service.call('GET', `${RECORDS}?idempotency_key=${key}`)).body.items[0];
}
async function awaitRecord(key: string): Promise<any> {
  await until(`the record ${key}`, async () => (await recordOf(key)) !== undefined);
  return await recordOf(key);
}

describe('a request', () => {
  it('is answered 200 on every path, and its spans become records that verify', async () => {
    const replies: Reply[] = [
      await send(traces([answerSpan(1, 'bare')])),
      await send(traces([answerSpan(2, 'path')]), `${OTEL}/v1/traces`),
      await send({}, `${OTEL}/v1/logs`),
    ];
    expect(replies.map(({ status, body }) => [status, body])).toEqual(replies.map(() => [200, {}]));
    const body = gzipSync(JSON.stringify(traces([answerSpan(3, 'gzip')])));
    expect((await post(body, { 'content-type': 'application/json', 'content-encoding': 'gzip' })).status).toBe(200);
    const empty = await post(new Uint8Array(), { 'content-type': PROTOBUF });
    expect([empty.status, empty.headers.get('content-type'), (await empty.arrayBuffer()).byteLength]).toEqual([
      200,
      PROTOBUF,
      0,
    ]);
    for (const key of ['bare', 'path', 'gzip']) {
      const { id } = await awaitRecord(key);
      const { body: verified } = await service.call('GET', `${RECORDS}/${id}/ledger/verify`);
      expect(verified.checks.filter(({ outcome }: { outcome: string }) => outcome === 'FAIL')).toEqual([]);
    }
  });

  it('is refused as OTLP says, in the encoding that it came in', async () => {
    const json = { 'content-type': 'application/json' };
    const proto = { 'content-type': PROTOBUF };
    const table: readonly (readonly [number, number, Promise<Response>])[] = [
      [400, 3, post('{"resourceSpans": [', json)],
      [400, 3, post(new Uint8Array([0x0a, 0x7f, 0x01]), proto)],
      [401, 16, post('{}', json, null)],
      [403, 7, post('{}', json, readToken)],
      [413, 8, post('x'.repeat(200_001), json)],
      [413, 8, post(gzipSync(Buffer.alloc(300_000)), { ...proto, 'content-encoding': 'gzip' })],
      [415, 3, post('{}', { 'content-type': 'text/plain' })],
      [415, 3, post('{}', { ...json, 'content-encoding': 'br' })],
    ];
    for (const [status, code, sent] of table) {
      const reply = await sent;
      const type = reply.headers.get('content-type');
      const bytes = new Uint8Array(await reply.arrayBuffer());
      expect([reply.status, type === PROTOBUF ? bytes[1] : JSON.parse(Buffer.from(bytes).toString()).code]).toEqual([
        status,
        code,
      ]);
      if (type === PROTOBUF) expect(bytes[0]).toBe(0x08);
    }
    const method = await service.call('GET', OTEL);
    expect([method.status, method.headers.get('allow'), method.body.code]).toEqual([405, 'OPTIONS, POST', 12]);
  });

  it('loses one bad item of 500 and keeps the others', async () => {
    const spans = Array.from({ length: 500 }, (_, n) => answerSpan(1_000 + n, `many-${n}`));
    spans[250] = { ...spans[250], traceId: 'not hex' };
    const { status, body } = await send(traces(spans));
    expect([status, body.partialSuccess.rejectedSpans]).toEqual([200, '1']);
    expect(body.partialSuccess.errorMessage).toContain('span 250');
    await until('499 records', async () => {
      const found = await Promise.all([0, 249, 251, 499].map((n) => recordOf(`many-${n}`)));
      return found.every((record) => record !== undefined);
    });
    expect(await recordOf('many-250')).toBeUndefined();
  });

  it('is refused item by item: another application, and hashes that the policy does not take', async () => {
    const other = await send(traces([answerSpan(1, 'other')], 'another-bot'));
    expect(other.body.partialSuccess.errorMessage).toContain('application_not_allowed');
    const hash = commitPlain('never sent');
    const hashes = span(5, {
      'service.audit.idempotency_key': 'hash-only',
      'service.audit.question_hash': hash,
      'service.audit.answer_hash': hash,
    });
    const { body } = await send(traces([hashes, answerSpan(6, 'beside')]));
    expect(body.partialSuccess).toMatchObject({ rejectedSpans: '1' });
    expect(body.partialSuccess.errorMessage).toContain('caller_hash_not_accepted');
    await awaitRecord('beside');
    expect(await recordOf('hash-only')).toBeUndefined();
    expect(await recordOf('other')).toBeUndefined();
  });
});

describe('a trace without an answer', () => {
  it('is attached within seconds when its record comes by the API, or listed when it does not', async () => {
    const alone = (n: number, key: string) => span(n, { 'service.audit.idempotency_key': key });
    await send(traces([alone(7, 'never-comes')]));
    const list = async () => (await service.call('GET', `${OTEL}/unattached`)).body.items;
    await until('the end of its time', async () => (await list()).length > 0);
    expect(await list()).toMatchObject([{ idempotency_key: 'never-comes', reason: 'record_not_found' }]);

    const body = answer('a question', 'an answer', { idempotency_key: 'comes' });
    await send(traces([alone(8, 'comes')]));
    const created = await service.call('POST', RECORDS, { body });
    await until('the attachment', async () => (await recordOf('comes')).trace_refs.length > 0);
    const { body: record } = await service.call('GET', `${RECORDS}/${created.body.id}`);
    expect(record.trace_refs).toMatchObject([{ span_id: '0000000000000009', commitments: 'absent' }]);
    const { body: verified } = await service.call('GET', `${RECORDS}/${created.body.id}/ledger/verify`);
    const outcomes = new Map(verified.checks.map((check: any) => [check.check, check.outcome]));
    expect([outcomes.get('trace_refs'), outcomes.get('merkle_inclusion')]).toEqual(['PASS', 'PASS']);
  });
});

describe('the ledger check', () => {
  it('finds nothing after all of this', async () => {
    const { body } = await service.call('POST', '/api/trust/ledger-checks', { body: {} });
    expect(body).toMatchObject({ outcome: 'PASS', findings: [] });
  });
});
