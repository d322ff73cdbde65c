import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { commitPlain } from '@answer-evidence/commitments';
import {
  type CreateRecordRequest,
  createRecordRequest,
  type JsonObject,
  type JsonValue,
  mapLabels,
} from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import { isSameRequest } from '@answer-evidence/ledger';
import { createTestVault } from '@answer-evidence/testing';
import { checkFields, restoreRefs, withoutRefs } from './check-fields.ts';
import {
  claimKey,
  claimKeyV1,
  claimRecordKey,
  digestTexts,
  fingerprintText,
  formatEffective,
  withoutEmpty,
} from './fingerprint.ts';

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

  it('is the JCS of the request as it was sent, with hashes for its texts and with its span', () => {
    const said = ({ text: value, hash }: CreateRecordRequest['question']): JsonObject =>
      value === undefined ? { hash: hash ?? '' } : { text: commitPlain(value), hash: hash ?? commitPlain(value) };
    fc.assert(
      fc.property(request, fc.constantFrom(undefined, null, '00f067aa0ba902b7'), (sent, spanId) => {
        const { idempotency_key: _, ...rest } = sent;
        const span: JsonObject = spanId === undefined ? {} : { otlp_span_id: spanId };
        const texts = { question: said(sent.question), answer: said(sent.answer) };
        expect(fingerprintText(sent, digestTexts(sent), spanId)).toBe(
          canonicalize({ ...(rest as JsonObject), ...span, ...texts }),
        );
      }),
    );
  });

  it('holds no submitted text', () => {
    const secret = 'nobody else says this';
    expect(
      fingerprintText({ application_key: 'bot', question: { text: secret }, answer: { text: secret } }),
    ).not.toContain(secret);
  });
});

const vault = createTestVault('0190a0a0-0000-7000-8000-000000000000');
const USE = { scope: 'record:bot', key: 'k', objectId: '0190a0a0-0000-7000-8000-000000000001' };

function effectiveOf(parsed: CreateRecordRequest): string {
  return formatEffective(parsed, checkFields(parsed), digestTexts(parsed));
}

function claimOf(sent: JsonObject, claim = claimRecordKey) {
  const parsed = createRecordRequest.parse(sent);
  return claim(vault, USE, effectiveOf(parsed), () => fingerprintText(parsed));
}

/** What a request may have left: short since records keep it, whole before. */
function storedForms(sent: JsonObject, version: 1 | 2): readonly Uint8Array[] {
  if (version === 2) return [claimRecordKey, claimKey].map((claim) => claimOf(sent, claim).row.fingerprint);
  const text = fingerprintText(createRecordRequest.parse(sent));
  return [claimKeyV1(vault, USE, text).row.fingerprint, vault.fingerprint(text)];
}

/** Whether the second request replays the first, which was recorded under this version of the rule. */
function isReplay(first: JsonObject, second: JsonObject, version: 1 | 2 = 2): boolean {
  const present = claimOf(second);
  const verdicts = storedForms(first, version).map((stored) =>
    isSameRequest(stored, present.row.fingerprint, present.fingerprintV1),
  );
  expect(new Set(verdicts).size).toBe(1);
  return verdicts[0] === true;
}

const LISTS = ['semantic_refs', 'source_refs', 'evidence_access_event_ids'];
const upper = (hash: string) => `sha256:${hash.slice('sha256:'.length).toUpperCase()}`;
const member = (value: JsonValue | undefined, name: string) => (value as Record<string, string | undefined>)[name];

/** Each says the same in other words, or leaves the request as it is. */
const SPELLINGS: Readonly<Record<string, (sent: JsonObject) => JsonObject>> = {
  'members in another order': (sent) => reordered(sent) as JsonObject,
  'a default written out': (sent) => ({ environment: 'production', ...sent }),
  'a default left out': (sent) => {
    const { environment, ...rest } = sent;
    return environment === 'production' ? rest : sent;
  },
  'empty lists written out': (sent) => ({ ...Object.fromEntries(LISTS.map((name) => [name, []])), ...sent }),
  'empty lists left out': (sent) =>
    Object.fromEntries(
      Object.entries(sent).filter(([name, value]) => !LISTS.includes(name) || (value as JsonValue[]).length > 0),
    ),
  'the hash beside the text': (sent) => ({
    ...sent,
    answer: { hash: commitPlain(member(sent.answer, 'text') ?? ''), ...(sent.answer as JsonObject) },
  }),
  'a hash in upper case': (sent) => {
    const hash = member(sent.question, 'hash');
    return hash === undefined ? sent : { ...sent, question: { ...(sent.question as JsonObject), hash: upper(hash) } };
  },
  'ids in upper case': ({ evidence_access_event_ids: ids, ...rest }) =>
    Array.isArray(ids)
      ? { ...rest, evidence_access_event_ids: ids.map((id) => String(id).toUpperCase()) }
      : { ...rest },
  'the time in another zone': ({ retention_until: until, ...rest }) =>
    until === undefined ? rest : { ...rest, retention_until: '2027-01-01T02:00:00.000+02:00' },
  'another key': (sent) => ({ ...sent, idempotency_key: 'other' }),
};

const spelling = fc.constantFrom(...Object.values(SPELLINGS));

/** Requests as they are sent; all times among them are one instant. */
const submitted: fc.Arbitrary<JsonObject> = fc
  .tuple(request, fc.option(fc.array(fc.uuid(), { maxLength: 2 }), { nil: undefined }), fc.boolean())
  .filter(([{ answer }]) => answer.text !== undefined)
  .map(([drawn, ids, isProduction]) => ({
    ...(JSON.parse(JSON.stringify(drawn)) as JsonObject),
    ...(ids === undefined ? {} : { evidence_access_event_ids: [...new Set(ids)] }),
    ...(isProduction ? { environment: 'production' } : {}),
  }))
  .filter((sent) => createRecordRequest.safeParse(sent).success && hasShape(sent));

