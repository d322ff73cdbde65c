import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answer, openTestService, type Reply, type TestService } from '../tools/scenery/test-service.ts';

const RECORDS = '/api/answer-audit-logs';
const OTEL = `${RECORDS}/otel`;

let service: TestService;
let id: string;
let revoked: string;
let application: string;
beforeAll(async () => {
  service = await openTestService();
  id = (await service.call('POST', RECORDS, { body: answer('a question') })).body.id;
  const issued = await service.call('POST', '/api/tokens', { body: { name: 'to revoke', kind: 'user' } });
  await service.call('DELETE', `/api/tokens/${issued.body.id}`);
  revoked = issued.body.token;
  const bound = { name: 'bound', kind: 'application', application_key: 'support-bot', scopes: ['answer_audit:create'] };
  application = (await service.call('POST', '/api/tokens', { body: bound })).body.token;
});
afterAll(() => service.close());

const get = (path: string) => service.call('GET', path);
const create = (body: unknown) => service.call('POST', RECORDS, { body });
const event = (body: unknown) => service.call('POST', `${RECORDS}/${id}/events`, { body });
const evidence = (body: unknown) => service.call('POST', '/api/evidence-assets', { body });
const upload = (body: string, type = 'multipart/form-data; boundary=b') =>
  service.call('POST', `${RECORDS}/${id}/evidence-assets/upload`, { body, headers: { 'Content-Type': type } });
const run = (more: object) =>
  service.call('POST', '/api/reconciliations/runs', {
    body: {
      application_key: 'support-bot',
      window_start: '2026-01-01T00:00:00Z',
      window_end: '2026-01-02T00:00:00Z',
      match_on: 'external_message_id',
      references: [{ reference_id: 'a', occurred_at: '2026-01-01T01:00:00Z' }],
      ...more,
    },
  });
const token = (more: object) => service.call('POST', '/api/tokens', { body: { name: 'n', kind: 'user', ...more } });

const POLICY = {
  checkpoint_interval_seconds: 10,
  anchor_interval_seconds: 3600,
  anchors_required: 0,
  witness_policy: 'quorum none\n',
  public_log: false,
};
/** A whole token of another installation. */
const FOREIGN = ['{"alg":"EdDSA","typ":"JWT","kid":"a"}', '{"sub":"a","exp":1}', 's'.repeat(64)]
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');

/** A request that newcomers send, how it is answered, and words of `detail` that end their search. */
type Wrong = readonly [name: string, send: () => Promise<Reply>, status: number, code: string, words: RegExp];

