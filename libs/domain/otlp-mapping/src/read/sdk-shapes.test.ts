import { describe, expect, it } from '@jest/globals';
import { batchOf, messages, type Plain, span } from '../../fixtures/items.ts';
import { mapBatch, type OtlpItem } from '../index.ts';

type Attributes = { readonly [key: string]: Plain };

const json = (value: Plain): string => JSON.stringify(value);

/** Question and answer of the records that items leave, whichever way they are sent. */
function recordsOf(...items: readonly OtlpItem[]): readonly (readonly (string | undefined)[])[] {
  const map = (list: readonly OtlpItem[]) =>
    mapBatch(batchOf(...list)).items.map(({ question, answer }) => [question?.text, answer?.text]);
  const found = map(items);
  expect(map(items.toReversed()).toReversed()).toEqual(found);
  return found;
}

/** The refs of the only record. */
function refsOf(...items: readonly OtlpItem[]) {
  const [item] = mapBatch(batchOf(...items)).items;
  return { sources: item?.sourceRefs.map((ref) => ref['source_name']), tools: item?.semanticRefs };
}

const call = (id: number, parent: number, question: string, answer: string, more: Attributes = {}): OtlpItem =>
  span({
    id,
    ...(parent === 0 ? {} : { parent }),
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': messages(['user', question]),
      'gen_ai.output.messages': messages(['assistant', answer]),
      ...more,
    },
  });

describe('messages of traceAI', () => {
  const given: Attributes = {
    'gen_ai.span.kind': 'LLM',
    // The first message, whosever it is.
    'input.value': 'secret prompt',
    'input.mime_type': 'application/json',
    'gen_ai.input.messages.0.message.role': 'system',
    'gen_ai.input.messages.0.message.content': 'secret prompt',
    'gen_ai.input.messages.1.message.role': 'user',
    'gen_ai.input.messages.1.message.content': 'Q',
  };

  it('are the texts, and not what a call shows beside them', () => {
    const said = { 'output.value': 'A', 'gen_ai.output.messages.0.message.content': 'A' };
    expect(recordsOf(span({ attributes: { ...given, ...said } }))).toEqual([['Q', 'A']]);
  });

  it('are no answer where they end with the request of a tool, also of what calls models', () => {
    const asking = {
      'output.value': 'Let me see.',
      'gen_ai.output.messages.0.message.content': 'Let me see.',
      'gen_ai.output.messages.1.message.tool_calls.0.tool_call.function.name': 'lookup',
    };
    for (const kind of ['LLM', 'CHAIN', 'AGENT']) {
      expect(recordsOf(span({ attributes: { ...given, ...asking, 'gen_ai.span.kind': kind } }))).toEqual([]);
    }
  });
});

describe('a message', () => {
  it('that instructs the model is no question, under whatever names it is shown', () => {
    const attributes = {
      'input.value': 'secret prompt',
      'output.value': 'A',
      'another.messages.0.role': 'system',
      'another.messages.0.content': 'secret prompt',
      'another.messages.1.role': 'user',
      'another.messages.1.content': 'Q',
    };
    expect(recordsOf(span({ attributes }))).toEqual([[undefined, 'A']]);
  });

  it('in the name of the user is none of a user, where it is the result of a tool', () => {
    const attributes = {
      'openinference.span.kind': 'LLM',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'Q',
      'llm.input_messages.1.message.role': 'user',
      'llm.input_messages.1.message.tool_call_id': '1',
      'llm.input_messages.1.message.content': 'secret rows',
      'llm.output_messages.0.message.content': 'A',
    };
    expect(recordsOf(span({ attributes }))).toEqual([['Q', 'A']]);
  });

  it('that stands in the place of an answer after an error is none', () => {
    const output = [{ role: 'assistant', parts: [{ type: 'text', content: 'secret' }], finish_reason: 'error' }];
    expect(recordsOf(call(1, 0, 'Q', 'A', { 'gen_ai.output.messages': json(output) }))).toEqual([]);
  });

  it('may stand in a choice, as the interface of OpenAI returns it', () => {
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'A' } }];
    expect(recordsOf(call(1, 0, 'Q', '', { 'gen_ai.output.messages': json(choices) }))).toEqual([['Q', 'A']]);
  });

  it.each([
    "content='A' additional_kwargs={'refusal': None}",
    "text='A' stars=5",
    "messages=[SystemMessage(content='secret')]",
    "\n{'role': 'system', 'content': 'secret'}",
    '<generator object Agent._run at 0x7f81e5ebf740>',
    '__end__',
  ])('is no text by which Python shows an object, or the name of an end: %s', (text) => {
    const attributes = { 'openinference.span.kind': 'CHAIN', 'input.value': 'Q', 'output.value': text };
    expect(recordsOf(span({ attributes }))).toEqual([]);
    const state = { ...attributes, 'output.value': json({ output: text }) };
    expect(recordsOf(span({ attributes: state }))).toEqual([]);
  });

  it.each(['a=1 is what you want.', "x='5'; print(x)", 'name=value pairs'])(
    'is a text that begins like one: %s',
    (text) => {
      const attributes = { 'openinference.span.kind': 'CHAIN', 'input.value': 'Q', 'output.value': text };
      expect(recordsOf(span({ attributes }))).toEqual([['Q', text]]);
    },
  );
});

