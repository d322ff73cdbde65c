import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createRecordRequest } from '@answer-evidence/contracts';
import { type Plain, spanIdOf, TRACE_ID, valueOf } from '../../fixtures/items.ts';
import {
  type Attribute,
  type AttributeValue,
  CONTENT_RULES,
  DOCUMENT_RULES,
  EVALUATION_RULES,
  FIELD_RULES,
  mapBatch,
  MODEL_RULES,
  type OtlpBatch,
  type OtlpItem,
} from '../index.ts';
import { countDropped } from '../read/listed-attributes.ts';

/** In every text that no rule of the table takes over. */
const SECRET = 'never-stored';

const LISTED = [
  ...CONTENT_RULES.map(({ key }) => key.replace('N', '0')),
  ...CONTENT_RULES.map(({ key }) => key.replace('N', '1')),
  'gen_ai.prompt.0.role',
  'llm.input_messages.0.message.role',
  ...Object.values(FIELD_RULES).flatMap(({ keys }) => keys),
  ...Object.values(MODEL_RULES).flat(),
  ...DOCUMENT_RULES.flatMap(({ form, key }) => (form === 'list' ? [key] : [])),
  'retrieval.documents.0.document.id',
  'retrieval.documents.0.document.metadata',
  EVALUATION_RULES.name,
  'event.name',
];
/** Not in the table, however much they look like it. */
const UNLISTED = [
  'enduser.id',
  'user.id',
  'session.id',
  'gen_ai.conversation.id',
  'gen_ai.system_instructions',
  'retrieval.documents.0.document.embedding',
  'gen_ai.evaluation.explanation',
  'service.audit.unknown',
  'url.full',
  'http.request.header.authorization',
  '__proto__',
];
/** In the table, and only as a hash. */
const HASHED = [
  'gen_ai.tool.call.arguments',
  'gen_ai.prompt.0.tool_calls.0.arguments',
  'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments',
];
const EVENTS = [
  ...new Set(CONTENT_RULES.flatMap(({ event }) => event ?? [])),
  ...DOCUMENT_RULES.flatMap(({ form, key }) => (form === 'event' ? [key] : [])),
  EVALUATION_RULES.event,
  'gen_ai.system.message',
  'exception',
  '',
];

/** Parts of messages that are read, beside those that are not. */
const message = fc.record({
  role: fc.constantFrom('user', 'assistant', 'tool', 'system', ''),
  parts: fc.array(
    fc.oneof(
      fc.record({ type: fc.constant('text'), content: fc.constantFrom('a', 'b', '') }),
      fc.record({ type: fc.constantFrom('tool_call', 'reasoning', 'blob'), content: fc.constant(SECRET) }),
    ),
    { maxLength: 3 },
  ),
});

const leaf = fc.oneof(
  fc.constantFrom<AttributeValue>(null, true, 0, 1.5, Number.NaN, 2n ** 60n, '', 'x', '\ud800', '\0', '[', '{"a":1}'),
  fc.uint8Array({ maxLength: 3 }),
  fc.array(message, { maxLength: 3 }).map((list) => JSON.stringify(list).replaceAll(SECRET, 'known')),
  fc.constant(`sha256:${'0'.repeat(64)}`),
);
const value = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(
        fc.record({
          key: fc.constantFrom('id', 'role', 'parts', 'type', 'content', 'text', '__proto__'),
          value: tie('value'),
        }),
        { maxLength: 4 },
      )
      .map((members) => ({ members })),
  ),
})).value;

/** Attributes whose messages have parts that are not read. */
const conversations = fc.record({
  key: fc.constantFrom('gen_ai.input.messages', 'gen_ai.output.messages', 'gen_ai.prompt', 'gen_ai.event.content'),
  value: fc.oneof(
    fc.array(message, { minLength: 1, maxLength: 3 }).map((list) => JSON.stringify(list)),
    fc.array(message, { maxLength: 3 }).map((list) => valueOf(list as unknown as Plain)),
  ),
});

/** Attributes that say what an item is, and that are easily sent twice. */
const names = fc.oneof(
  fc.record({ key: fc.constant('event.name'), value: fc.constantFrom(...EVENTS) }),
  fc.record({ key: fc.constant('gen_ai.response.id'), value: fc.constantFrom('r-1', 'r-2') }),
  fc.record({
    key: fc.constantFrom('gen_ai.completion.0.content', 'gen_ai.completion.00.content', 'gen_ai.prompt.00.content'),
    value: fc.constantFrom('a', 'b'),
  }),
);

