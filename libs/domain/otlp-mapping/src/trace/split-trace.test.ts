import { describe, expect, it } from '@jest/globals';
import { batchOf, log, messages, type Plain, span } from '../../fixtures/items.ts';
import { type OtlpItem, reduceItems, splitTrace } from '../index.ts';

const spoken = (text: string): { readonly [key: string]: Plain } => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': messages(['user', `${text}?`]),
  'gen_ai.output.messages': messages(['assistant', text]),
});
const HIDDEN = {
  'openinference.span.kind': 'CHAIN',
  'output.value': '{"a":1,"b":2}',
  'output.mime_type': 'application/json',
};

/** The answers that are decided, and the indexes of what waits. */
function split(...items: readonly OtlpItem[]): readonly [readonly (string | undefined)[], readonly number[]] {
  const { decided, waiting } = splitTrace(reduceItems(batchOf(...items).items));
  expect(decided.items.length + decided.rejected.length + decided.ignored + waiting.length).toBe(items.length);
  return [decided.items.map(({ answer }) => answer?.text), waiting.map(({ index }) => index)];
}

describe('what of a trace is decided', () => {
  const root = span({ id: 1 });
  const call = span({ id: 3, parent: 2, attributes: spoken('call') });

  it('is what has its root', () => {
    expect(split(root, span({ id: 2, parent: 1 }), call)).toEqual([['call'], []]);
    expect(split(span({ id: 9, attributes: spoken('alone') }))).toEqual([['alone'], []]);
  });

  it('is not what has a span above it that has not come, with all that is beside and below it', () => {
    expect(split(call, span({ id: 2, parent: 7, isRemote: true }))).toEqual([[], [0, 1]]);
    expect(split(call, span({ id: 4, parent: 3 }), span({ id: 5, parent: 2 }))).toEqual([[], [0, 1, 2]]);
    expect(split(root, call)).toEqual([[], [1]]);
  });

  it('is what has an end in sight: spans in a ring, and spans that only come twice', () => {
    const a = span({ id: 2, parent: 3, attributes: spoken('a') });
    const b = span({ id: 3, parent: 2, attributes: spoken('b') });
    expect(split(a, b)).toEqual([['a', 'b'], []]);
    expect(split(span({ id: 1, attributes: spoken('first') }), span({ id: 1, attributes: spoken('second') }))).toEqual([
      ['first'],
      [],
    ]);
  });

  it('is not a state that hides the answer, until a call below it has come', () => {
    const agent = span({ id: 2, attributes: HIDDEN });
    expect(split(agent, span({ id: 5, parent: 2 }))).toEqual([[], [0, 1]]);
    const { decided } = splitTrace(reduceItems(batchOf(agent, call).items));
    expect(decided.items).toMatchObject([{ spanId: agent.spanId, answer: { text: 'call' } }]);
  });

  it('is all of it where an item is marked', () => {
    const marked = span({ id: 4, parent: 2, attributes: { ...spoken('m'), 'service.audit.idempotency_key': 'k' } });
    expect(split(call, marked)).toEqual([['m'], []]);
  });

  it('is all of it where the resource says that only marked items are answers', () => {
    const resource = { 'service.name': 'support-bot', 'service.audit.answers': 'marked' };
    expect(split(span({ id: 3, parent: 2, resource, attributes: spoken('call') }))).toEqual([[], []]);
  });

  it('keeps nothing of a large state that hides its answer', () => {
    const state = JSON.stringify({ a: 'secret '.repeat(100_000), b: 2 });
    const [reduced] = reduceItems(batchOf(span({ attributes: { ...HIDDEN, 'output.value': state } })).items);
    const text = JSON.stringify(reduced, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    expect(text.length).toBeLessThan(2_000);
    expect(text).not.toContain('secret');
  });

  it('is a conversation in log records with question and answer, and nothing less', () => {
    const asked = log({ id: 2, event: 'gen_ai.user.message', body: { content: 'q' } });
    const chosen = log({ id: 2, event: 'gen_ai.choice', body: { index: 0, message: { content: 'a' } } });
    expect(split(asked, chosen)).toEqual([['a'], []]);
    expect(split(chosen)).toEqual([[], [0]]);
    expect(split(asked)).toEqual([[], [0]]);
  });
});