function hasShape(sent: JsonObject): boolean {
  try {
    checkFields(createRecordRequest.parse(sent));
    return true;
  } catch {
    return false;
  }
}

it('the refs of a request come back as they were sent, whatever was handed on without them', () => {
  const named = fc.tuple(submitted, fc.uniqueArray(fc.constantFrom('a', 'b.1', 'c:2'), { maxLength: 3 }));
  fc.assert(
    fc.property(named, ([sent, ids]) => {
      const sources = (sent.source_refs as readonly JsonObject[] | undefined)?.map((ref, n) =>
        ids[n] === undefined ? ref : { ...ref, source_ref_id: ids[n] },
      );
      const parsed = createRecordRequest.parse({ ...sent, ...(sources && { source_refs: sources }) });
      const handedOn = structuredClone(withoutRefs(parsed));
      expect([...(handedOn.semantic_refs ?? []), ...(handedOn.source_refs ?? [])]).toEqual([]);
      expect(canonicalize(restoreRefs(handedOn, checkFields(parsed)) as JsonObject)).toBe(canonicalize(parsed));
      const members = JSON.parse(effectiveOf(parsed)) as JsonObject;
      expect(members.source_refs ?? []).toEqual(JSON.parse(JSON.stringify(parsed.source_refs ?? [])));
    }),
  );
});

describe('formatEffective', () => {
  it('is the JCS of what version 1 compares, with defaults, one form of the time, and nothing empty', () => {
    fc.assert(
      fc.property(submitted, (sent) => {
        const parsed = createRecordRequest.parse(sent);
        const { retention_until: until, ...asSent } = JSON.parse(fingerprintText(parsed)) as JsonObject;
        const time = until === undefined ? null : '2027-01-01T00:00:00.000000Z';
        const effective = withoutEmpty({ environment: 'production', ...asSent, retention_until: time });
        expect(effectiveOf(parsed)).toBe(canonicalize(effective));
      }),
    );
  });

  it('is the same text as ever', () => {
    const sent = createRecordRequest.parse({
      application_key: 'bot',
      question: { text: 'Why?' },
      answer: { hash: commitPlain('Because.') },
      semantic_refs: [{ z: 1, a: 'ü' }],
      source_refs: [{ source_ref_id: 'faq', name: 'FAQ' }],
      evidence_access_event_ids: [USE.objectId],
      external_trace_id: 't',
      external_message_id: 'm',
      mode: 'live',
      actor_id_hash: 'a',
      session_id_hash: 's',
      retention_until: '2027-01-01T01:00:00+01:00',
      idempotency_key: 'k',
    });
    const why = commitPlain('Why?');
    expect(effectiveOf(sent)).toBe(
      `{"actor_id_hash":"a","answer":{"hash":"${commitPlain('Because.')}"},"application_key":"bot"` +
        `,"environment":"production","evidence_access_event_ids":["${USE.objectId}"],"external_message_id":"m"` +
        `,"external_trace_id":"t","mode":"live","question":{"hash":"${why}","text":"${why}"}` +
        ',"retention_until":"2027-01-01T00:00:00.000000Z","semantic_refs":[{"a":"ü","z":1}],"session_id_hash":"s"' +
        ',"source_refs":[{"name":"FAQ","source_ref_id":"faq"}]}',
    );
  });
});

describe('claimKey', () => {
  it('replays every spelling of one request, and any number of spellings at once', () => {
    fc.assert(
      fc.property(submitted, fc.array(spelling, { maxLength: 6 }), (sent, spellings) => {
        for (const spell of Object.values(SPELLINGS)) expect(isReplay(sent, spell(sent))).toBe(true);
        expect(
          isReplay(
            sent,
            spellings.reduce((said, spell) => spell(said), sent),
          ),
        ).toBe(true);
      }),
    );
  });

  it('conflicts with a request in which any one member says another thing', () => {
    const others: Readonly<Record<string, JsonValue>> = {
      application_key: 'another-bot',
      environment: 'another',
      question: { text: 'another question' },
      answer: { text: 'another answer' },
      semantic_refs: [{ another: 1 }],
      source_refs: [{ another: 1 }],
      evidence_access_event_ids: ['0190a0a0-0000-7000-8000-000000000009'],
      ...mapLabels(() => 'another'),
      retention_until: '2028-01-01T00:00:00Z',
    };
    expect(Object.keys(others).sort()).toEqual(
      Object.keys(createRecordRequest.shape)
        .filter((name) => name !== 'idempotency_key')
        .sort(),
    );
    fc.assert(
      fc.property(submitted, fc.constantFrom(...Object.keys(others)), (sent, name) => {
        fc.pre(canonicalize(sent[name] ?? null) !== canonicalize(others[name] ?? null));
        expect(isReplay(sent, { ...sent, [name]: others[name] ?? null })).toBe(false);
      }),
    );
  });

  it('goes by the rule of its time for a key that was used under version 1', () => {
    fc.assert(
      fc.property(submitted, (sent) => {
        expect(isReplay(sent, sent, 1)).toBe(true);
        expect(isReplay(sent, reordered(sent) as JsonObject, 1)).toBe(true);
        const { environment: _, ...bare } = sent;
        expect(isReplay(bare, { ...bare, environment: 'production' }, 1)).toBe(false);
      }),
    );
  });
});
