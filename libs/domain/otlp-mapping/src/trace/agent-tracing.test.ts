import { describe, expect, it } from '@jest/globals';
import { callOf, textsOf } from '../../fixtures/answers.ts';
import { batchOf, event, messages, type Plain, span } from '../../fixtures/items.ts';
import { mapBatch, type OtlpItem } from '../index.ts';

const json = (value: Plain): string => JSON.stringify(value);

/** The tools that the only answer of items names. */
function toolsOf(...items: readonly OtlpItem[]): readonly string[] {
  const [answer] = mapBatch(batchOf(...items)).items;
  return (answer?.semanticRefs ?? []).flatMap(({ ref_type: type, name, step }) => {
    return type === 'tool_call' && typeof name === 'string' && typeof step === 'string' ? [`${name} ${step}`] : [];
  });
}

describe('Monocle', () => {
  const monocle = (id: number, type: string, input: Plain, response: Plain, parent?: number) => {
    const events = [event('data.input', { input }), event('data.output', { response })];
    const attributes = { 'span.type': type, 'entity.1.name': 'lookup' };
    return span({ id, attributes, events, ...(parent === undefined ? {} : { parent }) });
  };
  const asked = [json({ system: 'secret' }), json({ user: 'first' }), json({ ai: 'A' }), json({ human: 'Q' })];

  it('names the author of a message by the only member of an object', () => {
    expect(textsOf(monocle(1, 'inference', asked, json({ assistant: 'told' })))).toEqual([['Q', 'told']]);
    const parts = [
      json({
        user: [
          { type: 'text', text: 'Q' },
          { type: 'image_url', image_url: {} },
        ],
      }),
    ];
    expect(textsOf(monocle(1, 'inference.framework', parts, json({ ai: 'told' })))).toEqual([['Q', 'told']]);
  });

  it('shows that a model asked for a tool, which is no answer, and the result of it', () => {
    const wanted = { tool_name: 'lookup', tool_arguments: '{}' };
    expect(textsOf(monocle(1, 'inference', asked, json({ assistant: [wanted] })))).toEqual([]);
    expect(textsOf(monocle(1, 'inference', asked, json({ tools: [wanted] })))).toEqual([]);
    expect(textsOf(monocle(1, 'inference', asked, json({ ai: json([{ name: 'lookup', args: {} }]) })))).toEqual([]);
    const list = json([{ text: 'told' }, 5]);
    expect(textsOf(monocle(1, 'inference', asked, json({ ai: list })))).toEqual([['Q', list]]);
    const history = [...asked, json({ tool_function: 'lookup', tool_arguments: '{}' }), json({ tool: 'secret' })];
    const answered = monocle(1, 'inference', history, json({ assistant: 'told' }));
    expect(textsOf(answered)).toEqual([['Q', 'told']]);
    expect(toolsOf(answered)).toEqual(['lookup requested']);
  });

  it('tells the question of an agent, whose answer is what a model below it said', () => {
    const state = json({ messages: [['user', 'Q']] });
    const run = monocle(1, 'agentic.invocation', state, 'Q');
    const below = monocle(2, 'inference', [json({ user: 'prompt' })], json({ ai: 'told' }), 1);
    const tool = monocle(3, 'agentic.tool.invocation', "{'word': 'secret'}", 'secret', 1);
    expect(textsOf(run, below, tool)).toEqual([['Q', 'told']]);
    expect(toolsOf(run, below, tool)).toEqual(['lookup executed']);
    expect(textsOf(run)).toEqual([]);
  });

  it('tells documents, which are no answer', () => {
    const retrieval = monocle(2, 'retrieval', 'Q', 'a document', 1);
    const answered = monocle(1, 'inference', asked, json({ ai: 'told' }));
    const { items } = mapBatch(batchOf(answered, retrieval));
    expect(items.map(({ answer }) => answer?.text)).toEqual(['told']);
    expect(items[0]?.sourceRefs).toMatchObject([{ source_type: 'retrieved_document' }]);
  });
});

describe('VoltAgent', () => {
  const volt = (id: number, attributes: { readonly [key: string]: Plain }, parent?: number) =>
    span({ id, attributes: { 'entity.type': 'agent', ...attributes }, ...(parent === undefined ? {} : { parent }) });
  const tool = volt(2, { 'span.type': 'tool', 'tool.name': 'lookup', input: '{"word":"secret"}', output: 'secret' }, 1);

  it('shows a conversation or a text, and what the agent answered, beside the runs of its tools', () => {
    const given = json([
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'A' },
      { role: 'user', content: 'Q' },
    ]);
    const run = volt(1, { input: given, output: 'told' });
    expect(textsOf(run, tool)).toEqual([['Q', 'told']]);
    expect(toolsOf(run, tool)).toEqual(['lookup executed']);
    expect(textsOf(volt(1, { input: 'Q', output: 'told' }))).toEqual([['Q', 'told']]);
    const object = json({ text: 'told', stars: 5 });
    expect(textsOf(volt(1, { input: 'Q', output: object }))).toEqual([['Q', object]]);
    const workflow = { 'entity.type': 'workflow', input: json({ question: 'Q' }), output: json({ answer: 'told' }) };
    expect(textsOf(volt(1, workflow))).toEqual([['Q', 'told']]);
    expect(textsOf(tool)).toEqual([]);
  });

  it('is not meant by attributes of these names alone', () => {
    expect(textsOf(span({ attributes: { input: 'Q', output: 'told' } }))).toEqual([]);
  });
});

