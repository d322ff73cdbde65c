import { describe, expect, it } from '@jest/globals';
import { REF_BYTES_MAX, REFS_MAX, TEXT_BYTES_MAX } from '@answer-evidence/contracts';
import { batchOf, event, log, messages, type Plain, span, spanIdOf, TRACE_ID } from '../../fixtures/items.ts';
import { formatRejections, mapBatch } from '../index.ts';

const LONG = 'x'.repeat(1_000);
const MARKED = { 'service.audit.question_text': 'Q', 'service.audit.answer_text': 'A' };
const mapOne = (attributes: { readonly [key: string]: Plain }, resource?: { readonly [key: string]: Plain }) =>
  mapBatch(
    batchOf(span({ attributes: { ...MARKED, ...attributes }, ...(resource === undefined ? {} : { resource }) })),
  );

describe('what an answer need not have', () => {
  it.each<readonly [reason: string, attributes: { readonly [key: string]: Plain }]>([
    ['enduser.id_hash must be at most 256 characters', { 'enduser.id_hash': LONG }],
    ['gen_ai.response.id must be a string', { 'gen_ai.response.id': ['a'] }],
    [
      "service.audit.source_refs is not JSON; the SDK's attribute length limit may have truncated it",
      { 'service.audit.source_refs': '[{"a":' },
    ],
    [
      'service.audit.source_refs must be an array of objects, or JSON of one',
      { 'service.audit.source_refs': '{"a":1}' },
    ],
    ['item 1 of service.audit.semantic_refs must be an object', { 'service.audit.semantic_refs': [{}, 7] }],
    [
      'service.audit.semantic_refs must have at most 200 items',
      { 'service.audit.semantic_refs': Array.from({ length: REFS_MAX + 1 }, () => ({})) },
    ],
    [
      'item 0 of service.audit.semantic_refs must be at most 16384 bytes in canonical form',
      { 'service.audit.semantic_refs': [{ a: 'x'.repeat(REF_BYTES_MAX) }] },
    ],
    [
      'service.audit.semantic_refs contains an integer beyond 2^53 - 1; send it as a string',
      { 'service.audit.semantic_refs': [{ n: 2n ** 53n }] },
    ],
    [
      'service.audit.semantic_refs contains a number that is not finite',
      { 'service.audit.semantic_refs': [{ n: Number.NaN }] },
    ],
    [
      'service.audit.semantic_refs contains bytes; send them as a string',
      { 'service.audit.semantic_refs': [{ b: new Uint8Array(1) }] },
    ],
    [
      'item 0 of service.audit.semantic_refs cannot be stored: a string contains an unpaired surrogate',
      { 'service.audit.semantic_refs': [{ a: '\udc00' }] },
    ],
    [
      'item 0 of service.audit.semantic_refs contains the character U+0000',
      { 'service.audit.semantic_refs': [{ a: ['\0'] }] },
    ],
    [
      'the source_ref_id of item 0 of service.audit.source_refs must be 1 to 100 characters of A-Z a-z 0-9 . _ : -',
      { 'service.audit.source_refs': [{ source_ref_id: 'a b' }] },
    ],
    [
      'service.audit.source_refs contains a source_ref_id twice',
      { 'service.audit.source_refs': [{ source_ref_id: 'a' }, { source_ref_id: 'a' }] },
    ],
    ['gen_ai.response.id must not be empty', { 'gen_ai.response.id': '' }],
    ['gen_ai.response.id must be a string', { 'gen_ai.response.id': 7 }],
    ['gen_ai.response.id must not contain control characters', { 'gen_ai.response.id': 'a\n' }],
    ['session.id_hash must be a string', { 'session.id_hash': 5 }],
  ])('is left out with a warning where %s', (reason, attributes) => {
    const mapped = mapOne(attributes);
    expect(mapped.rejected).toEqual([]);
    expect(mapped.items).toMatchObject([
      { externalMessageId: null, actorIdHash: null, sessionIdHash: null, sourceRefs: [], semanticRefs: [] },
    ]);
    expect(mapped.items[0]?.warnings).toEqual([`${reason}; it was left out`]);
  });

  it.each([
    ['at most 200 characters', { 'deployment.environment': LONG }],
    ['a string', { 'deployment.environment.name': 5 }],
  ])('is production where the environment must be %s', (rule, resource) => {
    const [item] = mapOne({}, { 'service.name': 'x', ...resource }).items;
    expect(item?.environment).toBe('production');
    expect(item?.warnings).toEqual([`${Object.keys(resource)[0]} must be ${rule}; it was recorded as production`]);
  });

  it('is left out without what the trace would have in its place', () => {
    const retrieval = span({
      id: 2,
      parent: 1,
      attributes: {
        'gen_ai.operation.name': 'retrieval',
        'gen_ai.retrieval.documents': '[{"id":"terms.pdf","content":"Two years."}]',
      },
    });
    const sourcesOf = (refs: { readonly [key: string]: Plain }) => {
      const answer = span({
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.input.messages': messages(['user', 'Q']),
          'gen_ai.output.messages': messages(['assistant', 'A']),
        },
      });
      const marked = span({ attributes: { ...MARKED, ...refs } });
      return mapBatch(batchOf(Object.keys(refs).length === 0 ? answer : marked, retrieval)).items[0]?.sourceRefs.length;
    };
    expect([sourcesOf({}), sourcesOf({ 'service.audit.source_refs': 'not JSON' })]).toEqual([1, 0]);
  });

  it('is left out where an attribute of it has two values', () => {
    const one = span({ attributes: { ...MARKED, 'gen_ai.response.id': 'a' } });
    const attributes = [...one.attributes, { key: 'gen_ai.response.id', value: 'b' }];
    const mapped = mapBatch(batchOf({ ...one, attributes }));
    expect(mapped.items).toMatchObject([{ externalMessageId: null, answer: { text: 'A' } }]);
    expect(mapped.items[0]?.warnings).toHaveLength(1);
  });

  it('is the SHA-256 of the id of a response that is too long', () => {
    const [item] = mapOne({ 'gen_ai.response.id': 'x'.repeat(257) }).items;
    expect(item?.externalMessageId).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(item).not.toHaveProperty('warnings');
  });
});

