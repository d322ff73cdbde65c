import { describe, expect, it } from '@jest/globals';
import { recordsOf } from '../../fixtures/answers.ts';
import { event, messages, type Plain, span } from '../../fixtures/items.ts';
import type { OtlpSpan } from '../index.ts';

const graph = (input: Plain, output: Plain) =>
  span({
    id: 1,
    attributes: {
      'openinference.span.kind': 'CHAIN',
      'input.value': typeof input === 'string' ? input : JSON.stringify(input),
      'output.value': JSON.stringify(output),
      'output.mime_type': 'application/json',
    },
  });
const call = (id: number, texts: readonly [string | null, Plain], more: Partial<OtlpSpan> = {}): OtlpSpan => ({
  ...span({
    id,
    parent: 1,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': texts[0] === null ? [] : messages(['user', texts[0]]),
      'gen_ai.output.messages': [{ role: 'assistant', parts: [texts[1]] }],
    },
  }),
  ...more,
});
const text = (content: string) => ({ type: 'text', content });
const tool = (name: string, args: Plain) => ({ type: 'tool_call', name, arguments: args });

describe('a graph that waits for a person', () => {
  const draft = call(2, ['Q', text('SECRET draft')]);
  const pause = span({
    id: 3,
    parent: 1,
    events: [event('exception', { 'exception.type': 'langgraph.errors.GraphInterrupt' })],
  });

  it('answered nobody with a draft', () => {
    expect(recordsOf(graph('Q', { question: 'Q', draft: 'SECRET draft' }), draft, pause)).toEqual([]);
  });

  it('answered if its state names an answer', () => {
    const state = {
      messages: [
        { type: 'human', content: 'Q' },
        { type: 'ai', content: 'A' },
      ],
    };
    expect(recordsOf(graph('Q', state), draft, pause)).toEqual([['Q', 'A']]);
  });

  it('has the question of its state when it goes on', () => {
    const command = { graph: null, update: null, resume: 'yes', goto: [] };
    expect(recordsOf(graph(command, { question: 'Q', answer: 'A' }))).toEqual([['Q', 'A']]);
    expect(recordsOf(graph({ resume: 'Q' }, { question: 'other', answer: 'A' }))).toEqual([['Q', 'A']]);
  });
});

describe('a graph whose last call wrote an object', () => {
  const written = call(2, ['write', text('A')], { endTimeUnixNano: 1_100n });
  const graded = call(3, ['grade', text('{"grade":"funny"}')], { endTimeUnixNano: 1_900n });

  it('answers with the text of another call that is in its state', () => {
    expect(recordsOf(graph('Q', { topic: 'Q', joke: 'A', grade: 'funny' }), written, graded)).toEqual([['Q', 'A']]);
  });

  it('answers with the object where the state has no such text', () => {
    expect(recordsOf(graph('Q', { topic: 'Q', score: 1 }), written, graded)).toEqual([['Q', '{"grade":"funny"}']]);
  });
});

describe('an agent of LangChain by OpenTelemetry', () => {
  const scope = { name: 'opentelemetry.instrumentation.genai.langchain', version: '' };
  const agent = (part: Plain, asked = 'Q'): OtlpSpan => ({
    ...span({
      id: 1,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.input.messages': messages(['user', asked]),
        'gen_ai.output.messages': [{ role: 'assistant', parts: [part] }],
      },
    }),
    scope,
  });
  const [reply, lookup] = [tool('Reply', { stars: 5 }), tool('lookup', { word: 'SECRET' })];

  it('answers with the object by whose tool it ends', () => {
    expect(recordsOf(agent(reply), call(2, ['Q', reply]))).toEqual([['Q', '{"stars":5}']]);
  });

  it('answers nobody if it ends with a tool that waits', () => {
    expect(recordsOf(agent(lookup), call(2, ['Q', lookup]))).toEqual([]);
  });

  it('takes the question of the call below where it shows an empty one', () => {
    const workflow = agent(text(''), '{"input": ""}');
    const attributes = workflow.attributes.map((one) =>
      one.value === 'invoke_agent' ? { ...one, value: 'invoke_workflow' } : one,
    );
    expect(recordsOf({ ...workflow, attributes }, call(2, ['Q', text('A')]))).toEqual([['Q', 'A']]);
  });
});

describe('a call that is given the result of a tool alone', () => {
  const asking = call(2, ['Q', tool('lookup', { word: 'SECRET' })], { startTimeUnixNano: 1n, endTimeUnixNano: 2n });
  const answering = call(3, [null, text('A')], { startTimeUnixNano: 3n, endTimeUnixNano: 4n });

  it('has the question of the call beside it that asked for the tool', () => {
    expect(recordsOf(span({ id: 1 }), asking, answering)).toEqual([['Q', 'A']]);
  });

  it('has none of a call that came later, or of another request', () => {
    const later = { ...asking, startTimeUnixNano: 5n, endTimeUnixNano: 6n };
    expect(recordsOf(span({ id: 1 }), later, answering)).toEqual([[undefined, 'A']]);
    expect(recordsOf(span({ id: 1 }), { ...asking, parentSpanId: 'f'.repeat(16) }, answering)).toEqual([
      [undefined, 'A'],
    ]);
  });
});

describe('an agent of Haystack in a pipeline', () => {
  const said = (role: string, part: string) =>
    `ChatMessage(_role=<ChatRole.${role.toUpperCase()}: '${role}'>, _content=[${part}], _name=None, _meta={})`;
  const pipeline = (...parts: readonly (readonly [role: string, part: string])[]) =>
    graph(
      { data: { prompt: { question: 'Q' } } },
      { agent: { messages: parts.map(([role, part]) => said(role, part)) } },
    );

  it('answers with what Python shows of its last message', () => {
    const asking = [
      'assistant',
      "ToolCall(tool_name='lookup', arguments={'word': 'SECRET'}, id='1', extra=None)",
    ] as const;
    const result = [
      'tool',
      "ToolCallResult(result='SECRET', origin=ToolCall(tool_name='lookup', arguments={}), error=False)",
    ] as const;
    const thought = "ReasoningContent(reasoning_text='SECRET', extra={}), ";
    const answer = ['assistant', `${thought}TextContent(text="It's\\n"), TextContent(text='A')`] as const;
    expect(recordsOf(pipeline(['user', "TextContent(text='SECRET Q')"], asking, result, answer))).toEqual([
      ['Q', "It's\nA"],
    ]);
    expect(recordsOf(pipeline(['user', "TextContent(text='SECRET Q')"], asking))).toEqual([]);
  });
});
