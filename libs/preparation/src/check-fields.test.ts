import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type CreateRecordRequest,
  type JsonObject,
  OPEN_OBJECT_DEPTH_MAX,
  REF_BYTES_MAX,
  ServiceError,
  TEXT_BYTES_MAX,
} from '@answer-evidence/contracts';
import { utf8 } from '@answer-evidence/encoding';
import { checkFields, isLongerThan } from './check-fields.ts';

const ID = '0199f3c2-0000-7000-8000-000000000001';

function request(more: Partial<CreateRecordRequest> = {}): CreateRecordRequest {
  return { application_key: 'bot', question: { text: 'Why?' }, answer: { text: 'Because.' }, ...more };
}

function pointersOf(more: Partial<CreateRecordRequest>): readonly string[] {
  try {
    checkFields(request(more));
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.errors.map(({ pointer }) => pointer);
  }
}

function nested(levels: number): JsonObject {
  let value: JsonObject = {};
  for (let n = 1; n < levels; n++) value = { a: value };
  return value;
}

describe('checkFields', () => {
  it('gives each item its canonical text, and a source ref’s without its id', () => {
    expect(
      checkFields(
        request({
          semantic_refs: [{ b: 1, a: 1.5 }],
          source_refs: [{ z: 0, source_ref_id: 'faq:1', a: 'é' }, { source_name: 'x' }],
          retention_until: '2027-01-01T01:00:00.5+01:00',
        }),
      ),
    ).toEqual({
      semanticRefs: [{ text: '{"a":1.5,"b":1}' }],
      sourceRefs: [
        { text: '{"a":"é","z":0}', sourceRefId: 'faq:1' },
        { text: '{"source_name":"x"}', sourceRefId: null },
      ],
      retentionUntil: 1_798_761_600_500_000,
    });
  });

  it('measures in bytes of UTF-8, to the byte', () => {
    expect(pointersOf({ answer: { text: 'é'.repeat(TEXT_BYTES_MAX / 2) } })).toEqual([]);
    expect(pointersOf({ answer: { text: `${'é'.repeat(TEXT_BYTES_MAX / 2)}a` } })).toEqual(['/answer/text']);
    const filled = REF_BYTES_MAX - '{"a":""}'.length;
    expect(pointersOf({ semantic_refs: [{ a: 'x'.repeat(filled) }] })).toEqual([]);
    expect(pointersOf({ source_refs: [{ a: 'x'.repeat(filled + 1) }] })).toEqual(['/source_refs/0']);
  });

  it('does not count a source ref’s id to its size', () => {
    const filled = REF_BYTES_MAX - '{"a":""}'.length;
    expect(pointersOf({ source_refs: [{ a: 'x'.repeat(filled), source_ref_id: 'x'.repeat(100) }] })).toEqual([]);
  });

  it.each(['', 'two words', 'é', 'a/b', 'x'.repeat(101), 7, null, ['a']])('refuses %j as a source_ref_id', (id) => {
    expect(pointersOf({ source_refs: [{ source_ref_id: id }] })).toEqual(['/source_refs/0/source_ref_id']);
  });

  it.each(['a', 'A-b_c.d:0', 'x'.repeat(100)])('accepts %j as a source_ref_id', (id) => {
    expect(pointersOf({ source_refs: [{ source_ref_id: id }] })).toEqual([]);
  });

  it('names all faults at once, in the order of the request', () => {
    expect(
      pointersOf({
        question: { text: 'x'.repeat(TEXT_BYTES_MAX + 1) },
        semantic_refs: [{ a: 'x'.repeat(REF_BYTES_MAX) }],
        source_refs: [{ source_ref_id: 'a' }, { source_ref_id: 'b' }, { source_ref_id: 'a' }],
        evidence_access_event_ids: [ID, ID],
        retention_until: '9999-12-31T00:00:00Z',
      }),
    ).toEqual([
      '/question/text',
      '/semantic_refs/0',
      '/source_refs/2/source_ref_id',
      '/evidence_access_event_ids',
      '/retention_until',
    ]);
  });

  it('refuses an item that nests one level deeper than it may', () => {
    expect(pointersOf({ semantic_refs: [nested(OPEN_OBJECT_DEPTH_MAX)] })).toEqual([]);
    expect(pointersOf({ semantic_refs: [nested(OPEN_OBJECT_DEPTH_MAX + 1)] })).toEqual(['/semantic_refs/0']);
  });
});

describe('isLongerThan', () => {
  it('says the same as the length of the encoded text', () => {
    const limit = fc.integer({ min: 0, max: 40 });
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), limit, (text, bytes) => {
        expect(isLongerThan(text, bytes)).toBe(utf8(text).length > bytes);
      }),
    );
  });
});
