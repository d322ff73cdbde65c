import { describe, expect, it } from '@jest/globals';
import type { OtlpRules } from '@answer-evidence/contracts';
import { batchOf, messages, type Plain, span, spanIdOf } from '../../fixtures/items.ts';
import type { OtlpItem, OtlpSpan } from '../item/otlp-item.ts';
import { reduceItems } from '../read/reduced-item.ts';
import { applyRules } from '../rules/apply-rules.ts';
import { findFacts } from '../rules/rule-facts.ts';
import { decideItems, mapBatch } from './map-batch.ts';
import { splitTrace } from './split-trace.ts';

const chat = (question: string | null, answer: string, more: { readonly [key: string]: Plain } = {}) => ({
  'gen_ai.operation.name': 'chat',
  ...(question !== null && { 'gen_ai.input.messages': messages(['user', question]) }),
  'gen_ai.output.messages': messages(['assistant', answer]),
  ...more,
});
const agent = (question: string, answer: string) => ({
  ...chat(question, answer),
  'gen_ai.operation.name': 'invoke_agent',
});
const at = (item: OtlpSpan, from: number, to: number): OtlpSpan => {
  return { ...item, startTimeUnixNano: BigInt(from), endTimeUnixNano: BigInt(to) };
};
const textsOf = (...items: readonly OtlpItem[]) =>
  mapBatch(batchOf(...items)).items.map(({ question, answer }) => [question?.text, answer?.text]);

describe('a parent of another process', () => {
  const tool = span({ id: 2, parent: 1, attributes: { 'gen_ai.operation.name': 'execute_tool' } });
  const front = span({ id: 1, attributes: agent('Q', 'A of the front') });
  const called = span({
    id: 3,
    parent: 2,
    isRemote: true,
    attributes: agent('Q of the front agent', 'A of the other'),
  });

  it('makes no root: what it called waits for it, and is a step if it is below a tool', () => {
    const { decided, waiting } = splitTrace(reduceItems(batchOf(called).items));
    expect([decided.items, waiting.length]).toEqual([[], 1]);
    for (const items of [
      [called, tool, front],
      [front, tool, called],
    ])
      expect(textsOf(...items)).toEqual([['Q', 'A of the front']]);
  });

  it('is not waited for where the rules of the application say so', () => {
    const rules = (roots?: 'remote'): OtlpRules => [
      {
        application_key: 'support-bot',
        answers: 'all',
        include: [],
        exclude: [],
        ...(roots && { root_parents: roots }),
      },
    ];
    const { items } = batchOf(called);
    const reduced = reduceItems(items);
    const waitingBy = (given: OtlpRules) =>
      splitTrace(applyRules(reduced, findFacts(items, reduced), given).items).waiting.length;
    expect([waitingBy(rules()), waitingBy(rules('remote'))]).toEqual([1, 0]);
  });
});

