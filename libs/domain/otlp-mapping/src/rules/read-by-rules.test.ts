import { describe, expect, it } from '@jest/globals';
import { otlpRulesRequest } from '@answer-evidence/contracts';
import { attributesOf, batchOf, messages, type Plain, span } from '../../fixtures/items.ts';
import type { OtlpSpan } from '../item/otlp-item.ts';
import { reduceItems } from '../read/reduced-item.ts';
import { findIgnored } from '../trace/ignored-items.ts';
import { decideItems } from '../trace/map-batch.ts';
import { splitTrace } from '../trace/split-trace.ts';
import { applyRules } from './apply-rules.ts';
import { readByRules, textRulesOf } from './read-by-rules.ts';
import { findFacts } from './rule-facts.ts';

type Attributes = { readonly [key: string]: Plain };

function readBy(rules: object, items: readonly OtlpSpan[]) {
  const parsed = otlpRulesRequest.parse([{ application_key: 'support-bot', ...rules }]);
  const { items: given } = batchOf(...items);
  const reduced = readByRules(given, reduceItems(given), textRulesOf(parsed));
  return applyRules(reduced, findFacts(given, reduced), parsed).items;
}

const textsBy = (rules: object, ...items: readonly OtlpSpan[]) =>
  decideItems(readBy(rules, items)).items.map(({ question, answer }) => [question?.text, answer?.text]);

const at = (item: OtlpSpan, from: number, to: number): OtlpSpan => {
  return { ...item, startTimeUnixNano: BigInt(from), endTimeUnixNano: BigInt(to) };
};
const acme = (given: Plain, said: Plain, more: Attributes = {}): Attributes => {
  return { 'acme.in': given, 'acme.out': said, ...more };
};
const chat = (question: string, answer: string, more: Attributes = {}): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': messages(['user', question]),
  'gen_ai.output.messages': messages(['assistant', answer]),
  ...more,
});

describe('a framework that nobody knows', () => {
  const PLACES = {
    question: [{ attribute: 'acme.in', path: '/request/ask' }],
    answer: [{ attribute: 'acme.out', path: '/told/-/text' }],
  };

  it.each<[string, Plain, Plain]>([
    ['JSON in a text', '{"request":{"ask":"Q"}}', '{"told":[{"text":"draft"},{"text":"A"}]}'],
    ['JSON within JSON', '{"request":"{\\"ask\\":\\"Q\\"}"}', '{"told":"[{\\"text\\":\\"A\\"}]"}'],
    ['a value with members', { request: { ask: 'Q' } }, { told: [{ text: 'A' }] }],
    ['JSON that only Python writes', '{"request":{"ask":"Q","score":NaN}}', '{"told":[{"text":"A","p":Infinity}]}'],
  ])('has its texts at the paths of the rules, in %s', (_, given, said) => {
    expect(textsBy({}, span({ attributes: acme(given, said) }))).toEqual([]);
    expect(textsBy(PLACES, span({ attributes: acme(given, said) }))).toEqual([['Q', 'A']]);
  });

  it.each<[string, Plain]>([
    ['of the conventions', messages(['system', 'SECRET'], ['user', 'old'], ['assistant', 'old'], ['user', 'Q'])],
    ['of providers', '[{"role":"system","content":"SECRET"},{"role":"user","content":"Q"}]'],
    ['of LangChain', '{"messages":[{"type":"system","content":"SECRET"},{"type":"human","content":"Q"}]}'],
    ['rendered into a text', 'system: SECRET\nuser: Q'],
  ])('may have messages %s there, of which the last of the user is the question', (_, given) => {
    const rules = { question: [{ attribute: 'acme.in' }], answer: [{ attribute: 'acme.out' }] };
    expect(textsBy(rules, span({ attributes: acme(given, 'A') }))).toEqual([['Q', 'A']]);
  });

  it('is read of events and of what a rule names alone', () => {
    const events = [{ name: 'acme.turn', timeUnixNano: 0n, attributes: attributesOf({ ask: 'Q', reply: 'A' }) }];
    const rules = (event?: string) => ({
      question: [{ attribute: 'ask', ...(event && { event }) }],
      answer: [{ attribute: 'reply', ...(event && { event }) }],
    });
    expect(textsBy(rules('acme.turn'), span({ events }))).toEqual([['Q', 'A']]);
    expect(textsBy(rules(), span({ events }))).toEqual([]);
    expect(textsBy(rules('acme.turn'), span({ events, resource: { 'service.name': 'another-bot' } }))).toEqual([]);
  });

  it('has no text where a number, nothing or an object without messages stands, in a text or not', () => {
    for (const said of [7, true, { a: 'b' }, '{"a":"b"}', '[{"a":"b"}]', '', ' ', '[REDACTED]', "Event(result='x')"])
      expect(
        textsBy(
          { ...PLACES, answer: [{ attribute: 'acme.out', path: '/x' }] },
          span({ attributes: acme('Q', { x: said }) }),
        ),
      ).toEqual([]);
  });
});