describe('the state of an agent', () => {
  const run = (input: Plain, output: Plain) =>
    span({
      attributes: {
        'mlflow.spanType': '"AGENT"',
        'mlflow.spanInputs': json(input),
        'mlflow.spanOutputs': json(output),
      },
    });

  it('may be the only argument, and an answer that is wrapped', () => {
    expect(recordsOf(run({ args: ['Q'] }, { _value: 'A' }))).toEqual([['Q', 'A']]);
    expect(recordsOf(run({ args: ['Q', 'more'] }, { _value: 'A' }))).toEqual([[undefined, 'A']]);
  });

  it('has messages of AutoGen, whose source and kind say whose they are', () => {
    const said = (source: string, content: Plain, type = 'TextMessage') => ({
      id: '1',
      metadata: {},
      source,
      content,
      type,
    });
    const asked = [said('user', 'Q'), said('helper', [{ name: 'lookup' }], 'ToolCallRequestEvent')];
    const result = said('helper', [{ content: 'secret rows' }], 'ToolCallExecutionEvent');
    expect(recordsOf(run({ task: 'Q' }, { messages: [...asked, result, said('helper', 'A')] }))).toEqual([['Q', 'A']]);
    const summary = said('helper', 'secret rows', 'ToolCallSummaryMessage');
    expect(recordsOf(run({ task: 'Q' }, { messages: [...asked, result, summary] }))).toEqual([]);
  });
});

describe('a run of Guardrails AI', () => {
  const guard = (output: Attributes, statusCode = 0) => [
    {
      ...span({
        id: 1,
        attributes: {
          'openinference.span.kind': 'GUARDRAIL',
          type: 'guardrails/guard',
          'input.value': "\n{'role': 'system', 'content': Prompt(secret)}",
          ...output,
        },
      }),
      statusCode,
    },
    span({
      id: 2,
      parent: 1,
      attributes: {
        'openinference.span.kind': 'GUARDRAIL',
        type: 'guardrails/guard/step/call',
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': 'Q',
        'llm.output_messages.0.message.content': 'what the model said',
      },
    }),
  ];

  it('answers with what it let through, or put in its place', () => {
    expect(recordsOf(...guard({ 'output.value': 'A' }))).toEqual([['Q', 'A']]);
  });

  it('answers nobody where it refused', () => {
    expect(recordsOf(...guard({}, 2))).toEqual([]);
  });
});

describe('a chat of agents by AG2', () => {
  it('is asked by the first and answered by the last of what is below it, not by what it shows', () => {
    const shown = {
      'gen_ai.operation.name': 'conversation',
      'gen_ai.output.messages': messages(['assistant', 'Q'], ['user', 'A']),
    };
    expect(recordsOf(span({ id: 1, attributes: shown }), call(2, 1, 'Q', 'A'))).toEqual([['Q', 'A']]);
  });
});

describe('an agent within another one of the OpenAI Agents SDK', () => {
  const agent = (id: number, parent: number): OtlpItem => ({
    ...span({ id, parent, attributes: { 'gen_ai.operation.name': 'invoke_agent' } }),
    scope: { name: 'opentelemetry.instrumentation.genai.openai_agents', version: '' },
  });
  const check = [agent(3, 2), call(4, 3, 'is this fine?', 'yes')];
  const root = span({ id: 1, attributes: { 'gen_ai.operation.name': 'invoke_workflow' } });

  it('is a check, and never the answer', () => {
    expect(recordsOf(root, agent(2, 1), ...check, call(5, 2, 'Q', 'A'))).toEqual([['Q', 'A']]);
    expect(recordsOf(root, agent(2, 1), ...check)).toEqual([]);
  });

  it('is none where one was handed over to the other', () => {
    const other = [agent(6, 1), call(7, 6, 'Q', 'A')];
    expect(recordsOf(root, agent(2, 1), ...other)).toEqual([['Q', 'A']]);
  });
});

