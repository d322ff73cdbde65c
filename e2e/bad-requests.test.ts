import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answer, openTestService, type Reply, type TestService } from '../tools/scenery/test-service.ts';
import { expectNothingKept, expectRefusals, type Refusal, SECRET } from './support/refusals.ts';

const RECORDS = '/api/answer-audit-logs';
const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const DAY_MS = 86_400_000;

let service: TestService;
let recordId: string;
beforeAll(async () => {
  service = await openTestService();
  // What is counted here is what is kept of requests that are refused, and not who reads.
  await service.call('PATCH', '/api/tenant/settings', { body: { answer_audit_reading_rule: 'open' } });
  const body = answer('a question', 'an answer', { source_refs: [{ source_ref_id: 's1', name: 'faq.md' }] });
  recordId = (await service.call('POST', RECORDS, { body })).body.id;
});
afterAll(() => service.close());

const event = (body: unknown): Promise<Reply> => service.call('POST', `${RECORDS}/${recordId}/events`, { body });
const get = (path: string): Promise<Reply> => service.call('GET', path);
const daysAhead = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

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
  ['an id that is not one', () => get(`${RECORDS}/not-a-uuid`), 404, 'not_found'],
  ['an id in braces', () => get(`${RECORDS}/{${recordId}}`), 404, 'not_found'],
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
  [
    'a time that is not one',
    () => get(`${RECORDS}?created_after=yesterday`),
    422,
    'schema_violation',
    '?created_after',
  ],
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

describe('of what is sent about records', () => {
  expectNothingKept(() => service);
  expectRefusals([...EVENTS, ...QUERIES]);

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