describe('the fields of an answer', () => {
  it('come from the resource and the attributes that the contract names', () => {
    const attributes = {
      'service.audit.idempotency_key': 'msg-123',
      'service.audit.semantic_refs': '[{"intent":"opening hours"}]',
      'service.audit.source_refs': [{ source_name: 'faq.md', source_ref_id: 's1' }],
      'enduser.id_hash': 'u-1',
      'session.id_hash': 's-1',
      'gen_ai.response.id': 'chatcmpl-1',
    };
    const resource = { 'service.name': 'support-bot', 'deployment.environment.name': 'staging' };
    expect(mapOne(attributes, resource).items).toEqual([
      {
        index: 0,
        signal: 'span',
        applicationKey: 'support-bot',
        environment: 'staging',
        idempotencyKey: 'msg-123',
        question: { text: 'Q' },
        answer: { text: 'A' },
        semanticRefs: [{ intent: 'opening hours' }],
        sourceRefs: [{ source_name: 'faq.md', source_ref_id: 's1' }],
        traceId: TRACE_ID,
        spanId: spanIdOf(1),
        externalMessageId: 'chatcmpl-1',
        actorIdHash: 'u-1',
        sessionIdHash: 's-1',
        startedAtUnixNano: 1_000n,
      },
    ]);
  });

  it.each([
    [{ 'deployment.environment': 'old', 'deployment.environment.name': 'new' }, 'new'],
    [{ 'deployment.environment': 'old' }, 'old'],
    [{}, 'production'],
  ])('has the environment of the resource %j', (more, environment) => {
    expect(mapOne({}, { 'service.name': 'x', ...more }).items[0]?.environment).toBe(environment);
  });

  it('has a key made of trace and span where the sender names none', () => {
    expect(mapOne({}).items[0]?.idempotencyKey).toBe(`otlp:${TRACE_ID}:${spanIdOf(1)}`);
  });

  it('is marked by members of the body of a log record too', () => {
    const answered = log({ id: 0, event: 'app.answered', body: { ...MARKED, 'service.audit.idempotency_key': 'k' } });
    expect(mapBatch(batchOf(answered)).items).toMatchObject([
      { idempotencyKey: 'k', traceId: null, question: { text: 'Q' } },
    ]);
  });

  it('takes refs that are structured, JSON, or JSON one by one', () => {
    const refs: Plain[] = [{ a: 1 }, { b: [true, null, 'x'] }];
    const forms: readonly Plain[] = [refs, JSON.stringify(refs), refs.map((ref) => JSON.stringify(ref))];
    for (const form of forms) {
      expect(mapOne({ 'service.audit.semantic_refs': form }).items[0]?.semanticRefs).toEqual(refs);
    }
  });

  it('counts one of two equal attributes', () => {
    const one = span({ attributes: MARKED });
    const twice = { ...one, attributes: [...one.attributes, ...one.attributes] };
    expect(mapBatch(batchOf(twice)).items).toEqual(mapBatch(batchOf(one)).items);
  });

  it('drops raw identifiers of people and sessions, and counts them', () => {
    const raw = ['enduser.id', 'enduser.pseudo.id', 'user.id', 'user.email', 'session.id', 'gen_ai.conversation.id'];
    const mapped = mapOne(Object.fromEntries(raw.map((name) => [name, 'alice'])));
    expect(mapped.droppedAttributes).toBe(raw.length);
    expect(JSON.stringify(mapped, (_, value: unknown) => (typeof value === 'bigint' ? 0 : value))).not.toContain(
      'alice',
    );
  });
});

