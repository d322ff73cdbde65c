import { describe, expect, it } from '@jest/globals';
import { callOf, textsOf } from '../../fixtures/answers.ts';
import { event, log, messages, type Plain, span } from '../../fixtures/items.ts';
import type { OtlpItem } from '../index.ts';

const json = (value: Plain): string => JSON.stringify(value);

describe('instrumentations for Node', () => {
  const asked = (text: string): OtlpItem => {
    const scope = { name: '@traceloop/instrumentation-openai', version: '' };
    return { ...callOf(1, 'told', json([{ role: 'user', content: text }])), scope };
  };

  it('may write as a text what the interface for responses was given', () => {
    const given: Plain = [
      { role: 'developer', content: 'secret' },
      { role: 'user', content: [{ type: 'input_text', text: 'Q' }, { type: 'input_image' }] },
      { type: 'function_call', call_id: '1', name: 'lookup', arguments: '{}' },
      { type: 'function_call_output', call_id: '1', output: 'secret' },
    ];
    expect(textsOf(asked(json(given)))).toEqual([['Q', 'told']]);
    expect(textsOf(asked(json([{ type: 'text', text: 'Q' }])))).toEqual([['Q', 'told']]);
    expect(textsOf(asked(json([{ other: 'Q' }])))).toEqual([['Q', 'told']]);
    expect(textsOf(asked('[{"type":'))).toEqual([[undefined, 'told']]);
    expect(textsOf(asked(json([5])))).toEqual([[json([5]), 'told']]);
  });

  it('tell of a call in two events, of which each has a half', () => {
    const half = (key: string, value: Plain, id: number) => {
      const attributes = { 'gen_ai.operation.name': 'chat', [key]: value };
      return { ...log({ event: 'gen_ai.client.inference.operation.details', attributes }), timeUnixNano: BigInt(id) };
    };
    const question = half('gen_ai.input.messages', messages(['system', 'secret'], ['user', 'Q']), 1);
    const answer = half('gen_ai.output.messages', messages(['assistant', 'told']), 2);
    expect(textsOf(question, answer)).toEqual([['Q', 'told']]);
    expect(textsOf(answer, question)).toEqual([['Q', 'told']]);
  });

  it('show a text beside messages, as it was given to the interface of Google', () => {
    const given: Plain = [{ role: 'system', content: 'secret' }, { inlineData: {} }, { text: 'Q' }];
    const attributes = { 'gen_ai.input.messages': given, 'gen_ai.output.messages': messages(['model', 'told']) };
    expect(textsOf(span({ attributes: { 'gen_ai.operation.name': 'chat', ...attributes } }))).toEqual([['Q', 'told']]);
  });

  it('show thoughts of a model as parts of another type', () => {
    const at = 'llm.output_messages.0.message';
    const attributes = {
      'openinference.span.kind': 'LLM',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'Q',
      [`${at}.role`]: 'assistant',
      [`${at}.contents.0.message_content.type`]: 'reasoning',
      [`${at}.contents.0.message_content.text`]: 'secret',
      [`${at}.contents.1.message_content.type`]: 'text',
      [`${at}.contents.1.message_content.text`]: 'told',
    };
    expect(textsOf(span({ attributes }))).toEqual([['Q', 'told']]);
  });

  it('pass options of a call beside what was asked', () => {
    const given = json({ args: [{ messages: [{ role: 'user', content: 'Q' }] }, { signal: {} }] });
    const attributes = { 'langsmith.span.kind': 'llm', 'gen_ai.prompt': given, 'gen_ai.completion': '"told"' };
    expect(textsOf(span({ attributes }))).toEqual([['Q', 'told']]);
  });
});

