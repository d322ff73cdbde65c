import { describe, expect, it } from '@jest/globals';
import { batchOf, type Plain, span } from '../../fixtures/items.ts';
import { mapBatch } from '../index.ts';

/** What a span that shows these as its prompt and its completion leaves. */
function itemsOf(prompt: Plain, completion: Plain, more: { readonly [key: string]: Plain } = {}) {
  const asText = (value: Plain) => (typeof value === 'string' ? value : JSON.stringify(value));
  const shown = { 'gen_ai.prompt': asText(prompt), 'gen_ai.completion': asText(completion) };
  return mapBatch(batchOf(span({ attributes: { ...shown, ...more } }))).items;
}

const REQUEST = {
  model: 'm',
  messages: [
    { role: 'system', content: 'SECRET' },
    { role: 'user', content: 'Q' },
  ],
};
const RESPONSE = { id: '1', model: 'm', metadata: {}, text: null };
const CALL = { id: '1', type: 'function', function: { name: 'lookup', arguments: '{"word":"SECRET"}' } };

describe('a span that shows the request and the response of an interface as a whole', () => {
  it('has the last message of the user as its question and what the model said as its answer', () => {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'A' } }];
    expect(itemsOf(REQUEST, { ...RESPONSE, choices })).toMatchObject([
      { question: { text: 'Q' }, answer: { text: 'A' } },
    ]);
    const content = [{ type: 'output_text', text: 'A' }];
    const output = [{ type: 'message', role: 'assistant', content }];
    const responses = itemsOf({ model: 'm', instructions: 'SECRET', input: 'Q' }, { ...RESPONSE, output });
    expect(responses).toMatchObject([{ question: { text: 'Q' }, answer: { text: 'A' } }]);
  });

  it('is no answer where the model asks for a tool, and names the tool without its arguments', () => {
    const choices = [{ index: 0, message: { role: 'assistant', content: null, tool_calls: [CALL] } }];
    expect(itemsOf(REQUEST, { ...RESPONSE, choices })).toEqual([]);
    const asked = {
      model: 'm',
      messages: [...REQUEST.messages, { role: 'assistant', content: null, tool_calls: [CALL] }],
    };
    const items = itemsOf(asked, 'A');
    expect(items).toMatchObject([{ semanticRefs: [{ ref_type: 'tool_call', name: 'lookup' }] }]);
    expect(items[0]?.answer?.text).toBe('A');
  });

  it('is one also where the interface names no model', () => {
    const contents = [{ role: 'user', parts: [{ text: 'Q' }] }];
    const candidates = [{ content: { role: 'model', parts: [{ text: 'A' }] }, finishReason: 'STOP' }];
    expect(itemsOf({ contents, systemInstruction: 'SECRET' }, { candidates })).toMatchObject([
      { question: { text: 'Q' }, answer: { text: 'A' } },
    ]);
    const choices = [{ index: 0, message: { role: 'assistant', content: 'A' } }];
    expect(itemsOf('Q', { choices, tools: 'SECRET' })).toMatchObject([{ answer: { text: 'A' } }]);
    const json = '{"choices":["A","B"]}';
    expect(itemsOf('Q', json)).toMatchObject([{ answer: { text: json } }]);
  });

  it('has JSON that somebody wrote in their words', () => {
    const json = '{"text":"A","model":"T"}';
    expect(itemsOf('Q', json)).toMatchObject([{ question: { text: 'Q' }, answer: { text: json } }]);
  });
});

describe('a decorated function of Judgment', () => {
  it('is asked with its argument and answers with its output; a tool answers nobody', () => {
    const shown = { 'judgment.input': '{"question":"Q"}', 'judgment.output': 'A' };
    const of = (kind: string) => {
      return mapBatch(batchOf(span({ attributes: { ...shown, 'judgment.span_kind': kind } }))).items;
    };
    expect(of('agent')).toMatchObject([{ question: { text: 'Q' }, answer: { text: 'A' } }]);
    expect(of('tool')).toEqual([]);
  });
});

describe('a decorated function of Netra or Agenta, and a conversation with an agent of Claude that traceAI shows', () => {
  const answersOf = (attributes: { readonly [key: string]: Plain }) => {
    return mapBatch(batchOf(span({ attributes }))).items.map(({ question, answer }) => [question?.text, answer?.text]);
  };

  it('are asked and answer by names that mean nothing elsewhere', () => {
    const shown = { input: '{"question":"Q"}', output: 'A' };
    expect(answersOf({ ...shown, 'netra.entity.type': 'workflow', 'netra.span.type': 'SPAN' })).toEqual([['Q', 'A']]);
    expect(answersOf({ ...shown, 'netra.entity.type': 'task', 'netra.span.type': 'TOOL' })).toEqual([]);
    expect(answersOf(shown)).toEqual([]);
    const kept = { 'ag.data.inputs.question': 'Q', 'ag.data.outputs.__default__': 'A' };
    expect(answersOf({ ...kept, 'ag.type.node': 'workflow' })).toEqual([['Q', 'A']]);
    expect(answersOf({ ...kept, 'ag.type.node': 'TASK' })).toEqual([]);
    const said = { 'claude_agent.prompt': 'Q', output: '{"role":"assistant","content":"A"}' };
    expect(answersOf({ ...said, 'claude_agent.span_kind': 'conversation' })).toEqual([['Q', 'A']]);
    expect(answersOf(said)).toEqual([]);
  });
});

describe('the result of a tool that is written as the text of a message of the user', () => {
  it('is no question', () => {
    const turns = ['Q', '', '[Tool Result: SECRET] '].map((content, n) => ({
      [`gen_ai.prompt.${n}.role`]: n === 1 ? 'assistant' : 'user',
      [`gen_ai.prompt.${n}.content`]: content,
    }));
    const answer = { 'gen_ai.completion.0.role': 'assistant', 'gen_ai.completion.0.content': 'A' };
    const { items } = mapBatch(batchOf(span({ attributes: Object.assign({}, answer, ...turns) })));
    expect(items).toMatchObject([{ question: { text: 'Q' }, answer: { text: 'A' } }]);
  });
});

describe('the call of a tool that is written as the text of a message', () => {
  const call = (args: Plain) => JSON.stringify({ name: 'lookup', arguments: args });
  const textsOf = (content: string) => {
    const asked = { 'gen_ai.prompt.0.role': 'user', 'gen_ai.prompt.0.content': 'Q' };
    const written = { 'gen_ai.completion.0.role': 'assistant', 'gen_ai.completion.0.content': content };
    return mapBatch(batchOf(span({ attributes: { ...asked, ...written } }))).items.map(({ answer }) => answer?.text);
  };

  it('is no answer; other JSON is the words of the model', () => {
    expect(textsOf(call('{"word":"SECRET"}'))).toEqual([]);
    for (const json of [call('by ship'), call({ word: 'a' }), '{"name":"A","arguments":"{}","more":1}', '{"name":"A"}'])
      expect(textsOf(json)).toEqual([json]);
  });
});
