import { afterAll, describe } from '@jest/globals';
import { answer, openTestService, type Reply } from '../tools/scenery/test-service.ts';
import { expectNothingKept, expectRefusals, type Refusal, SECRET } from './support/refusals.ts';

const RECORDS = '/api/answer-audit-logs';
const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const DAY_MS = 86_400_000;

const service = await openTestService();
afterAll(() => service.close());

const post = (body: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  service.call('POST', RECORDS, { body, headers });
/** Text of a create with this in the place of a member's value, so that it can be no JSON at all. */
const raw = (member: string, value: string) =>
  `{"application_key":"support-bot","question":{"text":"${SECRET}"},"answer":{"text":"${SECRET}"},"${member}":${value}}`;
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const daysAhead = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const of = (more: object) => answer(SECRET, SECRET, more);

const BODIES: readonly Refusal[] = [
  ['a body that is no JSON', () => post(`{"question": "${SECRET}`), 400, 'malformed_json'],
  ['an empty body', () => post(''), 400, 'malformed_json'],
  [
    'a body in another encoding than UTF-8',
    () => post(raw('mode', '"é"'), { 'Content-Type': 'application/json; charset=latin1' }),
    415,
    'media_type_not_supported',
  ],
  [
    'a form',
    () => post('a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }),
    415,
    'media_type_not_supported',
  ],
  ['plain text', () => post(JSON.stringify(of({})), { 'Content-Type': 'text/plain' }), 415, 'media_type_not_supported'],
  [
    'a body in brotli',
    () => post(JSON.stringify(of({})), { 'Content-Encoding': 'br' }),
    415,
    'media_type_not_supported',
  ],
  ['gzip that is none', () => post(JSON.stringify(of({})), { 'Content-Encoding': 'gzip' }), 400, 'malformed_request'],
  ['an array', () => post('[]'), 422, 'schema_violation', ''],
  ['null', () => post('null'), 422, 'schema_violation', ''],
  ['an empty object', () => post('{}'), 422, 'schema_violation', '/application_key'],
  ['an unknown field', () => post(of({ answer_text: SECRET })), 422, 'schema_violation', '/answer_text'],
  [
    'an unknown field of a text',
    () => post(of({ question: { text: SECRET, lang: 'en' } })),
    422,
    'schema_violation',
    '/question/lang',
  ],
  ['__proto__ as a field', () => post(raw('__proto__', '{"mode":"chat"}')), 422, 'schema_violation', '/__proto__'],
  ['a lone surrogate', () => post(raw('mode', '"\\ud800"')), 422, 'lone_surrogate', '/mode'],
  [
    'a lone surrogate in a key',
    () => post(raw('semantic_refs', '[{"\\udc00":1}]')),
    422,
    'lone_surrogate',
    '/semantic_refs/0',
  ],
  ['NUL', () => post(raw('mode', '"a\\u0000b"')), 422, 'nul_character', '/mode'],
  ['a key given twice', () => post(raw('application_key', '"support-bot"')), 422, 'duplicate_key', '/application_key'],
  [
    'a key given twice, once escaped',
    () => post(raw('semantic_refs', '[{"a":1,"\\u0061":2}]')),
    422,
    'duplicate_key',
    '/semantic_refs/0/a',
  ],
  [
    'a number past a double',
    () => post(raw('semantic_refs', '[{"n":1e400}]')),
    422,
    'number_out_of_range',
    '/semantic_refs/0/n',
  ],
  [
    'an integer past 2^53',
    () => post(raw('semantic_refs', '[{"n":9007199254740993}]')),
    422,
    'number_out_of_range',
    '/semantic_refs/0/n',
  ],
  [
    'an integer far past 2^53',
    () => post(raw('source_refs', `[{"n":-${'9'.repeat(300)}}]`)),
    422,
    'number_out_of_range',
    '/source_refs/0/n',
  ],
  ['nesting past 64 levels', () => post(raw('semantic_refs', `[${nested(63)}]`)), 422, 'nesting_too_deep'],
  [
    'a list of references that holds a million other lists',
    () => service.call('POST', '/api/reconciliations/runs', { body: `{"references":[${'[],'.repeat(1_000_000)}[]]}` }),
    413,
    'body_too_large',
  ],
  [
    'evidence of a million segments',
    () => service.call('POST', '/api/evidence-assets', { body: `{"segments":[${'0,'.repeat(1_000_000)}0]}` }),
    413,
    'body_too_large',
  ],
  ['an unknown version', () => post(of({}), { 'Service-Version': '2020-01-01' }), 422, 'version_not_supported'],
];

const FIELDS: readonly Refusal[] = [
  ['neither text nor hash', () => post(of({ question: {} })), 422, 'schema_violation', '/question'],
  [
    'a hash whose algorithm is in upper case',
    () => post(of({ question: { hash: `SHA256:${'a'.repeat(64)}` } })),
    422,
    'schema_violation',
    '/question/hash',
  ],
  [
    'a hash that is too short',
    () => post(of({ answer: { hash: `sha256:${'a'.repeat(63)}` } })),
    422,
    'schema_violation',
    '/answer/hash',
  ],
  [
    'a hash with a line end',
    () => post(of({ answer: { hash: `sha256:${'a'.repeat(64)}\n` } })),
    422,
    'schema_violation',
    '/answer/hash',
  ],
  [
    'a hash of another kind',
    () => post(of({ answer: { hash: `sha512:${'a'.repeat(64)}` } })),
    422,
    'schema_violation',
    '/answer/hash',
  ],
  [
    'a keyed hash',
    () => post(of({ answer: { hash: `hmac-sha256:${'a'.repeat(64)}` } })),
    422,
    'schema_violation',
    '/answer/hash',
  ],
  [
    'a hash of another text',
    () => post(of({ answer: { text: SECRET, hash: `sha256:${'a'.repeat(64)}` } })),
    422,
    'hash_mismatch',
    '/answer/hash',
  ],
  ['an empty application key', () => post(of({ application_key: '' })), 422, 'schema_violation', '/application_key'],
  ['a control character in a key', () => post(of({ environment: 'a\nb' })), 422, 'schema_violation', '/environment'],
  ['a number for a text', () => post(of({ question: { text: 1 } })), 422, 'schema_violation', '/question/text'],
  ['a ref that is no object', () => post(of({ semantic_refs: [SECRET] })), 422, 'schema_violation', '/semantic_refs/0'],
  ['a ref that is an array', () => post(of({ source_refs: [[SECRET]] })), 422, 'schema_violation', '/source_refs/0'],
  [
    'a source ref id of another form',
    () => post(of({ source_refs: [{ source_ref_id: 'a b' }] })),
    422,
    'schema_violation',
    '/source_refs/0/source_ref_id',
  ],
  [
    'a source ref id that is a number',
    () => post(of({ source_refs: [{ source_ref_id: 7 }] })),
    422,
    'schema_violation',
    '/source_refs/0/source_ref_id',
  ],
  [
    'a source ref id given twice',
    () => post(of({ source_refs: [{ source_ref_id: 'a' }, { source_ref_id: 'a' }] })),
    422,
    'schema_violation',
    '/source_refs/1/source_ref_id',
  ],
  [
    'an access event that is no UUID',
    () => post(of({ evidence_access_event_ids: ['x'] })),
    422,
    'schema_violation',
    '/evidence_access_event_ids/0',
  ],
  [
    'an access event that nobody knows',
    () => post(of({ evidence_access_event_ids: [UNKNOWN] })),
    422,
    'access_event_not_found',
    '/evidence_access_event_ids/0',
  ],
  [
    'an access event named twice',
    () => post(of({ evidence_access_event_ids: [UNKNOWN, UNKNOWN] })),
    422,
    'schema_violation',
    '/evidence_access_event_ids',
  ],
  [
    'a retention in the past',
    () => post(of({ retention_until: daysAhead(-1) })),
    422,
    'retention_out_of_range',
    '/retention_until',
  ],
  [
    'a retention too far ahead',
    () => post(of({ retention_until: daysAhead(3651) })),
    422,
    'retention_out_of_range',
    '/retention_until',
  ],
  [
    'a time without an offset',
    () => post(of({ retention_until: '2030-01-01T00:00:00' })),
    422,
    'schema_violation',
    '/retention_until',
  ],
  [
    'a day that does not exist',
    () => post(of({ retention_until: '2027-02-30T00:00:00Z' })),
    422,
    'schema_violation',
    '/retention_until',
  ],
  [
    'the last time that can be written',
    () => post(of({ retention_until: '9999-12-31T23:59:59.999999999-23:59' })),
    422,
    'schema_violation',
    '/retention_until',
  ],
  [
    'header and body with different keys',
    () => post(of({ idempotency_key: 'a' }), { 'Idempotency-Key': 'b' }),
    422,
    'idempotency_key_mismatch',
    '/idempotency_key',
  ],
  [
    'an idempotency key of 201 characters in the header',
    () => post(of({}), { 'Idempotency-Key': 'k'.repeat(201) }),
    422,
    'schema_violation',
    '/idempotency_key',
  ],
];

describe('of what is sent to be recorded', () => {
  expectNothingKept(() => service);
  expectRefusals([...BODIES, ...FIELDS]);
});