const WRONG: readonly Wrong[] = [
  ['a trailing slash', () => get(`${RECORDS}/`), 404, 'not_found', /did you mean \/api\/answer-audit-logs\?/],
  ['a version segment', () => get('/api/v1/answer-audit-logs'), 404, 'not_found', /mean \/api\/answer-audit-logs\?/],
  ['a singular', () => get('/api/answer-audit-log'), 404, 'not_found', /mean \/api\/answer-audit-logs\?/],
  ['underscores', () => get('/api/answer_audit_logs'), 404, 'not_found', /mean \/api\/answer-audit-logs\?/],
  ['the root', () => get('/'), 404, 'not_found', /GET \/api\/openapi\.json/],
  ['OTLP at the root', () => service.call('POST', '/v1/traces', { body: {} }), 404, 'not_found', /otel\/v1\/traces/],
  ['metrics over OTLP', () => service.call('POST', '/v1/metrics', { body: {} }), 404, 'not_found', /only traces and/],
  [
    'an address twice',
    () => service.call('POST', `${OTEL}/v1/traces/v1/traces`),
    404,
    'not_found',
    /otel\/v1\/traces\?/,
  ],
  ['readiness here', () => get('/readyz'), 404, 'not_found', /SERVICE_METRICS_PORT/],
  ['a method elsewhere', () => service.call('POST', `${RECORDS}/${id}`), 405, 'method_not_allowed', /events/],
  ['an id that is none', () => get(`${RECORDS}/abc`), 404, 'not_found', /answer_log_id .* UUID such as 0199/],
  ['single quotes', () => create("{'a': 1}"), 400, 'malformed_json', /double quotes.*line 1, column 2/],
  ['a trailing comma', () => create('{"a": 1,}'), 400, 'malformed_json', /member name.*line 1, column 9/],
  ['a question as text', () => create({ ...answer('q'), question: 'q' }), 422, 'schema_violation', /\{"text": "…"\}/],
  ['camel case', () => create({ applicationKey: 'a' }), 422, 'schema_violation', /did you mean application_key\?/],
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
  [
    'a token of nobody',
    () => raw(RECORDS, `Bearer ${FOREIGN}`),
    401,
    'unauthenticated',
    /send a token that this service/,
  ],
  ['Basic authentication', () => raw(RECORDS, 'Basic dTpw'), 401, 'token_malformed', /send Bearer/],
  ['a token without the word Bearer', () => raw(RECORDS, revoked), 401, 'token_malformed', /send Bearer/],
  ['a token cut short', () => raw(RECORDS, `Bearer ${revoked.slice(0, -9)}`), 401, 'token_malformed', /whole token/],
  ['an empty body', () => create(''), 400, 'malformed_json', /send one with Content-Type: application\/json/],
  [
    'text in place of JSON',
    () => service.call('POST', RECORDS, { body: 'q', headers: { 'Content-Type': 'text/plain' } }),
    415,
    'media_type_not_supported',
    /must be application\/json/,
  ],
  ['a key twice', () => create('{"a": 1, "a": 2}'), 422, 'duplicate_key', /\/a: .*send each key once/],
  ['null for a text', () => create({ ...answer('q'), question: null }), 422, 'schema_violation', /"text": "…"/],
  [
    'no application',
    () => create({ question: { text: 'q' } }),
    422,
    'schema_violation',
    /application_key: is required/,
  ],
  [
    'an empty key',
    () => create(answer('q', 'a', { application_key: '' })),
    422,
    'schema_violation',
    /\/application_key: must/,
  ],
  [
    'a hash of MD5',
    () => create(answer('q', 'a', { question: { hash: `md5:${'0'.repeat(32)}` } })),
    422,
    'schema_violation',
    /"?sha256:"?/,
  ],
  [
    'a hash alone',
    () => create(answer('q', 'a', { question: { hash: `sha256:${'0'.repeat(64)}` } })),
    422,
    'caller_hash_not_accepted',
    /\/question\/hash: .*send the text/,
  ],
  [
    'a hash of another text',
    () => create(answer('q', 'a', { question: { text: 'q', hash: `sha256:${'0'.repeat(64)}` } })),
    422,
    'hash_mismatch',
    /hash the exact UTF-8 bytes/,
  ],
  ['a page that is too large', () => get(`${RECORDS}?size=1000`), 422, 'schema_violation', /\?size: must/],
  ['a page with decimals', () => get(`${RECORDS}?page=1.5`), 422, 'schema_violation', /a whole number in digits/],
  ['the page 0', () => get(`${RECORDS}?page=0`), 422, 'schema_violation', /\?page: must/],
  ['a cursor of nothing', () => get(`${RECORDS}?cursor=abc`), 422, 'cursor_not_valid', /start again without a cursor/],
  [
    'an unknown version',
    () => service.call('GET', RECORDS, { headers: { 'Service-Version': '2020-01-01' } }),
    422,
    'version_not_supported',
    /2026-07-31.*left out/,
  ],
  [
    'a scope that is missing',
    () => service.call('GET', RECORDS, { token: application }),
    403,
    'scope_missing',
    /answer_audit:read; use one that/,
  ],
  [
    "another application's record",
    () => service.call('POST', RECORDS, { token: application, body: answer('q', 'a', { application_key: 'other' }) }),
    403,
    'application_not_allowed',
    /use a token of the application/,
  ],
  [
    "a manager's work by an application",
    () => service.call('GET', '/api/tenant/settings', { token: application }),
    403,
    'token_kind_not_allowed',
    /use a user token/,
  ],
  [
    'evidence of nothing',
    () => evidence({ application_key: 'a' }),
    422,
    'schema_violation',
    /content_base64.*external_uri/,
  ],
  [
    'base64 that is none',
    () => evidence({ application_key: 'a', content_base64: 'a b' }),
    422,
    'schema_violation',
    /must be/,
  ],
  ['a form without its file', () => upload('--b--\r\n'), 422, 'multipart_not_valid', /\/file: is required: send/],
  ['a form without a boundary', () => upload('x', 'multipart/form-data'), 422, 'multipart_not_valid', /valid boundary/],
  [
    'a form that is cut short',
    () => upload('--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nbytes'),
    422,
    'multipart_not_valid',
    /closing boundary/,
  ],
  [
    'a form with another part',
    () => upload('--b\r\nContent-Disposition: form-data; name="document"\r\n\r\nbytes\r\n--b--\r\n'),
    422,
    'multipart_not_valid',
    /first part must be metadata or file/,
  ],
  ['a window of a month', () => run({ window_end: '2026-02-01T00:00:00Z' }), 422, 'schema_violation', /seven days/],
  [
    'a window that ends first',
    () => run({ window_end: '2025-12-31T00:00:00Z' }),
    422,
    'schema_violation',
    /after window_st/,
  ],
  [
    'a run that compares by nothing',
    () => run({ match_on: undefined }),
    422,
    'schema_violation',
    /match_on: is required/,
  ],
  ['a run without references', () => run({ references: [] }), 422, 'schema_violation', /must have at least 1 item/],
  [
    'a part of a policy',
    () => service.call('PUT', '/api/trust/policy', { body: { public_log: true } }),
    422,
    'schema_violation',
    /is required; errors lists/,
  ],
  [
    'a retention of ten years and a day',
    () => service.call('PATCH', '/api/tenant/settings', { body: { answer_audit_default_retention_days: 3651 } }),
    422,
    'schema_violation',
    /at most 3650/,
  ],
  [
    'an anchor without a type',
    () => service.call('PUT', '/api/trust/policy', { body: { ...POLICY, anchors: [{ kind: 'rfc3161' }] } }),
    422,
    'schema_violation',
    /\/anchors\/0\/type: is required: one of "rfc3161"/,
  ],
  [
    'a name that is taken',
    () => token({ name: 'bound' }),
    409,
    'name_taken',
    /must be another name.*revoke that token/,
  ],
  ['a revoked token', () => service.call('GET', RECORDS, { token: revoked }), 401, 'token_revoked', /was revoked/],
];