const attributes: fc.Arbitrary<readonly Attribute[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: names },
    { weight: 3, arbitrary: fc.record({ key: fc.constantFrom(...LISTED), value }) },
    { weight: 1, arbitrary: conversations },
    { weight: 1, arbitrary: fc.record({ key: fc.constantFrom(...UNLISTED, ...HASHED), value: fc.constant(SECRET) }) },
  ),
  { maxLength: 8 },
);
const resource = fc.oneof(
  fc.constant({ attributes: [{ key: 'service.name', value: 'support-bot' }] }),
  fc.record({ attributes }),
);
const common = { index: fc.constant(0), resource, scope: fc.constant({ name: '', version: '' }), attributes };
const id = fc.integer({ min: 1, max: 6 }).map(spanIdOf);
const item: fc.Arbitrary<OtlpItem> = fc.oneof(
  fc.record({
    ...common,
    kind: fc.constant('span' as const),
    traceId: fc.constantFrom(TRACE_ID, 'a'.repeat(32)),
    spanId: id,
    parentSpanId: fc.option(id),
    parentIsRemote: fc.boolean(),
    name: fc.constant(SECRET),
    spanKind: fc.constant(0),
    startTimeUnixNano: fc.constant(0n),
    endTimeUnixNano: fc.constant(0n),
    statusCode: fc.constant(0),
    events: fc.array(fc.record({ name: fc.constantFrom(...EVENTS), timeUnixNano: fc.constant(0n), attributes }), {
      maxLength: 3,
    }),
  }),
  fc.record({
    ...common,
    kind: fc.constant('log' as const),
    traceId: fc.option(fc.constant(TRACE_ID)),
    spanId: fc.option(id),
    eventName: fc.constantFrom(...EVENTS),
    timeUnixNano: fc.constant(0n),
    severityNumber: fc.constant(0),
    body: fc.oneof(
      value,
      attributes.map((members) => ({ members })),
    ),
  }),
);
const batch: fc.Arbitrary<OtlpBatch> = fc.array(item, { maxLength: 8 }).map((items) => ({
  signal: 'traces' as const,
  items: items.map((one, index) => ({ ...one, index })),
  rejected: [],
}));

function textOf(mapped: unknown): string {
  return JSON.stringify(mapped, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
}

describe('mapBatch', () => {
  it('never throws, and leaves no item without an outcome', () => {
    fc.assert(
      fc.property(batch, (given) => {
        const { items, rejected, ignored } = mapBatch(given);
        expect(items.length + rejected.length + ignored).toBe(given.items.length);
        const indexes = [...items, ...rejected].map(({ index }) => index);
        expect(new Set(indexes).size).toBe(indexes.length);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps to the schema of a create', () => {
    fc.assert(
      fc.property(batch, (given) => {
        for (const made of mapBatch(given).items) {
          const labels = {
            external_trace_id: made.traceId,
            external_message_id: made.externalMessageId,
            actor_id_hash: made.actorIdHash,
            session_id_hash: made.sessionIdHash,
          };
          const create = {
            application_key: made.applicationKey,
            environment: made.environment,
            idempotency_key: made.idempotencyKey,
            question: made.question ?? { text: '' },
            answer: made.answer ?? { text: '' },
            semantic_refs: made.semanticRefs,
            source_refs: made.sourceRefs,
            ...Object.fromEntries(Object.entries(labels).filter(([, label]) => label !== null)),
          };
          expect(createRecordRequest.parse(create)).toEqual(create);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes over no value that the table does not name', () => {
    fc.assert(
      fc.property(batch, (given) => {
        expect(textOf(mapBatch(given))).not.toContain(SECRET);
      }),
      { numRuns: 500 },
    );
  });

  it('takes no meaning from the order of attributes', () => {
    const reversed = (one: OtlpItem): OtlpItem => ({ ...one, attributes: one.attributes.toReversed() });
    fc.assert(
      fc.property(batch, (given) => {
        const other = { ...given, items: given.items.map(reversed) };
        // Of two faults of one item either may be named.
        const plain = (mapped: ReturnType<typeof mapBatch>) => ({
          ...mapped,
          rejected: mapped.rejected.map(({ index }) => index),
        });
        expect(plain(mapBatch(other))).toEqual(plain(mapBatch(given)));
      }),
      { numRuns: 500 },
    );
  });

  it('counts every attribute that no rule names as dropped', () => {
    fc.assert(
      fc.property(item, (given) => {
        const unlisted = (list: readonly Attribute[]) => list.filter(({ key }) => UNLISTED.includes(key)).length;
        const inEvents = given.kind === 'span' ? given.events.map((one) => unlisted(one.attributes)) : [];
        const least = inEvents.reduce((sum, count) => sum + count, unlisted(given.attributes));
        expect(countDropped(given)).toBeGreaterThanOrEqual(least);
      }),
    );
  });
});