describe('the state of a graph', () => {
  const state = {
    'openinference.span.kind': 'CHAIN',
    'input.value': '{"customer_question":"Q","draft":""}',
    'output.value': '{"customer_question":"Q","draft":"SECRET draft","reply_to_customer":"Dear customer: A"}',
    'output.mime_type': 'application/json',
  };
  const RULES = {
    question: [{ attribute: 'input.value', path: '/customer_question' }],
    answer: [{ attribute: 'output.value', path: '/reply_to_customer' }],
  };
  const draft = { ...chat('write a draft', 'SECRET draft'), 'openinference.span.kind': 'LLM' };

  it('says what was told, in the place of the draft of a model', () => {
    const items = [span({ id: 1, attributes: state }), span({ id: 2, parent: 1, attributes: draft })];
    expect(textsBy({}, ...items)).toEqual([]);
    expect(textsBy(RULES, ...items)).toEqual([['Q', 'Dear customer: A']]);
  });

  it('without that member says nothing, and neither does what is below it; the list says why', () => {
    const { 'output.value': _, ...rest } = state;
    const paused = { ...rest, 'output.value': '{"draft":"SECRET draft"}' };
    const items = [span({ id: 1, attributes: paused }), span({ id: 2, parent: 1, attributes: draft })];
    const read = readBy(RULES, items);
    expect(decideItems(read).items).toEqual([]);
    expect(findIgnored(read, new Set()).kinds).toContainEqual(
      expect.objectContaining({
        reason: 'unread_state',
        detail:
          'the rules of its application look for the answer in output.value at /reply_to_customer, and no text is there',
      }),
    );
  });

  it('gives an agent above it no draft either', () => {
    const items = [
      span({ id: 1, attributes: { 'gen_ai.operation.name': 'invoke_agent' } }),
      span({ id: 2, parent: 1, attributes: { ...state, 'output.value': '{"draft":"SECRET draft"}' } }),
      span({ id: 3, parent: 2, attributes: draft }),
    ];
    expect(textsBy(RULES, ...items)).toEqual([]);
  });

  it('without its question takes that of no other', () => {
    const unasked = { ...state, 'input.value': '{"topic":"x"}' };
    const items = [span({ id: 1, attributes: unasked }), span({ id: 2, parent: 1, attributes: draft })];
    expect(decideItems(readBy(RULES, items)).items).toEqual([
      expect.objectContaining({ question: null, answer: { text: 'Dear customer: A' }, isUnfound: true }),
    ]);
  });

  it('is read only of items that `when` names, and of tools only then', () => {
    const when = { is_root: true };
    const rules = { ...RULES, answer: [{ ...RULES.answer[0], when }] };
    const tool = { ...state, 'openinference.span.kind': 'TOOL' };
    const inner = span({ id: 2, parent: 1, attributes: chat('Q2', 'A2', { 'output.value': '{"draft":"x"}' }) });
    expect(textsBy(rules, span({ id: 1 }), inner)).toEqual([['Q2', 'A2']]);
    expect(textsBy(RULES, span({ attributes: tool }))).toEqual([]);
    const named = { attributes: [{ name: 'openinference.span.kind', value: 'TOOL' }] };
    const ofTools = {
      question: [{ ...RULES.question[0], when: named }],
      answer: [{ ...RULES.answer[0], when: named }],
    };
    expect(textsBy(ofTools, span({ attributes: tool }))).toEqual([['Q', 'Dear customer: A']]);
  });

  it('leaves marked items, failed runs and items of other applications as they were', () => {
    const marked = { ...state, 'service.audit.question_text': 'MQ', 'service.audit.answer_text': 'MA' };
    expect(textsBy(RULES, span({ attributes: marked }))).toEqual([['MQ', 'MA']]);
    expect(textsBy(RULES, { ...span({ attributes: state }), statusCode: 2 })).toEqual([]);
  });
});

