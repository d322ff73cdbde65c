import { describe, expect, it } from '@jest/globals';
import { commitPlain } from '@answer-evidence/commitments';
import {
  type CreateEventRequest,
  EVENT_TYPES,
  type EventType,
  type JsonObject,
  OPEN_OBJECT_DEPTH_MAX,
  PAYLOAD_BYTES_MAX,
  ServiceError,
  TEXT_BYTES_MAX,
} from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { type EventPayload, parseEventPayload } from './event-payload.ts';

const NOTHING: EventPayload = {
  reasonCode: null,
  redactSourceRefIds: null,
  redactSemanticRefs: null,
  redactEventIds: null,
  retainUntil: null,
  correctedHash: null,
  correctedText: null,
  rest: null,
};
const HASH = commitPlain('No.');
const EVENT = '018f0000-0000-7000-8000-0000000000ab';

function parse(type: EventType, payload?: JsonObject): EventPayload {
  const request: CreateEventRequest = { event_type: type, ...(payload === undefined ? {} : { payload }) };
  return parseEventPayload(request);
}

function faultsOf(type: EventType, payload: JsonObject): readonly string[] {
  try {
    parse(type, payload);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.errors.map(({ pointer }) => pointer);
  }
}

describe('parseEventPayload', () => {
  it.each(EVENT_TYPES)('reads nothing out of a %s without a payload, or with an empty one', (type) => {
    expect(parse(type)).toEqual(NOTHING);
    expect(parse(type, {})).toEqual(NOTHING);
  });

  it.each<[EventType, JsonObject, Partial<EventPayload>]>([
    ['voided', { reason_code: 'wrong' }, { reasonCode: 'wrong' }],
    ['correction_appended', { corrected_answer_hash: HASH }, { correctedHash: HASH }],
    ['correction_appended', { corrected_answer_text: '' }, { correctedText: '' }],
    ['redacted', { redact_source_ref_ids: ['a', 'b', 'a'] }, { redactSourceRefIds: ['a', 'b'] }],
    ['redacted', { redact_source_ref_ids: [] }, { redactSourceRefIds: [] }],
    ['redacted', { redact_semantic_refs: false }, { redactSemanticRefs: false }],
    ['redacted', { redact_event_ids: [EVENT.toUpperCase(), EVENT] }, { redactEventIds: [EVENT, EVENT] }],
    ['retention_extended', { retain_until: '2030-01-01T00:00:00Z' }, { retainUntil: 1_893_456_000_000_000 }],
    ['voided', { ticket: { n: 1 } }, { rest: { ticket: { n: 1 } } }],
    ['redacted', { reason_code: 'privacy', ticket: 1 }, { reasonCode: 'privacy', rest: { ticket: 1 } }],
  ])('reads %s %j', (type, payload, read) => {
    expect(parse(type, payload)).toEqual({ ...NOTHING, ...read });
  });

  it.each<[EventType, JsonObject]>([
    ['voided', { corrected_answer_hash: 'anything' }],
    ['voided', { redact_source_ref_ids: 'anything' }],
    ['correction_appended', { retain_until: 'anything' }],
    ['voided', { redact_event_ids: 'anything' }],
    ['correction_appended', { redact_semantic_refs: 'anything' }],
    ['retention_extended', { corrected_answer_text: 7 }],
    ['redacted', { retain_until: null }],
  ])('leaves with the rest what means nothing for %s: %j', (type, payload) => {
    expect(parse(type, payload)).toEqual({ ...NOTHING, rest: payload });
  });

  it.each<[EventType, JsonObject]>([
    ['voided', { reason_code: 'x'.repeat(201) }],
    ['voided', { reason_code: null }],
    ['correction_appended', { corrected_answer_hash: HASH.toUpperCase() }],
    ['correction_appended', { corrected_answer_hash: HASH.replace('sha256', 'hmac-sha256') }],
    ['correction_appended', { corrected_answer_text: 'x'.repeat(TEXT_BYTES_MAX + 1) }],
    ['correction_appended', { corrected_answer_text: null }],
    ['redacted', { redact_source_ref_ids: 'a' }],
    ['redacted', { redact_source_ref_ids: [1] }],
    ['redacted', { redact_source_ref_ids: Array.from({ length: 201 }, (_, n) => String(n)) }],
    ['redacted', { redact_semantic_refs: 'true' }],
    ['redacted', { redact_event_ids: EVENT }],
    ['redacted', { redact_event_ids: [EVENT, 'x'] }],
    ['redacted', { redact_event_ids: null }],
    ['redacted', { redact_event_ids: Array.from({ length: 201 }, () => EVENT) }],
    ['retention_extended', { retain_until: '2030-01-01' }],
    ['retention_extended', { retain_until: 1_893_456_000 }],
  ])('refuses %s %.60j', (type, payload) => {
    expect(faultsOf(type, payload)).toEqual(Object.keys(payload).map((name) => `/payload/${name}`));
  });

  it('names every fault at once', () => {
    expect(faultsOf('redacted', { reason_code: 1, redact_source_ref_ids: 2, redact_semantic_refs: 3 })).toEqual([
      '/payload/reason_code',
      '/payload/redact_source_ref_ids',
      '/payload/redact_semantic_refs',
    ]);
  });

  it('measures what is left to the byte, and not what it has read', () => {
    const filled = PAYLOAD_BYTES_MAX - '{"a":""}'.length;
    expect(faultsOf('voided', { a: 'x'.repeat(filled) })).toEqual([]);
    expect(faultsOf('voided', { a: 'x'.repeat(filled + 1) })).toEqual(['/payload']);
    expect(faultsOf('voided', { a: 'x'.repeat(filled), reason_code: 'wrong' })).toEqual([]);
  });

  it('keeps a key of any name, and changes nothing of what it was given', () => {
    const payload = parseJsonText('{"__proto__":{"a":1},"constructor":2,"reason_code":"r"}') as JsonObject;
    const { rest } = parse('voided', payload);
    expect(Object.entries(rest ?? {})).toEqual([
      ['__proto__', { a: 1 }],
      ['constructor', 2],
    ]);
    expect(Object.keys(payload)).toEqual(['__proto__', 'constructor', 'reason_code']);
  });

  it('refuses a payload that nests one level deeper than it may', () => {
    let payload: JsonObject = {};
    for (let n = 1; n < OPEN_OBJECT_DEPTH_MAX; n++) payload = { a: payload };
    expect(faultsOf('voided', payload)).toEqual([]);
    expect(faultsOf('voided', { a: payload })).toEqual(['/payload']);
  });
});
