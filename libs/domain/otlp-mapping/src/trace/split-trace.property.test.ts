import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { batchOf, log, messages, type Plain, span } from '../../fixtures/items.ts';
import {
  type AnswerItem,
  createKeysAbove,
  decideItems,
  findNamedIds,
  hashNamedIds,
  linksOf,
  type OtlpItem,
  type ReducedItem,
  reduceItems,
  splitTrace,
} from '../index.ts';

const CONTENTS: readonly ((n: number) => { readonly [key: string]: Plain })[] = [
  () => ({}),
  (n) => ({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': `model-${n % 3}`,
    'gen_ai.input.messages': messages(['user', `question ${n}`]),
    'gen_ai.output.messages': messages(['assistant', `answer ${n}`]),
  }),
  (n) => ({ 'gen_ai.retrieval.documents': JSON.stringify([{ id: `doc-${n}` }, { id: `doc-${n % 2}` }]) }),
  (n) => ({
    'openinference.span.kind': 'CHAIN',
    'input.value': `asked ${n}`,
    'output.value': '{"a":1,"b":2}',
    'output.mime_type': 'application/json',
  }),
];

/** Those that are no answers. */
const SILENT = [0, 2];

/** Whom spans name: nobody, or with an id, a hash, or both. */
const NAMES: readonly { readonly [key: string]: Plain }[] = [
  {},
  { 'user.id': 'anna' },
  { 'enduser.id': 'anna', 'user.id': 'bert', 'gen_ai.conversation.id': 42 },
  { 'enduser.id_hash': 'sent', 'user.id': 'anna', 'session.id': 's-1' },
];

/** How many of these say themselves what they say; the last one gets its answer from the last call below it. */
const PLAIN = 3;

/** A trace with one root: the nth span is below one of those before it, and ends before that. */
function traceOf(contents: number): fc.Arbitrary<readonly OtlpItem[]> {
  const spans = fc.array(
    fc.record({
      above: fc.nat(),
      content: fc.nat(contents - 1),
      name: fc.nat(NAMES.length - 1),
      statusCode: fc.constantFrom(0, 0, 0, 2),
    }),
    {
      minLength: 1,
      maxLength: 12,
    },
  );
  return spans.map((drawn) =>
    drawn.map(({ above, content, name, statusCode }, n) => ({
      ...span({
        id: n + 1,
        attributes: { ...CONTENTS[content]?.(n), ...NAMES[name] },
        ...(n === 0 ? {} : { parent: (above % n) + 1 }),
      }),
      statusCode,
      startTimeUnixNano: BigInt(n),
      endTimeUnixNano: BigInt(1_000 - n),
    })),
  );
}

/** What a span alone may be: an answer, a part of one, or nothing; whole, failed, paused, refused or unreadable. */
const lone: fc.Arbitrary<OtlpItem> = fc
  .record({
    contents: fc.subarray([...CONTENTS.keys()]),
    more: fc.subarray([
      ...NAMES,
      { 'service.audit.answer_text': 'marked' },
      { 'service.audit.answer_hash': 'no hash' },
      { 'openinference.span.kind': 'LLM', 'input.value': 'asked' },
      { 'output.value': 'said' },
      { 'gen_ai.response.id': 'r-1' },
      { 'gen_ai.operation.name': 'invoke_agent' },
      { 'gen_ai.operation.name': 'execute_tool' },
      { 'gen_ai.output.messages': 'no messages' },
      { 'retrieval.documents.0.document.id': 'd', 'retrieval.documents.0.document.content': 'question 1' },
    ] as { readonly [key: string]: Plain }[]),
    statusCode: fc.constantFrom(0, 0, 2),
    parent: fc.constantFrom(undefined, undefined, 1, 7),
    start: fc.bigInt(0n, 3n),
  })
  .map(({ contents, more, statusCode, parent, start }) => ({
    ...span({
      id: 1,
      attributes: Object.assign({}, ...contents.map((n) => CONTENTS[n]?.(1)), ...more) as { [key: string]: Plain },
      ...(parent === undefined ? {} : { parent }),
    }),
    statusCode,
    startTimeUnixNano: start,
    endTimeUnixNano: start,
  }));

/** Conversations of spans that have not come, one message in each log record. */
const conversations: fc.Arbitrary<readonly OtlpItem[]> = fc.integer({ min: 1, max: 4 }).map((count) =>
  Array.from({ length: count }, (_, n) => [
    log({ id: n + 1, event: 'gen_ai.user.message', body: { content: `asked ${n}` } }),
    log({ id: n + 1, event: 'gen_ai.choice', body: { index: 0, message: { content: `said ${n}` } } }),
  ])
    .flat()
    .map((item, n) => ({ ...item, timeUnixNano: BigInt(n) })),
);

/** Reads a request, as it is read in a workspace that wants hashes of people. */
function reduce(part: readonly OtlpItem[]): readonly ReducedItem[] {
  const { items } = batchOf(...part);
  const reduced = reduceItems(items);
  return hashNamedIds(reduced, findNamedIds(items, reduced), (kind, id) => `hash of ${kind} ${id}`);
}