/** A read with this whole Authorization header. */
function raw(path: string, authorization: string): Promise<Reply> {
  return service.call('GET', path, { token: null, headers: { Authorization: authorization } });
}

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

  it.each([
    ['a comma too many', '{"resourceSpans": [],}', /member name in double quotes is expected at line 1, column 22/],
    ['brackets that do not match', '{"resourceSpans": [}', /closing bracket is expected at line 1, column 20/],
    ['a string without its end', '{"resource', /the string is not closed.* at line 1, column 2/],
    ['snake case', '{"resource_spans": [{}]}', /must be lowerCamelCase: resourceSpans/],
  ])('says of OTLP with %s where and how', async (_, body, message) => {
    const reply = await service.call('POST', OTEL, { body });
    expect([reply.status, reply.body.message]).toEqual([400, expect.stringMatching(message)]);
  });

  it('takes an id in either case', async () => {
    expect((await get(`${RECORDS}/${id.toUpperCase()}`)).body.id).toBe(id);
  });

  it('warns of an OTLP body that says nothing, and takes it', async () => {
    const { status, body } = await service.call('POST', OTEL, { body: { foo: 1 } });
    expect([status, body.partialSuccess.rejectedSpans]).toEqual([200, undefined]);
    expect(body.partialSuccess.errorMessage).toContain('nothing was received');
  });
});