describe('a graph that stops to ask a person', () => {
  const chain = (id: number, output: Plain, parent?: number) => {
    const attributes = { 'openinference.span.kind': 'CHAIN', 'input.value': 'Q', 'output.value': json(output) };
    const typed = { ...attributes, 'output.mime_type': 'application/json' };
    return span({ id, attributes: typed, ...(parent === undefined ? {} : { parent }) });
  };
  const pause: OtlpItem = {
    ...span({
      id: 3,
      parent: 1,
      attributes: { 'openinference.span.kind': 'CHAIN' },
      events: [event('exception', { 'exception.message': 'GraphInterrupt: [{"value":"May I?"}]' })],
    }),
    statusCode: 2,
  };
  const draft = callOf(2, 'a draft', messages(['user', 'Q']), 1);

  it('has not answered with the draft that a model wrote, but with what it said to the person', () => {
    expect(textsOf(chain(1, { draft: 'a draft' }), draft, pause)).toEqual([]);
    const said = chain(1, {
      messages: [
        { role: 'user', content: 'Q' },
        { role: 'assistant', content: 'a draft' },
      ],
    });
    expect(textsOf(said, draft, pause)).toEqual([['Q', 'a draft']]);
    expect(textsOf(chain(1, { draft: 'a draft' }), draft)).toEqual([['Q', 'a draft']]);
  });
});

describe('a workflow of Mastra that waits for a person', () => {
  const run = (id: number, status: string, more: { readonly [key: string]: Plain }, parent?: number) => {
    const kind = { 'gen_ai.operation.name': 'invoke_workflow', 'mastra.workflow_run.status': status };
    return span({ id, attributes: { ...kind, ...more }, ...(parent === undefined ? {} : { parent }) });
  };
  const waiting = run(1, 'suspended', { 'mastra.workflow_run.input': json({ question: 'Q' }) });
  const step = span({ id: 4, parent: 1, attributes: { 'mastra.workflow_step.status': 'success' } });
  const draft = callOf(2, 'a draft', messages(['user', 'prompt']), 4);

  it('has answered when it went on', () => {
    expect(textsOf(waiting, step, draft)).toEqual([]);
    const ended = run(3, 'success', { 'mastra.workflow_run.output': json({ answer: 'told' }) }, 1);
    const later: OtlpItem = { ...ended, endTimeUnixNano: 3_000n };
    expect(textsOf(waiting, step, draft, later)).toEqual([['Q', 'told']]);
  });
});

describe('a coding agent', () => {
  const shown = (name: string, attributes: { readonly [key: string]: Plain }): OtlpItem => ({
    ...span({ attributes }),
    scope: { name, version: '' },
  });

  it('is asked what a person typed, and answers with all pieces of a stream (Gemini CLI)', () => {
    const context = { text: '<session_context>\nsecret folder\n</session_context>' };
    const attributes = {
      'gen_ai.operation.name': 'llm_call',
      'gen_ai.input.messages': json([{ role: 'user', parts: [context, { text: 'Q' }] }]),
      'gen_ai.output.messages': json(['to', 'ld'].map((text) => ({ role: 'model', parts: [{ text }] }))),
    };
    expect(textsOf(shown('gemini-cli', attributes))).toEqual([['Q', 'told']]);
    const asking: readonly Plain[] = [{ text: 'Let me look.' }, { functionCall: { name: 'lookup', args: {} } }];
    const asked = json(asking.map((part) => ({ role: 'model', parts: [part] })));
    expect(textsOf(shown('gemini-cli', { ...attributes, 'gen_ai.output.messages': asked }))).toEqual([]);
  });

  it('answers with the last of its turns, which are one message (GitHub Copilot)', () => {
    const said = ['first', 'told'].map((content) => ({ type: 'text', content }));
    const typed = '<current_datetime>2026-01-01T00:00:00+00:00</current_datetime>\n\nQ';
    const attributes = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.input.messages': json([{ role: 'user', parts: [{ type: 'text', content: typed }] }]),
      'gen_ai.output.messages': json([{ role: 'assistant', parts: said }]),
    };
    expect(textsOf(shown('github.copilot', attributes))).toEqual([['Q', 'told']]);
  });
});