/** The same in any order, in any number of batches; some of them come twice. */
function arrivalsOf(items: fc.Arbitrary<readonly OtlpItem[]>) {
  return items.chain((drawn) =>
    fc.record({
      items: fc.constant(drawn),
      order: fc.shuffledSubarray([...drawn.keys()], { minLength: drawn.length, maxLength: drawn.length }),
      cuts: fc.array(fc.nat(drawn.length), { maxLength: 5 }),
      again: fc.nat(5),
    }),
  );
}

function batchesOf(items: readonly OtlpItem[], order: readonly number[], cuts: readonly number[], again: number) {
  const bounds = [...new Set([0, ...cuts, items.length])].sort((a, b) => a - b);
  const batches = bounds.slice(1).map((end, n) => {
    const part = order.slice(bounds[n], end).flatMap((at) => items[at] ?? []);
    return reduce(part);
  });
  return batches.flatMap((batch, n) => (n === again ? [batch, batch] : [batch]));
}

/** What is recorded of batches as they come, and of what still waits when nothing comes any more. */
function record(batches: readonly (readonly ReducedItem[])[]): readonly AnswerItem[] {
  const recorded = new Map<string, AnswerItem>();
  let kept: readonly ReducedItem[] = [];
  const take = (answers: readonly AnswerItem[], known: readonly ReducedItem[]) => {
    const keysAbove = createKeysAbove(known);
    for (const answer of answers) {
      if (keysAbove(answer).some((key) => recorded.has(key)) || recorded.has(answer.idempotencyKey)) continue;
      recorded.set(answer.idempotencyKey, answer);
    }
  };
  for (const batch of batches) {
    const known = [...kept, ...batch];
    const { decided, waiting } = splitTrace(known);
    take(decided.items, known);
    const open = new Set(waiting);
    kept = known.map((item) => (open.has(item) ? item : linksOf(item)));
  }
  take(decideItems(kept).items, kept);
  return [...recorded.values()];
}

const nameOf = ({ idempotencyKey, question, answer, actorIdHash, sessionIdHash }: AnswerItem) =>
  `${idempotencyKey} ${question?.text} ${answer?.text} ${actorIdHash} ${sessionIdHash}`;
const whole = (answers: readonly AnswerItem[]) =>
  answers.map((answer) => ({ ...answer, index: 0 })).toSorted((a, b) => (a.idempotencyKey < b.idempotencyKey ? -1 : 1));

const allOf = (items: readonly OtlpItem[]) => decideItems(reduce(items)).items;

describe('a trace in batches', () => {
  it('of spans with nothing above and no answers is decided as nothing, as it is without being split', () => {
    const roots = fc.array(fc.constantFrom(...SILENT), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(roots, (contents) => {
        const of = reduce(contents.map((n, at) => span({ id: at + 1, attributes: CONTENTS[n]?.(at) ?? {} })));
        expect(splitTrace(of)).toEqual({ decided: decideItems(of), waiting: [] });
      }),
    );
  });

  it('of one span is decided as it is beside a trace that is no answer', () => {
    const [other] = reduce([{ ...span({ id: 99, attributes: {} }), traceId: 'f'.repeat(32) }]);
    if (other === undefined) throw new Error('a span is read');
    fc.assert(
      fc.property(lone, (item) => {
        const [alone] = reduce([item]);
        if (alone === undefined) throw new Error('a span is read');
        const { decided, waiting } = splitTrace([alone]);
        const beside = splitTrace([alone, other]);
        expect(waiting).toEqual(beside.waiting.filter((one) => one !== other));
        const { ignored, ...made } = beside.decided;
        expect(decided).toEqual({ ...made, ignored: ignored - Number(!beside.waiting.includes(other)) });
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same records with all of their refs, however it is split, when its root comes last', () => {
    fc.assert(
      fc.property(arrivalsOf(traceOf(CONTENTS.length)), ({ items, order, cuts, again }) => {
        const rootLast = [...order.filter((at) => at !== 0), 0];
        expect(whole(record(batchesOf(items, rootLast, cuts, again)))).toEqual(whole(allOf(items)));
      }),
      { numRuns: 500 },
    );
  });

  it('gives records with the same keys, texts and people, in whatever order it comes, also root first', () => {
    fc.assert(
      fc.property(arrivalsOf(traceOf(PLAIN)), ({ items, order, cuts, again }) => {
        const rootFirst = [0, ...order.filter((at) => at !== 0)];
        for (const arrival of [order, rootFirst]) {
          const recorded = record(batchesOf(items, arrival, cuts, again));
          expect(recorded.map(nameOf).toSorted()).toEqual(allOf(items).map(nameOf).toSorted());
        }
      }),
      { numRuns: 500 },
    );
  });

  it('gives a record of each conversation in log records, whichever part of it comes first', () => {
    fc.assert(
      fc.property(arrivalsOf(conversations), ({ items, order, cuts, again }) => {
        expect(whole(record(batchesOf(items, order, cuts, again)))).toEqual(whole(allOf(items)));
      }),
      { numRuns: 200 },
    );
  });
});