describe('an item is refused alone', () => {
  it.each<readonly [reason: string, attributes: { readonly [key: string]: Plain }]>([
    [
      'service.audit.answer_text must be at most 262144 bytes of UTF-8',
      { 'service.audit.answer_text': '€'.repeat(TEXT_BYTES_MAX / 3 + 1) },
    ],
    ['service.audit.answer_text must be a string', { 'service.audit.answer_text': 7 }],
    ['service.audit.answer_text contains an unpaired surrogate', { 'service.audit.answer_text': 'a\ud800' }],
    ['service.audit.question_text contains the character U+0000', { 'service.audit.question_text': 'a\0' }],
    ['service.audit.answer_hash must be "sha256:" and 64 hex digits', { 'service.audit.answer_hash': 'sha256:AB' }],
    ['service.audit.idempotency_key must be at most 200 characters', { 'service.audit.idempotency_key': LONG }],
    ['service.audit.idempotency_key must not be empty', { 'service.audit.idempotency_key': '' }],
    ['service.audit.idempotency_key must not contain control characters', { 'service.audit.idempotency_key': 'a\nb' }],
  ])('because %s', (reason, attributes) => {
    const mapped = mapBatch(
      batchOf(span({ id: 1, attributes: MARKED }), span({ id: 2, attributes: { ...MARKED, ...attributes } })),
    );
    expect(mapped.items.map(({ index }) => index)).toEqual([0]);
    expect(mapped.rejected).toEqual([{ index: 1, traceId: TRACE_ID, spanId: spanIdOf(2), reason }]);
  });

  it.each([
    ['its resource has no service.name', {}],
    ['service.name must be a string', { 'service.name': 7 }],
  ])('because %s', (reason, resource) => {
    expect(mapOne({}, resource).rejected).toMatchObject([{ reason }]);
  });

  it('because messages were cut, where they would have been its content', () => {
    const attributes = { 'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"te' };
    expect(mapBatch(batchOf(span({ attributes }))).rejected).toMatchObject([
      {
        reason: "gen_ai.output.messages is not JSON; the SDK's attribute length limit may have truncated it",
      },
    ]);
  });

  it('because it has no key and belongs to no span', () => {
    expect(mapBatch(batchOf(log({ id: 0, attributes: MARKED }))).rejected).toMatchObject([
      { reason: 'it has neither service.audit.idempotency_key nor a trace id and a span id to derive a key from' },
    ]);
  });

  it('because an attribute has two values', () => {
    const one = span({ attributes: MARKED });
    const other = { key: 'service.audit.answer_text', value: 'B' };
    for (const attributes of [
      [...one.attributes, other],
      [other, ...one.attributes],
    ]) {
      expect(mapBatch(batchOf({ ...one, attributes })).rejected).toMatchObject([
        { reason: 'the attribute service.audit.answer_text occurs twice with different values' },
      ]);
    }
  });

  it('but not because of a kind with two values, where it has no contents', () => {
    const kinds = ['TOOL', 'AGENT', 'LLM'].map((value) => ({ key: 'openinference.span.kind', value }));
    expect(mapBatch(batchOf({ ...span(), attributes: kinds }))).toEqual(
      expect.objectContaining({ items: [], rejected: [], ignored: 1 }),
    );
  });

  it('but not because of a flattened attribute that nobody reads, whatever it is called and however often it is there', () => {
    const one = span({ attributes: { 'gen_ai.prompt.0.content': 'Q', 'gen_ai.completion.0.content': 'A' } });
    const unread = ['a', 'b'].map((value) => ({ key: 'gen_ai.prompt.0.x-secret', value }));
    const numbered = [{ key: 'gen_ai.completion.00.content', value: 'another' }];
    const mapped = mapBatch(batchOf({ ...one, attributes: [...one.attributes, ...unread, ...numbered] }));
    expect(mapped).toMatchObject({
      items: [{ question: { text: 'Q' }, answer: { text: 'A' } }],
      rejected: [],
      droppedAttributes: 3,
    });
  });

  it('but not because of what only adds to it', () => {
    const attributes = { 'gen_ai.request.model': LONG, 'gen_ai.provider.name': 'a\nb', 'gen_ai.response.model': 'm' };
    const events = [event('gen_ai.evaluation.result', { 'gen_ai.evaluation.name': LONG })];
    expect(
      mapBatch(batchOf(span({ attributes: { ...MARKED, ...attributes }, events }))).items[0]?.semanticRefs,
    ).toEqual([{ ref_type: 'model', response_model: 'm' }]);
  });
});

describe('formatRejections', () => {
  it('names position, ids and reason of each item, in order, and how many more there are', () => {
    const refused = (index: number) => ({ index, traceId: null, spanId: null, reason: 'of a reason' });
    expect(formatRejections('logs', [refused(2), { ...refused(1), traceId: TRACE_ID, spanId: spanIdOf(1) }])).toBe(
      `2 log records were not accepted: log record 1 (trace ${TRACE_ID}, span ${spanIdOf(1)}): of a reason; log record 2: of a reason`,
    );
    const many = formatRejections(
      'traces',
      Array.from({ length: 25 }, (_, n) => refused(n)),
    );
    expect(many).toMatch(/^25 spans were not accepted: span 0: .*; span 19: of a reason; and 5 more$/);
    expect(formatRejections('traces', [])).toBe('');
  });
});
