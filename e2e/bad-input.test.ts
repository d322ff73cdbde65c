import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answer, openTestService, type Reply, type TestService } from './support/test-service.ts';
import { openTally, type Tally } from './support/tally.ts';

const RECORDS = '/api/answer-audit-logs';
const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const DAY_MS = 86_400_000;
const SECRET = 'a text that nobody may repeat';

let service: TestService;
let tally: Awaited<ReturnType<typeof openTally>>;
let recordId: string;
beforeAll(async () => {
  service = await openTestService();
  tally = await openTally(service.databaseUrl);
  const body = answer('a question', 'an answer', { source_refs: [{ source_ref_id: 's1', name: 'faq.md' }] });
  recordId = (await post(body)).body.id;
});
afterAll(async () => {
  await tally.close();
  await service.close();
});

const post = (body: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  service.call('POST', RECORDS, { body, headers });
const event = (body: unknown): Promise<Reply> => service.call('POST', `${RECORDS}/${recordId}/events`, { body });
const get = (path: string): Promise<Reply> => service.call('GET', path);

/** Text of a create with this in the place of a member's value, so that it can be no JSON at all. */
const raw = (member: string, value: string) =>
  `{"application_key":"support-bot","question":{"text":"${SECRET}"},"answer":{"text":"${SECRET}"},"${member}":${value}}`;
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const daysAhead = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const of = (more: object) => answer(SECRET, SECRET, more);

type Refusal = readonly [name: string, send: () => Promise<Reply>, status: number, code: string, pointer?: string];

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
    'a compressed body',
    () => post(JSON.stringify(of({})), { 'Content-Encoding': 'gzip' }),
    415,
    'media_type_not_supported',
  ],
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
  ['an unknown version', () => post(of({}), { 'Service-Version': '2020-01-01' }), 422, 'version_not_supported'],
];

