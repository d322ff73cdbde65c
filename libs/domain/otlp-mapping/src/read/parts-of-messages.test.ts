import { describe, expect, it } from '@jest/globals';
import { batchOf, type Plain, span } from '../../fixtures/items.ts';
import { mapBatch } from '../index.ts';

const given = [{ role: 'user', parts: [{ type: 'text', content: 'Q' }] }];

/** The question and the answer of the only record that a call leaves, if any. */
function textsOf(attributes: { readonly [key: string]: Plain }, scope = 'test') {
  const { items } = mapBatch(batchOf({ ...span({ attributes }), scope: { name: scope, version: '' } }));
  expect(items.length).toBeLessThan(2);
  return items.map(({ question, answer }) => [question?.text, answer?.text])[0];
}

const call = (message: Plain, asked: Plain = given) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': asked,
  'gen_ai.output.messages': [message],
});
const said = (...parts: readonly Plain[]) => ({ role: 'assistant', parts });
const text = (content: string) => ({ type: 'text', content });

describe('the parts of a message', () => {
  it('of a model are one text where they stand side by side, as with citations', () => {
    expect(textsOf(call(said(text('The grass '), text('is green'), text('.'))))).toEqual(['Q', 'The grass is green.']);
  });

  it('of a model are lines where something else stands between them', () => {
    const search = { type: 'server_tool_use', name: 'web_search' };
    expect(textsOf(call(said(text('I search.'), search, text('Born in 1916.'))))).toEqual([
      'Q',
      'I search.\nBorn in 1916.',
    ]);
  });

  it('of a person are lines', () => {
    const asked = [{ role: 'user', parts: [text('One?'), { type: 'image' }, text('Two?')] }];
    expect(textsOf(call(said(text('A')), asked))).toEqual(['One?\nTwo?', 'A']);
  });

  it('are an answer where a model refuses', () => {
    expect(textsOf(call(said({ type: 'refusal', content: 'I cannot.' })))).toEqual(['Q', 'I cannot.']);
    expect(textsOf(call(said({ type: 'refusal', refusal: 'I cannot.' })))).toEqual(['Q', 'I cannot.']);
    expect(textsOf(call({ role: 'assistant', content: null, refusal: 'I cannot.' }))).toEqual(['Q', 'I cannot.']);
  });

  it('are no answer where a model thinks, also flattened', () => {
    const flattened = (number: number, parts: readonly (readonly [type: string, text: string])[]) => {
      const prefix = `llm.output_messages.${number}.message.`;
      const contents = parts.flatMap(([type, part], n) => [
        [`${prefix}contents.${n}.message_content.text`, part],
        [`${prefix}contents.${n}.message_content.type`, type],
      ]);
      return Object.fromEntries([[`${prefix}role`, 'assistant'], ...contents]) as { readonly [key: string]: string };
    };
    const asked = { 'openinference.span.kind': 'LLM', 'input.value': 'Q' };
    const [thought, both] = [
      flattened(0, [['reasoning', 'SECRET']]),
      flattened(1, [
        ['text', 'A'],
        ['text', 'B'],
      ]),
    ];
    expect(textsOf({ ...asked, ...thought, ...both })).toEqual(['Q', 'AB']);
    expect(
      textsOf({
        ...asked,
        ...flattened(0, [
          ['reasoning', 'SECRET'],
          ['text', 'A'],
        ]),
      }),
    ).toEqual(['Q', 'A']);
    expect(textsOf({ ...asked, ...thought })).toBeUndefined();
  });

  it('are a question without how Python shows an image in a list of them', () => {
    const asked = {
      'openinference.span.kind': 'LLM',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': '["Q","<autogen_core._image.Image object at 0x7f2e>"]',
      'llm.output_messages.0.message.content': 'A',
    };
    expect(textsOf(asked)).toEqual(['Q', 'A']);
    const list = '["Q","R"]';
    expect(textsOf({ ...asked, 'llm.input_messages.0.message.content': list })).toEqual([undefined, 'A']);
  });

  it('are an answer after a search on a server, which OpenLLMetry takes for the call of a tool', () => {
    const searched = call({ ...said(text('A')), finish_reason: 'tool_call' });
    expect(textsOf(searched, 'opentelemetry.instrumentation.openai.v1')).toEqual(['Q', 'A']);
    expect(textsOf(searched)).toBeUndefined();
  });
});