describe('LlamaIndex', () => {
  const block = (text: string) => [{ block_type: 'text', text }];
  const chat = (said: Plain, parent?: number) =>
    span({
      id: 2,
      ...(parent === undefined ? {} : { parent }),
      events: [
        event('LLMChatStartEvent', {
          messages: json([
            { role: 'system', blocks: block('secret') },
            { role: 'user', blocks: block('Q') },
          ]),
        }),
        event('LLMChatEndEvent', { 'response.message.blocks': json(said) }),
      ],
    });

  it('tells calls of models and queries by events, with what was retrieved', () => {
    expect(textsOf(chat(block('told')))).toEqual([['Q', 'told']]);
    const query = span({
      id: 1,
      events: [
        event('QueryStartEvent', { query: 'asked' }),
        event('QueryEndEvent', { 'query.query_str': 'asked', 'response.response': 'told' }),
      ],
    });
    const nodes = json([{ node: { id_: '1', text: 'secret', metadata: { file_name: 'returns.md' } }, score: 0.5 }]);
    const retrieval = span({ id: 3, parent: 1, events: [event('RetrievalEndEvent', { nodes })] });
    const items = [query, chat(block('told'), 1), retrieval];
    expect(textsOf(...items)).toEqual([['asked', 'told']]);
    expect(mapBatch(batchOf(...items)).items[0]?.sourceRefs).toMatchObject([{ source_name: 'returns.md', score: 0.5 }]);
  });

  it('shows a text beside the call of a tool, which is no answer', () => {
    const wanted = { block_type: 'tool_call', tool_name: 'lookup', tool_kwargs: {} };
    expect(textsOf(chat([...block('Let me look.'), wanted]))).toEqual([]);
  });
});

describe('Sentry', () => {
  const chat = (attributes: { readonly [key: string]: Plain }) =>
    span({ attributes: { 'gen_ai.operation.name': 'chat', ...attributes } });
  const given = json([{ role: 'user', content: 'Q' }]);

  it('shows an answer as a list of texts, or as a text', () => {
    for (const key of ['gen_ai.input.messages', 'gen_ai.request.messages']) {
      expect(textsOf(chat({ [key]: given, 'gen_ai.response.text': json(['told']) }))).toEqual([['Q', 'told']]);
      expect(textsOf(chat({ [key]: given, 'gen_ai.response.text': 'told' }))).toEqual([['Q', 'told']]);
    }
  });

  it('shows no answer where the model asked for a tool', () => {
    const asking = { 'gen_ai.response.text': json(['Let me look.']), 'gen_ai.response.tool_calls': '[]' };
    expect(textsOf(chat({ 'gen_ai.input.messages': given, ...asking }))).toEqual([]);
    expect(textsOf(chat({ 'gen_ai.input.messages': given, 'gen_ai.response.text': json(['']) }))).toEqual([]);
  });
});

describe('a step of LangChain.js that is a trace of its own', () => {
  const step = (id: number, trace: string, output: Plain) => {
    const attributes = {
      'gen_ai.operation.name': 'workflow',
      'traceloop.span.kind': 'workflow',
      'traceloop.entity.input': json({ input: 'Q' }),
      'traceloop.entity.output': json(output),
    };
    return span({ id, trace, attributes });
  };

  it('is no answer, and the call of a model is', () => {
    const steps = [step(1, '1'.repeat(32), { output: 'secret document' }), step(2, '2'.repeat(32), { output: 'told' })];
    expect(textsOf(...steps, callOf(3, 'told', messages(['user', 'Q'])))).toEqual([['Q', 'told']]);
  });
});

