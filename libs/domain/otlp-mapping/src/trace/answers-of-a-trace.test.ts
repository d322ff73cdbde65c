import { describe, expect, it } from '@jest/globals';
import { batchOf, log, messages, type Plain, span, spanIdOf, TRACE_ID } from '../../fixtures/items.ts';
import { mapBatch, type OtlpItem } from '../index.ts';

const spoken = (text: string): { readonly [key: string]: Plain } => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': messages(['user', `${text}?`]),
  'gen_ai.output.messages': messages(['assistant', text]),
});
const OTHER_TRACE = 'f'.repeat(32);

/** Answers of a batch, as texts. */
function answersOf(...items: readonly OtlpItem[]): readonly (string | undefined)[] {
  return mapBatch(batchOf(...items)).items.map(({ answer }) => answer?.text);
}

describe('the answers of a trace', () => {
  it('are the outermost spans with an answer, whatever stands between them and the calls below', () => {
    const agent = span({ id: 2, parent: 1, attributes: spoken('agent') });
    const step = span({ id: 3, parent: 2 });
    const call = span({ id: 4, parent: 3, attributes: spoken('call') });
    const root = span({ id: 1, attributes: { 'http.route': '/ask' } });
    // Children end, and so are sent, before their parents.
    expect(mapBatch(batchOf(call, step, agent, root))).toMatchObject({
      items: [{ index: 2, idempotencyKey: `otlp:${TRACE_ID}:${spanIdOf(2)}`, answer: { text: 'agent' } }],
      ignored: 3,
    });
  });

  it('are one, however deep what it calls is nested', () => {
    const deep = Array.from({ length: 2_000 }, (_, n) => {
      return span({ id: n + 1, ...(n === 0 ? {} : { parent: n }), attributes: spoken(`${n}`) });
    });
    expect(answersOf(...deep)).toEqual(['0']);
    expect(answersOf(...deep.toReversed())).toEqual(['0']);
  });

  it('are all of them where none is below another', () => {
    const one = span({ id: 2, parent: 1, attributes: spoken('one') });
    const two = span({ id: 3, parent: 1, attributes: spoken('two') });
    const elsewhere = span({ id: 2, parent: 1, trace: OTHER_TRACE, attributes: spoken('three') });
    expect(answersOf(span({ id: 1 }), one, two, elsewhere)).toEqual(['one', 'two', 'three']);
  });

  it('are none below a tool or a guardrail, beside another', () => {
    const attributes = { 'openinference.span.kind': 'GUARDRAIL' };
    const root = span({ id: 1 });
    const guard = span({ id: 2, parent: 1, attributes });
    const agent = span({ id: 3, parent: 2 });
    const check = span({ id: 4, parent: 3, attributes: spoken('check') });
    const call = span({ id: 5, parent: 1, attributes: spoken('call') });
    expect(answersOf(check, agent, guard, call, root)).toEqual(['call']);
    expect(answersOf(root, call, guard, agent, check)).toEqual(['call']);
    // A server of tools has nothing else in the trace of a call.
    expect(answersOf(check, agent, guard, root)).toEqual(['check']);
    const marked = span({
      id: 6,
      parent: 2,
      attributes: { ...spoken('marked'), 'service.audit.idempotency_key': 'k' },
    });
    expect(answersOf(marked, call, guard, root)).toEqual(['marked']);
  });

  it('are none below a check that is part of an agent, also where nothing else answers', () => {
    const template = { 'logfire.msg_template': 'Guardrail {name!r} {triggered=}' };
    for (const attributes of [{ 'openinference.span.kind': 'GUARDRAIL' }, template]) {
      const agent = span({ id: 1, attributes: { 'openinference.span.kind': 'AGENT' } });
      const guard = span({ id: 2, parent: 1, attributes });
      const check = span({ id: 3, parent: 2, attributes: spoken('check') });
      expect(answersOf(check, guard, agent)).toEqual([]);
      const call = span({ id: 4, parent: 1, attributes: spoken('call') });
      expect(answersOf(check, guard, call, agent)).toEqual(['call']);
    }
  });

  it('are one for a run of agents that shows none: the first question and the last answer of their calls', () => {
    const run = (id: number, parent?: number) =>
      span({ id, ...(parent && { parent }), attributes: { 'gen_ai.operation.name': 'invoke_agent' } });
    const at = (item: ReturnType<typeof span>, start: bigint) => ({
      ...item,
      startTimeUnixNano: start,
      endTimeUnixNano: start + 1n,
    });
    const first = at(span({ id: 4, parent: 2, attributes: spoken('first') }), 10n);
    const last = at(span({ id: 5, parent: 3, attributes: spoken('last') }), 30n);
    const tool = span({ id: 6, parent: 3, attributes: { 'gen_ai.operation.name': 'execute_tool' } });
    const inner = at(span({ id: 7, parent: 6, attributes: spoken('inner') }), 5n);
    const check = span({ id: 8, parent: 3, attributes: { 'openinference.span.kind': 'GUARDRAIL' } });
    const judged = at(span({ id: 9, parent: 8, attributes: spoken('judged') }), 40n);
    const items = [first, run(2, 1), last, inner, tool, judged, check, run(3, 1), run(1)];
    for (const order of [items, items.toReversed()]) {
      expect(mapBatch(batchOf(...order)).items).toMatchObject([
        { idempotencyKey: `otlp:${TRACE_ID}:${spanIdOf(1)}`, question: { text: 'first?' }, answer: { text: 'last' } },
      ]);
    }
    expect(answersOf(run(1))).toEqual([]);
  });

  it('are one for a run that shows none: the texts of the outermost spans below it that show any', () => {
    const shown = (id: number, parent: number, [from, to]: readonly [bigint, bigint], text: string) => ({
      ...span({ id, parent, attributes: { 'openinference.span.kind': 'CHAIN', ...spoken(text) } }),
      startTimeUnixNano: from,
      endTimeUnixNano: to,
    });
    const runs: readonly { readonly [key: string]: Plain }[] = [
      { 'gen_ai.operation.name': 'invoke_workflow' },
      { 'openinference.span.kind': 'AGENT' },
    ];
    for (const attributes of runs) {
      const items = [
        shown(3, 2, [5n, 6n], 'step'),
        shown(2, 1, [4n, 7n], 'first'),
        shown(4, 1, [8n, 9n], 'last'),
        span({ id: 1, attributes }),
      ];
      for (const order of [items, items.toReversed()]) {
        const found = mapBatch(batchOf(...order)).items;
        expect(found.map(({ question, answer }) => [question?.text, answer?.text])).toEqual([['first?', 'last']]);
      }
    }
  });

  it('are the marked ones only, in a trace that has such', () => {
    const marked = { ...spoken('call'), 'service.audit.idempotency_key': 'msg-1' };
    const agent = span({ id: 1, attributes: spoken('agent') });
    const call = span({ id: 2, parent: 1, attributes: marked });
    const elsewhere = span({ id: 1, trace: OTHER_TRACE, attributes: spoken('other') });
    expect(mapBatch(batchOf(agent, call, elsewhere)).items.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      'msg-1',
      `otlp:${OTHER_TRACE}:${spanIdOf(1)}`,
    ]);
  });

  it('are the marked ones only, where the resource says so', () => {
    const resource = { 'service.name': 'support-bot', 'service.audit.answers': 'marked' };
    const marked = { 'service.audit.idempotency_key': 'msg-1', ...spoken('marked') };
    const one = span({ id: 1, resource, attributes: spoken('one') });
    const two = span({ id: 2, trace: OTHER_TRACE, resource, attributes: marked });
    expect(answersOf(one, two)).toEqual(['marked']);
  });

  it('are found in spans that are their own ancestors', () => {
    const self = span({ id: 1, parent: 1, attributes: spoken('self') });
    const a = span({ id: 2, parent: 3, attributes: spoken('a') });
    const b = span({ id: 3, parent: 2, attributes: spoken('b') });
    expect(answersOf(self, a, b)).toEqual(['self', 'a', 'b']);
  });

  it('take no part of the answer of another span of the conversation', () => {
    const user = (n: number, content: string) => log({ id: n, event: 'gen_ai.user.message', body: { content } });
    const choice = (n: number, content: string) =>
      log({ id: n, event: 'gen_ai.choice', body: { index: 0, message: { content } } });
    const mapped = mapBatch(batchOf(user(1, 'q1'), user(2, 'q2'), choice(2, 'a2'), choice(1, 'a1'), user(0, 'q0')));
    expect(mapped.items).toMatchObject([
      { index: 2, question: { text: 'q2' }, answer: { text: 'a2' } },
      { index: 3, question: { text: 'q1' }, answer: { text: 'a1' } },
    ]);
    expect(mapped.ignored).toBe(3);
  });
});