describe('a refusal that OpenInference shows beside the messages alone', () => {
  const refused = (message: { readonly [key: string]: Plain }) => ({
    'openinference.span.kind': 'LLM',
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': 'Q',
    'llm.output_messages.0.message.role': 'assistant',
    'output.value': JSON.stringify({ choices: [{ index: 0, message }] }),
    'output.mime_type': 'application/json',
  });

  it('is the answer', () => {
    expect(textsOf(refused({ role: 'assistant', content: null, refusal: 'I cannot.' }))).toEqual(['Q', 'I cannot.']);
  });

  it('is none where nothing was said', () => {
    expect(textsOf(refused({ role: 'assistant', content: null, refusal: null }))).toBeUndefined();
  });
});

describe('what Pydantic AI ends a run with', () => {
  const run = (result: string) => ({
    'gen_ai.operation.name': 'invoke_agent',
    'pydantic_ai.all_messages': JSON.stringify(given),
    final_result: result,
  });
  const waiting = { tool_name: 'remove', args: '{"path": "SECRET"}', tool_call_id: 'call-1', part_kind: 'tool-call' };

  it('is no answer while tools wait for somebody', () => {
    expect(textsOf(run(JSON.stringify({ calls: [], approvals: [waiting], metadata: {} })))).toBeUndefined();
    expect(textsOf(run(JSON.stringify({ calls: [waiting], approvals: [], metadata: {} })))).toBeUndefined();
  });

  it('is one if it only has such names', () => {
    const told = '{"calls":[1],"approvals":[]}';
    expect(textsOf(run(told))).toEqual(['Q', told]);
  });
});

describe('what frameworks say in the place of a model or a person', () => {
  const run = (asked: string, told: string) => ({
    ...call(said(text(told)), [{ role: 'user', parts: [text(asked)] }]),
    'gen_ai.operation.name': 'invoke_agent',
  });

  it('is no answer where Agno waits for somebody', () => {
    expect(textsOf(run('Q', 'I have tools to execute, but I need confirmation.'))).toBeUndefined();
    expect(textsOf(run('Q', 'I have tools to execute, but I need a hand.'))).toEqual([
      'Q',
      'I have tools to execute, but I need a hand.',
    ]);
  });

  it('is no question where an agent of smolagents manages another one', () => {
    const asked =
      "You're a helpful agent named 'web'.\nYou have been submitted this task by your manager.\n---\nTask:\n";
    const managed = `${asked}SECRET\n---\nYou're helping your manager solve a wider task: so`;
    expect(textsOf(run(managed, 'A'))).toBeUndefined();
    expect(textsOf(run("You're a helpful agent named 'web'. Who are you?", 'A'))).toBeDefined();
  });
});

describe('spans of DeepEval', () => {
  it('leave the question and the answer of their trace, without what was retrieved', () => {
    const agent = span({
      id: 1,
      attributes: { 'confident.span.type': 'agent', 'confident.trace.input': 'Q', 'confident.trace.output': 'A' },
    });
    const below = (id: number, type: string) =>
      span({
        id,
        parent: 1,
        attributes: { 'confident.span.type': type, 'confident.span.input': 'q', 'confident.span.output': 'SECRET' },
      });
    const { items } = mapBatch(batchOf(agent, below(2, 'retriever'), below(3, 'tool'), below(4, 'llm')));
    expect(items.map(({ question, answer }) => [question?.text, answer?.text])).toEqual([['Q', 'A']]);
    expect(mapBatch(batchOf(below(2, 'retriever'), below(3, 'tool'))).items).toEqual([]);
  });
});