describe('what is never an answer', () => {
  const title = (instructions: string): Attributes => ({
    'ai.operationId': 'ai.streamText.doStream',
    'ai.prompt.messages': JSON.stringify([
      { role: 'system', content: instructions },
      { role: 'user', content: [{ type: 'text', text: 'Q' }] },
    ]),
    'ai.response.text': 'A name',
  });
  const NEVER = { never: [{ instructions_begin: 'You name sessions' }] };

  it('is told by how the instructions of the model begin', () => {
    const item = span({ attributes: title('  You name sessions in three words.') });
    expect(textsBy({}, item)).toEqual([['Q', 'A name']]);
    expect(textsBy(NEVER, item)).toEqual([]);
    expect(textsBy(NEVER, span({ attributes: title('You answer. You name sessions.') }))).toEqual([['Q', 'A name']]);
    expect(readBy(NEVER, [item])).toEqual([
      expect.objectContaining({ reason: 'excluded_by_rule', detail: expect.stringContaining('item 1 of never') }),
    ]);
  });

  it.each<[string, Attributes]>([
    [
      'an attribute',
      chat('Q', 'A', { 'gen_ai.system_instructions': '[{"type":"text","content":"You name sessions"}]' }),
    ],
    [
      'a state',
      {
        'ai.operationId': 'ai.generateText',
        'ai.prompt': '{"system":"You name sessions","prompt":"Q"}',
        'ai.response.text': 'A',
      },
    ],
    [
      'flattened messages',
      {
        'openinference.span.kind': 'LLM',
        'llm.input_messages.0.message.role': 'system',
        'llm.input_messages.0.message.content': 'You name sessions',
        'llm.input_messages.1.message.role': 'user',
        'llm.input_messages.1.message.content': 'Q',
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.content': 'A',
      },
    ],
  ])('finds instructions in %s', (_, attributes) => {
    expect(textsBy({}, span({ attributes }))).toEqual([['Q', 'A']]);
    expect(textsBy(NEVER, span({ attributes }))).toEqual([]);
  });

  it('needs all that is named to hold', () => {
    const never = [{ question_begins: 'Name this', answer_begins: 'A' }];
    expect(textsBy({ never }, span({ attributes: chat('Name this chat', 'A') }))).toEqual([]);
    expect(textsBy({ never }, span({ attributes: chat('Name this chat', 'B') }))).toEqual([['Name this chat', 'B']]);
  });
});

describe('siblings', () => {
  const spans = [
    span({ id: 1, attributes: { 'http.route': '/ask' } }),
    at(span({ id: 2, parent: 1, attributes: chat('Q', 'a plan') }), 1, 2),
    at(span({ id: 3, parent: 1, attributes: chat('Q by the plan', 'A') }), 3, 4),
  ];

  it('are one run where the rules say so: the last of them answers what the first was asked', () => {
    expect(textsBy({}, ...spans)).toHaveLength(2);
    for (const items of [spans, spans.toReversed()])
      expect(textsBy({ siblings: 'last' }, ...items)).toEqual([['Q', 'A']]);
  });

  it('are decided as soon as the span above them is there', () => {
    const read = readBy({ siblings: 'last' }, spans);
    expect(splitTrace(read).decided.items.map(({ answer }) => answer?.text)).toEqual(['A']);
    expect(splitTrace(read.slice(1)).waiting).toHaveLength(2);
  });
});
