import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { commitPlain } from '@answer-evidence/commitments';
import {
  type CreateRecordRequest,
  createRecordRequest,
  type JsonObject,
  type JsonValue,
} from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import { fingerprintText } from './fingerprint.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const key = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' });
const textOrHash = fc.oneof(
  text.map((value) => ({ text: value })),
  text.map((value) => ({ hash: commitPlain(value) })),
  text.map((value) => ({ text: value, hash: commitPlain(value) })),
  // Refused by every policy, but a request of its own all the same.
  text.map((value) => ({ text: value, hash: commitPlain(`${value}!`) })),
);
const item = fc.dictionary(key, fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text)));
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Requests as a schema lets them through: what was not sent is not there. */
const request: fc.Arbitrary<CreateRecordRequest> = fc
  .record({
    application_key: key,
    question: textOrHash,
    answer: textOrHash,
    environment: optional(key),
    idempotency_key: optional(key),
    semantic_refs: optional(fc.array(item, { maxLength: 3 })),
    source_refs: optional(fc.array(item, { maxLength: 3 })),
    external_trace_id: optional(key),
    mode: optional(key),
    retention_until: optional(fc.constantFrom('2027-01-01T00:00:00Z', '2027-01-01T01:00:00+01:00')),
  })
  .map((drawn) => createRecordRequest.parse(JSON.parse(JSON.stringify(drawn))));

function reordered(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((inner: JsonValue) => reordered(inner));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject)
      .reverse()
      .map(([name, inner]) => [name, reordered(inner)]),
  );
}

/** What two requests must agree in to be the same one: all but the key, with a text and its hash as one. */
function meaning({ idempotency_key: _, ...sent }: CreateRecordRequest): string {
  const said = ({ text: value, hash }: CreateRecordRequest['question']): JsonObject =>
    value === undefined ? { hash: hash ?? '' } : { text: value, hash: hash ?? commitPlain(value) };
  return canonicalize({ ...(sent as JsonObject), question: said(sent.question), answer: said(sent.answer) });
}

describe('fingerprintText', () => {
  it('is the same for reordered keys, for a text with its hash filled in, and under any idempotency key', () => {
    fc.assert(
      fc.property(request, optional(key), (sent, otherKey) => {
        const fingerprint = fingerprintText(sent);
        expect(fingerprintText(createRecordRequest.parse(reordered(sent as JsonObject)))).toBe(fingerprint);
        const filled = ({ text: value, hash }: CreateRecordRequest['question']) =>
          value === undefined ? { hash } : { text: value, hash: hash ?? commitPlain(value) };
        expect(fingerprintText({ ...sent, question: filled(sent.question), answer: filled(sent.answer) })).toBe(
          fingerprint,
        );
        expect(fingerprintText({ ...sent, idempotency_key: otherKey })).toBe(fingerprint);
      }),
    );
  });

  it('is another one whenever two requests say another thing', () => {
    fc.assert(
      fc.property(request, request, (one, other) => {
        expect(fingerprintText(one) === fingerprintText(other)).toBe(meaning(one) === meaning(other));
      }),
    );
  });

  it('is another one for any one field that is changed, added or left out', () => {
    fc.assert(
      fc.property(request, request, (sent, other) => {
        for (const name of Object.keys(createRecordRequest.shape) as (keyof CreateRecordRequest)[]) {
          const { [name]: _, ...rest } = sent;
          const swapped = other[name] === undefined ? rest : { ...rest, [name]: other[name] };
          const parsed = createRecordRequest.safeParse(swapped);
          if (!parsed.success) continue;
          expect(fingerprintText(parsed.data) === fingerprintText(sent)).toBe(meaning(parsed.data) === meaning(sent));
        }
      }),
    );
  });

  it('tells a text from its hash alone, and a default from its absence', () => {
    const bare: CreateRecordRequest = { application_key: 'bot', question: { text: 'a' }, answer: { text: 'b' } };
    const others: readonly CreateRecordRequest[] = [
      { ...bare, answer: { hash: commitPlain('b') } },
      { ...bare, answer: { text: 'b', hash: commitPlain('c') } },
      { ...bare, environment: 'production' },
      { ...bare, source_refs: [] },
      { ...bare, question: bare.answer, answer: bare.question },
    ];
    expect(new Set([bare, ...others].map((one) => fingerprintText(one))).size).toBe(6);
  });

  it('holds no submitted text', () => {
    const secret = 'nobody else says this';
    expect(
      fingerprintText({ application_key: 'bot', question: { text: secret }, answer: { text: secret } }),
    ).not.toContain(secret);
  });
});