describe('siblings below a span that never came', () => {
  const plan = at(span({ id: 3, parent: 2, attributes: chat('Q', 'rewritten question') }), 10, 20);
  const final = at(span({ id: 4, parent: 2, attributes: chat('rewritten question', 'A') }), 30, 40);

  it('are one run: the last one answers what the first was asked, in whatever order they came', () => {
    expect(textsOf(plan, final)).toEqual([['Q', 'A']]);
    expect(textsOf(final, plan)).toEqual([['Q', 'A']]);
    const [made] = mapBatch(batchOf(final, plan)).items;
    expect(made).toMatchObject({ spanId: spanIdOf(4) });
  });

  it('are one run also if there are a hundred', () => {
    const all = Array.from({ length: 100 }, (_, n) =>
      at(span({ id: n + 3, parent: 2, attributes: chat(`Q ${n}`, `A ${n}`) }), n * 10 + 1, n * 10 + 5),
    );
    expect(textsOf(...all)).toEqual([['Q 0', 'A 99']]);
  });

  it('keep the sources of each of them', () => {
    const search = span({
      id: 9,
      parent: 3,
      attributes: {
        'gen_ai.operation.name': 'retrieval',
        'gen_ai.retrieval.documents': JSON.stringify([{ id: 'd1', content: 'text of a document' }]),
      },
    });
    const [made] = mapBatch(batchOf(plan, search, final)).items;
    expect(made?.sourceRefs).toMatchObject([{ source_name: 'd1' }]);
  });

  it('are turns if they are runs that were each asked something of their own', () => {
    const first = at(span({ id: 3, parent: 2, attributes: agent('Q one', 'A one') }), 10, 20);
    const second = at(span({ id: 4, parent: 2, attributes: agent('Q two', 'A two') }), 30, 40);
    expect(textsOf(first, second)).toEqual([
      ['Q one', 'A one'],
      ['Q two', 'A two'],
    ]);
    const handed = at(span({ id: 4, parent: 2, attributes: agent('Q one', 'A two') }), 30, 40);
    expect(textsOf(first, handed)).toEqual([['Q one', 'A two']]);
  });

  it('are answers each if the span is there and is none, if they have no parent, or if they are of other processes', () => {
    const two = [
      ['Q', 'rewritten question'],
      ['rewritten question', 'A'],
    ];
    expect(textsOf(span({ id: 2 }), plan, final)).toEqual(two);
    expect(textsOf({ ...plan, parentSpanId: null }, { ...final, parentSpanId: null })).toEqual(two);
    expect(textsOf({ ...plan, parentIsRemote: true }, { ...final, parentIsRemote: true })).toEqual(two);
  });
});

describe('a call that is seen twice', () => {
  const seen = (id: number, response: string, answer = 'A') =>
    span({ id, parent: 1, attributes: chat('Q', answer, { 'gen_ai.response.id': response }) });

  it('is one answer, if the response and the texts are the same', () => {
    const root = span({ id: 1 });
    expect(textsOf(root, seen(2, 'r'), seen(3, 'r'))).toEqual([['Q', 'A']]);
    expect(textsOf(root, seen(2, 'r'), seen(3, 's'))).toHaveLength(2);
    expect(textsOf(root, seen(2, 'r'), seen(3, 'r', 'B'))).toHaveLength(2);
    const items = reduceItems(batchOf(root, seen(2, 'r'), seen(3, 'r')).items);
    expect(decideItems(items).ignored).toBe(2);
  });
});

describe('a tool that ran once', () => {
  const run = (id: number, parent: number, args?: string) =>
    span({
      id,
      parent,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'lookup',
        ...(args !== undefined && { 'gen_ai.tool.call.arguments': args }),
      },
    });
  const executed = (...items: readonly OtlpItem[]) => {
    const [made] = mapBatch(batchOf(span({ id: 1, attributes: agent('Q', 'A') }), ...items)).items;
    return made?.semanticRefs.filter(({ step }) => step === 'executed') ?? [];
  };

  it('is named once, whichever of its spans shows the arguments', () => {
    expect(executed(run(2, 1, '{"a":1}'), run(3, 2))).toHaveLength(1);
    expect(executed(run(3, 2, '{"a":1}'), run(2, 1))).toEqual(executed(run(2, 1, '{"a":1}')));
    expect(executed(run(2, 1, '{"a":1}'), run(3, 2, '{"a":2}'))).toHaveLength(2);
    expect(executed(run(2, 1, '{"a":1}'), run(3, 1, '{"a":2}'))).toHaveLength(2);
  });
});

describe('a span that shows an answer and no question', () => {
  it('has the question of the call below it that gave this answer', () => {
    const call = at(span({ id: 2, parent: 1, attributes: chat('Q', 'A') }), 10, 20);
    const title = at(span({ id: 3, parent: 1, attributes: chat('make a title', 'Title') }), 30, 40);
    expect(textsOf(span({ id: 1, attributes: chat(null, 'A') }), call, title)).toEqual([['Q', 'A']]);
    expect(textsOf(span({ id: 1, attributes: chat(null, 'another') }), call)).toEqual([[undefined, 'another']]);
  });
});
