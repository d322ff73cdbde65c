import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { batchOf, log, messages, type Plain, span } from '../../fixtures/items.ts';
import { packItems, reduceItems, unpackItems } from '../index.ts';

const ATTRIBUTES: readonly { readonly [key: string]: Plain }[] = [
  {},
  { k: 'v' },
  { 'http.route': '/' },
  { 'gen_ai.operation.name': 'chat', 'gen_ai.output.messages': messages(['assistant', 'said']) },
  { 'gen_ai.retrieval.documents': JSON.stringify([{ id: 'doc' }]) },
  { 'openinference.span.kind': 'CHAIN', 'input.value': 'asked', 'output.value': '{"a":1}' },
  { 'service.audit.source_refs': '[]', 'output.value': 'marked' },
];

/** Spans and log records, many of which are like those before them but for their ids and times. */
const items = fc.array(
  fc
    .record({
      isLog: fc.boolean(),
      id: fc.nat(3),
      parent: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
      isRemote: fc.boolean(),
      attributes: fc.constantFrom(...ATTRIBUTES),
      resource: fc.constantFrom<{ readonly [key: string]: Plain }>({}, { 'service.name': 'bot' }),
      startTimeUnixNano: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      statusCode: fc.constantFrom(0, 2),
    })
    .map(({ isLog, id, parent, startTimeUnixNano, statusCode, ...parts }) =>
      isLog
        ? log({ id, ...parts, event: 'gen_ai.choice', body: { message: { content: 'said' } } })
        : { ...span({ id: id + 1, ...parts, ...(parent && { parent }) }), startTimeUnixNano, statusCode },
    ),
  { maxLength: 30 },
);

describe('items', () => {
  it('are after packing as they were before, in whatever order they come', () => {
    fc.assert(
      fc.property(items, (drawn) => {
        const reduced = reduceItems(batchOf(...drawn).items);
        expect(unpackItems(packItems(reduced))).toEqual(reduced);
      }),
      { numRuns: 500 },
    );
  });

  it('that say nothing share what they have in common, and no others do', () => {
    const silent = Array.from({ length: 100 }, (_, n) => span({ id: n + 1, attributes: { k: `${n}` } }));
    const answers = [1, 2].map((n) =>
      span({ id: n, attributes: { 'openinference.span.kind': 'LLM', 'output.value': `said ${n}` } }),
    );
    const { items: received } = batchOf(...silent, ...answers);
    expect(packItems(reduceItems(received))).toMatchObject({ models: { length: 3 } });
    const unlike = reduceItems(batchOf(...answers).items);
    expect(packItems(unlike)).toEqual({ items: unlike });
  });
});