const FIELDS: readonly Refusal[] = [
  ['neither text nor hash', () => post(of({ question: {} })), 422, 'schema_violation', '/question'],
  [
    'a hash in upper case',
    () => post(of({ question: { hash: `sha256:${'A'.repeat(64)}` } })),
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

const EVENTS: readonly Refusal[] = [
  ['an event without a type', () => event({}), 422, 'schema_violation', '/event_type'],
  ['an event of an unknown type', () => event({ event_type: 'deleted' }), 422, 'schema_violation', '/event_type'],
  [
    'an unknown field of an event',
    () => event({ event_type: 'voided', note: SECRET }),
    422,
    'schema_violation',
    '/note',
  ],
  [
    'a payload that is no object',
    () => event({ event_type: 'voided', payload: [SECRET] }),
    422,
    'schema_violation',
    '/payload',
  ],
  [
    'a redaction of an unknown source ref',
    () => event({ event_type: 'redacted', payload: { redact_source_ref_ids: ['s1', 's2'] } }),
    422,
    'source_ref_not_found',
    '/payload/redact_source_ref_ids/1',
  ],
  [
    'a redaction of ids that are no array',
    () => event({ event_type: 'redacted', payload: { redact_source_ref_ids: 's1' } }),
    422,
    'schema_violation',
    '/payload/redact_source_ref_ids',
  ],
  [
    'a redaction of refs that is neither true nor false',
    () => event({ event_type: 'redacted', payload: { redact_semantic_refs: 'yes' } }),
    422,
    'schema_violation',
    '/payload/redact_semantic_refs',
  ],
  [
    'a correction with a hash of another form',
    () => event({ event_type: 'correction_appended', payload: { corrected_answer_hash: 'abc' } }),
    422,
    'schema_violation',
    '/payload/corrected_answer_hash',
  ],
  [
    'a correction whose hash is not its text’s',
    () =>
      event({
        event_type: 'correction_appended',
        payload: { corrected_answer_hash: `sha256:${'0'.repeat(64)}`, corrected_answer_text: SECRET },
      }),
    422,
    'hash_mismatch',
    '/payload/corrected_answer_hash',
  ],
  [
    'a retention extended into the past',
    () => event({ event_type: 'retention_extended', payload: { retain_until: daysAhead(-1) } }),
    422,
    'retention_out_of_range',
    '/payload/retain_until',
  ],
  [
    'a retention extended too far',
    () => event({ event_type: 'retention_extended', payload: { retain_until: daysAhead(3651) } }),
    422,
    'retention_out_of_range',
    '/payload/retain_until',
  ],
  [
    'an event of no record',
    () => service.call('POST', `${RECORDS}/${UNKNOWN}/events`, { body: { event_type: 'voided' } }),
    404,
    'not_found',
  ],
  ['an id that is none', () => get(`${RECORDS}/not-a-uuid`), 404, 'not_found'],
  ['an id in upper case', () => get(`${RECORDS}/${recordId.toUpperCase()}`), 404, 'not_found'],
];

const QUERIES: readonly Refusal[] = [
  ['a garbage cursor', () => get(`${RECORDS}?cursor=garbage`), 422, 'cursor_not_valid', '?cursor'],
  ['an empty cursor', () => get(`${RECORDS}?cursor=`), 422, 'cursor_not_valid', '?cursor'],
  ['a cursor and a page', () => get(`${RECORDS}?cursor=AAAA&page=2`), 422, 'schema_violation', '?page'],
  ['page 0', () => get(`${RECORDS}?page=0`), 422, 'schema_violation', '?page'],
  ['a negative size', () => get(`${RECORDS}?size=-1`), 422, 'schema_violation', '?size'],
  ['size 201', () => get(`${RECORDS}?size=201`), 422, 'schema_violation', '?size'],
  ['a size in another notation', () => get(`${RECORDS}?size=1e1`), 422, 'schema_violation', '?size'],
  ['a page out of reach', () => get(`${RECORDS}?page=51&size=200`), 422, 'page_out_of_reach', '?page'],
  [
    'an unknown filter',
    () => get(`${RECORDS}?answer=${encodeURIComponent(SECRET)}`),
    422,
    'schema_violation',
    '?answer',
  ],
  ['a filter given twice', () => get(`${RECORDS}?mode=a&mode=b`), 422, 'schema_violation', '?mode'],
  ['an unknown status', () => get(`${RECORDS}?status=deleted`), 422, 'schema_violation', '?status'],
  ['a time that is none', () => get(`${RECORDS}?created_after=yesterday`), 422, 'schema_violation', '?created_after'],
  [
    'a time out of reach',
    () => get(`${RECORDS}?created_before=0000-01-01T00:00:00%2B23:59`),
    422,
    'schema_violation',
    '?created_before',
  ],
  ['NUL in a filter', () => get(`${RECORDS}?mode=a%00b`), 422, 'nul_character'],
  ['an export without a format', () => get(`${RECORDS}/export`), 422, 'schema_violation', '?format'],
  ['an export of an unknown format', () => get(`${RECORDS}/export?format=xml`), 422, 'schema_violation', '?format'],
  [
    'an export by a filter that it has not',
    () => get(`${RECORDS}/export?format=csv&mode=chat`),
    422,
    'schema_violation',
    '?mode',
  ],
  ['a path with broken escapes', () => get(`${RECORDS}/%zz`), 400, 'malformed_request'],
  ['a method that the path does not take', () => service.call('DELETE', RECORDS), 405, 'method_not_allowed'],
  ['a path of nothing', () => get('/api/nothing'), 404, 'not_found'],
];

describe('what is refused', () => {
  let before: Tally;
  beforeEach(async () => {
    before = await tally.count();
  });
  afterEach(async () => {
    expect(await tally.count()).toEqual(before);
  });

  it.each([...BODIES, ...FIELDS, ...EVENTS, ...QUERIES])(
    '%s is refused with its status, code and place, and nothing is kept or repeated',
    async (_name, send, status, code, pointer) => {
      const reply = await send();
      expect({ status: reply.status, code: reply.body.code }).toEqual({ status, code });
      expect(reply.headers.get('content-type')).toBe('application/problem+json');
      if (pointer !== undefined)
        expect(reply.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
      expect(reply.text).not.toContain(SECRET);
    },
  );

  it('nothing is redacted by a redaction that names one unknown source ref', async () => {
    const refused = await event({ event_type: 'redacted', payload: { redact_source_ref_ids: ['s1', 'unknown'] } });
    expect(refused.status).toBe(422);
    const read = await get(`${RECORDS}/${recordId}`);
    expect(read.body).toMatchObject({
      status: 'recorded',
      question: { text: 'a question' },
      source_refs: [{ source_ref_id: 's1', name: 'faq.md' }],
    });
  });

  it('a setting out of its range changes nothing else of the same PATCH', async () => {
    const { body: settings } = await get('/api/tenant/settings');
    for (const days of [0, 3651, 1.5, '30']) {
      const body = { answer_audit_default_retention_days: days, answer_audit_store_answer_text: false };
      const reply = await service.call('PATCH', '/api/tenant/settings', { body });
      expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, '/answer_audit_default_retention_days']);
    }
    const unusable = { answer_audit_accept_text: false };
    const reply = await service.call('PATCH', '/api/tenant/settings', { body: unusable });
    expect([reply.status, reply.body.code]).toEqual([422, 'settings_unusable']);
    expect((await get('/api/tenant/settings')).body).toEqual(settings);
  });
});
