import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answer, openTestService, type Reply, type TestService } from './support/test-service.ts';

const RECORDS = '/api/answer-audit-logs';
const OTEL = `${RECORDS}/otel`;

let service: TestService;
let id: string;
let revoked: string;
beforeAll(async () => {
  service = await openTestService();
  id = (await service.call('POST', RECORDS, { body: answer('a question') })).body.id;
  const issued = await service.call('POST', '/api/tokens', { body: { name: 'to revoke', kind: 'user' } });
  await service.call('DELETE', `/api/tokens/${issued.body.id}`);
  revoked = issued.body.token;
});
afterAll(() => service.close());

const get = (path: string) => service.call('GET', path);
const create = (body: unknown) => service.call('POST', RECORDS, { body });
const event = (body: unknown) => service.call('POST', `${RECORDS}/${id}/events`, { body });
const token = (more: object) => service.call('POST', '/api/tokens', { body: { name: 'n', kind: 'user', ...more } });

/** A request that newcomers send, how it is answered, and words of `detail` that end their search. */
type Wrong = readonly [name: string, send: () => Promise<Reply>, status: number, code: string, words: RegExp];

const WRONG: readonly Wrong[] = [
  ['a trailing slash', () => get(`${RECORDS}/`), 404, 'not_found', /did you mean \/api\/answer-audit-logs\?/],
  ['a version segment', () => get('/api/v1/answer-audit-logs'), 404, 'not_found', /mean \/api\/answer-audit-logs\?/],
  ['a singular', () => get('/api/answer-audit-log'), 404, 'not_found', /mean \/api\/answer-audit-logs\?/],
  ['underscores', () => get('/api/answer_audit_logs'), 404, 'not_found', /mean \/api\/answer-audit-logs\?/],
  ['the root', () => get('/'), 404, 'not_found', /GET \/api\/openapi\.json/],
  ['OTLP at the root', () => service.call('POST', '/v1/traces', { body: {} }), 404, 'not_found', /otel\/v1\/traces/],
  ['a method elsewhere', () => service.call('POST', `${RECORDS}/${id}`), 405, 'method_not_allowed', /events/],
  ['an id that is none', () => get(`${RECORDS}/abc`), 404, 'not_found', /answer_log_id .* UUID such as 0199/],
  ['single quotes', () => create("{'a': 1}"), 400, 'malformed_json', /double quotes.*line 1, column 2/],
  ['a trailing comma', () => create('{"a": 1,}'), 400, 'malformed_json', /member name.*line 1, column 9/],
  ['a question as text', () => create({ ...answer('q'), question: 'q' }), 422, 'schema_violation', /\{"text": "…"\}/],
  ['camel case', () => create({ applicationKey: 'a' }), 422, 'schema_violation', /errors lists/],
  ['an event without type', () => event({}), 422, 'schema_violation', /\/event_type: is required/],
  ['an unknown event', () => event({ event_type: 'deleted' }), 422, 'schema_violation', /one of "correction_appended"/],
  [
    'a correction of nothing',
    () => event({ event_type: 'correction_appended' }),
    422,
    'schema_violation',
    /corrected_answer_text: is required.*corrected_answer_hash/,
  ],
  ['a life too long', () => token({ expires_in_seconds: 7_776_001 }), 422, 'schema_violation', /90 days/],
  ['an export without format', () => get(`${RECORDS}/export`), 422, 'schema_violation', /\?format: is required/],
  ['a date alone', () => get(`${RECORDS}?created_after=2026-11-20`), 422, 'schema_violation', /such as 2026-11-20T/],
  [
    'an offset that is not escaped',
    () => get(`${RECORDS}?created_after=2026-11-20T09:00:00+01:00`),
    422,
    'schema_violation',
    /write \+ as %2B/,
  ],
  ['an unknown filter', () => get(`${RECORDS}?application=a`), 422, 'schema_violation', /\?application: is an unknown/],
  [
    'an unknown hash key',
    () => service.call('PATCH', '/api/tenant/settings', { body: { answer_audit_hash_key_id: 'hk_x' } }),
    422,
    'hash_key_not_found',
    /\/answer_audit_hash_key_id/,
  ],
  ['no token', () => service.call('GET', RECORDS, { token: null }), 401, 'unauthenticated', /Authorization: Bearer/],
  ['a token that is none', () => service.call('GET', RECORDS, { token: 'x' }), 401, 'token_malformed', /Bearer/],
  ['a revoked token', () => service.call('GET', RECORDS, { token: revoked }), 401, 'token_revoked', /was revoked/],
];

describe('a wrong request is told what is wrong and what is right', () => {
  it.each(WRONG)('%s', async (_, send, status, code, words) => {
    const { body, status: answered } = await send();
    expect([answered, body.code]).toEqual([status, code]);
    expect(body.detail).toMatch(words);
    // A sentence: it begins like one or with a place or a name, ends like one, and does not only say that it failed.
    expect(body.detail).toMatch(/^[A-Z/?a-z][^]{15,400}[.?]$/);
    expect(body.detail).not.toMatch(/Invalid input|expected .* received|Unexpected token/);
  });

  it('names the field that was meant', async () => {
    const { body } = await create({ applicationKey: 'a' });
    const [fault] = body.errors.filter(({ pointer }: { pointer: string }) => pointer === '/applicationKey');
    expect(fault.detail).toBe('is an unknown field; did you mean application_key?');
  });

  it('warns of an OTLP body that says nothing, and takes it', async () => {
    const { status, body } = await service.call('POST', OTEL, { body: { foo: 1 } });
    expect([status, body.partialSuccess.rejectedSpans]).toEqual([200, undefined]);
    expect(body.partialSuccess.errorMessage).toContain('nothing was received');
  });
});