describe('documents', () => {
  const asked = span({
    id: 1,
    attributes: {
      'traceloop.span.kind': 'workflow',
      'traceloop.entity.input': json({ question: 'Q' }),
      'traceloop.entity.output': json({ answer: 'A' }),
    },
  });
  const metadata = { source: 'returns.md' };

  it.each([
    ['plain', { page_content: 'secret', metadata }],
    ['of JavaScript', { pageContent: 'secret', metadata }],
    [
      'as what a constructor is called with',
      { lc: 1, type: 'constructor', kwargs: { page_content: 'secret', metadata } },
    ],
  ])('of LangChain are known by their members in what a step gave back, %s', (_, document) => {
    const step = (output: Plain) =>
      span({
        id: 2,
        parent: 1,
        attributes: { 'traceloop.span.kind': 'task', 'traceloop.entity.output': json(output) },
      });
    expect(refsOf(asked, step([document])).sources).toEqual(['returns.md']);
    expect(refsOf(asked, step({ documents: [document] })).sources).toEqual(['returns.md']);
    expect(JSON.stringify(refsOf(asked, step([document])))).not.toContain('secret');
  });

  it('of LangWatch and Haystack have the names that they have there', () => {
    const rag = {
      'langwatch.span.type': 'rag',
      'langwatch.contexts': json({ type: 'json', value: [{ document_id: 'doc-1', content: 'secret' }] }),
    };
    const component = {
      'haystack.component.output': json({ documents: [{ id: 'doc-2', content: 'secret', file_path: 'returns.md' }] }),
    };
    const found = [span({ id: 2, parent: 1, attributes: rag }), span({ id: 3, parent: 1, attributes: component })];
    expect(refsOf(asked, ...found).sources).toEqual(['doc-1', 'returns.md']);
    const shown = json({ documents: [{ id: 'doc-2', content: 'secret', file_path: 'returns.md' }] });
    const langfuse = { 'langfuse.observation.type': 'retriever', 'langfuse.observation.output': shown };
    expect(refsOf(asked, span({ id: 2, parent: 1, attributes: langfuse })).sources).toEqual(['returns.md']);
  });
});

describe('a request to NeMo Guardrails', () => {
  const event = (name: string, content: string) => {
    return { name, timeUnixNano: 0n, attributes: [{ key: 'content', value: content }] };
  };
  const asked = event('guardrails.user_message', 'Q');
  const request = (...events: readonly ReturnType<typeof event>[]) => {
    return span({ id: 1, attributes: { 'gen_ai.operation.name': 'guardrails' }, events });
  };
  const check = span({
    id: 2,
    parent: 1,
    attributes: { 'gen_ai.operation.name': 'self_check_input' },
    events: [event('gen_ai.content.prompt', 'secret, is it allowed? Q'), event('gen_ai.content.completion', 'yes')],
  });

  it('leaves what the person said and was told, and nothing of the checks', () => {
    const told = event('guardrails.utterance.bot.started', 'A');
    expect(recordsOf(request(asked, told), check)).toEqual([['Q', 'A']]);
    expect(recordsOf(request(asked), check)).toEqual([]);
  });

  it('that a rail blocked has an answer only', () => {
    const told = event('guardrails.utterance.bot.started', 'I may not say that.');
    expect(recordsOf(request(told), check)).toEqual([[undefined, 'I may not say that.']]);
  });
});

describe('a conversation that LlamaIndex for TypeScript shows', () => {
  const said = messages(['user', 'Q'], ['assistant', ''], ['user', 'TOOL OUTPUT']);
  const given = { ...call(1, 0, '', 'A', { 'gen_ai.input.messages': said }) };

  it('has no results of tools as questions, which stand there in the name of the user', () => {
    const scope = { name: '@traceloop/instrumentation-llamaindex', version: '' };
    expect(recordsOf({ ...given, scope })).toEqual([['Q', 'A']]);
  });

  it('may go on after an answer without text, where calls of tools are shown', () => {
    expect(recordsOf(given)).toEqual([['TOOL OUTPUT', 'A']]);
  });
});