describe('a conversation that an instrumentation shows in a form of its own', () => {
  it('has no results of tools as a question, where every author is called a user', () => {
    const given = (...texts: readonly string[]) => messages(...texts.map((text) => ['user', text] as const));
    for (const results of [['secret'], ['secret', 'secret']])
      expect(textsOf(callOf(1, 'told', given('secret', 'Q', '', ...results)))).toEqual([['Q', 'told']]);
    // The turn before this one ran a tool.
    expect(textsOf(callOf(1, 'told', given('first', '', 'secret', 'A', 'Q')))).toEqual([['Q', 'told']]);
    expect(textsOf(callOf(1, 'told', given('', 'Q')))).toEqual([['Q', 'told']]);
    const image = { role: 'user', parts: [{ type: 'blob', modality: 'image', content: '' }] };
    const shown = ['first', 'Q'].map((content) => ({ role: 'user', parts: [{ type: 'text', content }] }));
    expect(textsOf(callOf(1, 'told', json([...shown.slice(0, 1), image, ...shown.slice(1)])))).toEqual([['Q', 'told']]);
  });

  it('is one where something else stands between its messages', () => {
    const given = [{ role: 'user', content: 'Q' }, [{ id: '', type: '' }], { role: 'tool', content: 'secret' }];
    const events = [
      event('gen_ai.content.prompt', { 'gen_ai.prompt': json(given) }),
      event('gen_ai.content.completion', { 'gen_ai.completion': json([{ role: 'assistant', content: 'told' }]) }),
    ];
    expect(textsOf(span({ attributes: { 'gen_ai.operation.name': 'chat' }, events }))).toEqual([['Q', 'told']]);
  });
});

describe('the run of an agent', () => {
  const run = (question: string, answer: string) => {
    const attributes = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.input.messages': messages(['user', question]),
      'gen_ai.output.messages': messages(['assistant', answer]),
    };
    return span({ id: 1, attributes });
  };
  const below = (said: string) => callOf(2, said, messages(['user', 'prompt']), 1);

  it('is asked and answers with what a state in JSON names, if a model said that', () => {
    const state = json({ question: 'Q', documents: ['secret'], generation: 'told' });
    expect(textsOf(run(json({ question: 'Q' }), state), below('told'))).toEqual([['Q', 'told']]);
  });

  it('answers with an object that a model wrote as it is', () => {
    const object = json({ text: 'told', stars: 5 });
    expect(textsOf(run('Q', object), below(object))).toEqual([['Q', object]]);
    expect(textsOf(run(json({ other: 1, more: 2 }), 'told'))).toEqual([[undefined, 'told']]);
    expect(textsOf(run('{}', 'told'), below('told'))).toEqual([['prompt', 'told']]);
  });

  it('answers without space that a framework puts around it', () => {
    expect(textsOf(run('Q', 'told\n'), below('told'))).toEqual([['Q', 'told']]);
    expect(textsOf(run('Q', 'told \n'))).toEqual([['Q', 'told \n']]);
  });

  it('is asked with what is filled into a template, not with the template', () => {
    const inputs = json({ prompt: '{{$input}}', function_name: 'ask', kwargs: { input: 'Q' } });
    const outputs = json([{ role: 'assistant', content: 'told' }]);
    const attributes = { 'mlflow.spanType': '"AGENT"', 'mlflow.spanInputs': inputs, 'mlflow.spanOutputs': outputs };
    expect(textsOf(span({ attributes }))).toEqual([['Q', 'told']]);
  });
});

describe('Langflow', () => {
  it('shows a call of a model in another trace than the flow, which alone is an answer', () => {
    const model = {
      'openinference.span.kind': 'LLM',
      'langflow.correlation_id': 'c',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'filled prompt',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'A',
    };
    const flow = {
      'openinference.span.kind': 'chain',
      'langflow.correlation_id': 'c',
      'langflow.trace_id': 't',
      'input.value': 'Q',
      'output.value': 'A',
    };
    expect(textsOf(span({ id: 1, attributes: model }))).toEqual([]);
    expect(textsOf(span({ id: 1, attributes: model }), span({ id: 2, attributes: flow }))).toEqual([['Q', 'A']]);
    const marked = { ...model, 'service.audit.idempotency_key': 'msg-1' };
    expect(textsOf(span({ id: 1, attributes: marked }))).toEqual([['filled prompt', 'A']]);
  });

  it('tells Traceloop what a person and the flow said, and not which call of a model is part of it', () => {
    const outputs = {
      'Chat Input (ChatInput-1)': { message: 'Q' },
      'Prompt Template (PromptComponent-2)': { prompt: 'filled prompt' },
      'Chat Output (ChatOutput-3)': { message: 'A' },
    };
    const flow = span({ id: 1, attributes: { workflow_id: 'w', outputs: JSON.stringify(outputs) } });
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': messages(['user', 'filled prompt']),
      'gen_ai.output.messages': messages(['assistant', 'A']),
    };
    const scope = { name: 'opentelemetry.instrumentation.langchain', version: '' };
    const call = (application: string) => {
      return { ...span({ id: 2, attributes, resource: { 'service.name': application } }), scope };
    };
    expect(textsOf(flow)).toEqual([['Q', 'A']]);
    expect(textsOf(call('Langflow'))).toEqual([]);
    expect(textsOf(call('support-bot'))).toEqual([['filled prompt', 'A']]);
  });
});
