import { describe, expect, it } from '@jest/globals';
import { batchOf, messages, type Plain, span } from '../../fixtures/items.ts';
import { mapBatch, type OtlpItem } from '../index.ts';

const json = (value: Plain): string => JSON.stringify(value);
const human = (content: Plain): Plain => ({ type: 'human', data: { content, type: 'human' } });
const ai = (content: Plain, tools: readonly Plain[] = []): Plain => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain', 'schema', 'messages', 'AIMessage'],
  kwargs: { content, type: 'ai', tool_calls: tools },
});
const ofClass = (name: string, content: string): Plain => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs: { content },
});
const tool: Plain = { type: 'tool', data: { content: 'secret output', type: 'tool' } };

const chain = (input: Plain, output: Plain, more: object = {}): OtlpItem =>
  span({
    id: 1,
    attributes: {
      'openinference.span.kind': 'CHAIN',
      'input.value': json(input),
      'input.mime_type': 'application/json',
      'output.value': json(output),
      'output.mime_type': 'application/json',
    },
    ...more,
  });
const call = (id: number, text: string, parent = 1): OtlpItem => ({
  ...span({
    id,
    parent,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': messages(['user', `${text}?`]),
      'gen_ai.output.messages': messages(['assistant', text]),
    },
  }),
  endTimeUnixNano: BigInt(id),
});

function textsOf(...items: readonly OtlpItem[]): readonly (readonly [string | undefined, string | undefined])[] {
  const { items: answers, rejected } = mapBatch(batchOf(...items));
  expect(rejected).toEqual([]);
  return answers.map(({ question, answer }) => [question?.text, answer?.text] as const);
}

describe('the state of a framework', () => {
  it('is no text where its type does not say that it is JSON, whole or cut off', () => {
    const states = ['{"memory_step": "Step(number=1)"}', '["a document", "another one"]', '{"nodes": [{"text": "cut o'];
    for (const state of states) {
      const attributes = { 'openinference.span.kind': 'CHAIN', 'input.value': state, 'output.value': 'A' };
      expect(textsOf(span({ id: 1, attributes }))).toEqual([[undefined, 'A']]);
      const step = span({ id: 1, attributes: { ...attributes, 'input.value': 'Q', 'output.value': state } });
      expect(textsOf(step)).toEqual([]);
    }
    const braced = { 'openinference.span.kind': 'CHAIN', 'input.value': '{name} or [n]?', 'output.value': 'A' };
    expect(textsOf(span({ id: 1, attributes: braced }))).toEqual([['{name} or [n]?', 'A']]);
  });

  it('is read where a workflow shows it as a message', () => {
    const workflow = (question: Plain) =>
      span({
        id: 1,
        attributes: {
          'gen_ai.operation.name': 'invoke_workflow',
          'gen_ai.input.messages': messages(['user', json(question)]),
        },
      });
    expect(textsOf(call(2, 'A'), workflow({ question: 'Q', history: ['secret'] }))).toEqual([['Q', 'A']]);
    expect(textsOf(call(2, 'A'), workflow({ a: 1, b: 'secret' }))).toEqual([['A?', 'A']]);
  });

  it('with one member of another name is a question, and never an answer', () => {
    expect(textsOf(chain({ topic: 'Q' }, { output_type: 'str' }))).toEqual([]);
    expect(textsOf(call(2, 'A'), chain({ topic: 'Q' }, { output_type: 'str' }))).toEqual([['Q', 'A']]);
  });

  it('gives no text of a document', () => {
    const node = { id_: '1', text: 'secret', metadata: { file_name: 'a.md' } };
    const states: readonly Plain[] = [[node], { output: node }, { result: { id: '1', page_content: 'secret' } }];
    for (const state of states) {
      expect(textsOf(chain({ input: 'Q' }, state))).toEqual([]);
    }
  });

  it.each<readonly [name: string, input: Plain, output: Plain]>([
    [
      'messages of a conversation',
      { messages: [human('first'), ai('yes'), human('Q')] },
      { messages: [human('Q'), ai('A')] },
    ],
    [
      'pairs of role and text',
      {
        messages: [
          ['system', 'brief'],
          ['user', 'Q'],
        ],
      },
      { messages: [['assistant', 'A']] },
    ],
    [
      'messages of LangChain.js, which names their authors by classes alone',
      { messages: [['user', 'Q']] },
      { messages: [ofClass('HumanMessage', 'Q'), ofClass('AIMessage', 'A')] },
    ],
    [
      'a result of a tool whose author is the tool',
      { messages: [['user', 'Q']] },
      {
        messages: [
          { role: 'user', content: 'Q' },
          { role: 'assistant', content: '', tool_calls: [{ function: { name: 'lookup', arguments: '{}' } }] },
          { role: 'lookup', content: 'secret output' },
          { role: 'assistant', content: 'A' },
        ],
      },
    ],
    ['a batch of one conversation', { messages: [[human('Q')]] }, { generations: [[{ text: 'A', message: ai('A') }]] }],
    [
      'a message with parts',
      { messages: [human([{ type: 'text', text: 'Q' }, { type: 'image_url' }])] },
      ai([{ type: 'text', text: 'A' }]),
    ],
    ['an agent with an executor', { input: 'Q', chat_history: [human('old')] }, { input: 'Q', output: 'A' }],
    ['a retrieval chain', { question: 'Q' }, { context: [{ page_content: 'secret' }], answer: 'A', question: 'Q' }],
    ['one variable of a prompt', { topic: 'Q' }, 'A'],
    ['arguments by name', { args: [], kwargs: { query: 'Q', limit: 3 } }, { result: 'A', cost: 1 }],
    [
      'what a callback wraps',
      { inputs: { input: 'Q' }, tags: [], kwargs: {} },
      { outputs: { output: 'A' }, kwargs: {} },
    ],
    [
      'components of a pipeline',
      { data: { retriever: { query: 'words' }, builder: { question: 'Q' } } },
      { model: { replies: ['A'] } },
    ],
    ['a query engine', { query_bundle: { query_str: 'Q', image_path: null } }, { response: 'A', source_nodes: [] }],
    [
      'blocks of LlamaIndex',
      { messages: [{ role: 'user', blocks: [{ block_type: 'text', text: 'Q' }] }] },
      { role: 'assistant', blocks: [{ block_type: 'text', text: 'A' }] },
    ],
    ['parts of Google', [{ role: 'user', parts: [{ text: 'Q' }] }], { candidates: [{ content: 'A', role: 'model' }] }],
    [
      'a request to Google, and the message that answers it',
      { model: 'm', contents: [{ role: 'user', parts: [{ text: 'Q' }] }], config: { system_instruction: 'secret' } },
      { content: { role: 'model', parts: [{ text: 'A' }] }, finish_reason: 'STOP' },
    ],
    ['a run of an agent of Google', { user_id: 'u', new_message: { role: 'user', parts: [{ text: 'Q' }] } }, 'A'],
    [
      'choices of OpenAI',
      { messages: [['user', 'Q']] },
      { choices: [{ message: { role: 'assistant', content: 'A' } }] },
    ],
  ])('is read for %s', (_, input, output) => {
    expect(textsOf(chain(input, output))).toEqual([['Q', 'A']]);
  });

  it.each<readonly [name: string, output: Plain]>([
    ['ends with a tool', { messages: [human('Q'), ai('', [{ name: 'x' }]), tool] }],
    ['ends with a model that asks for a tool', { messages: [human('Q'), ai('Let me see', [{ name: 'x' }])] }],
    [
      'asks for a tool in its only message',
      { generations: [[{ text: 'Let me see', message: ai('Let me see', [{ name: 'x' }]) }]] },
    ],
    ['names no text', { documents: ['secret'], steps: 3 }],
    ['holds several texts without a name', ['secret', 'secret']],
    ['is a number', 3],
    ['is a list of one text', ['secret']],
    ['shows an object of Python', { result: "StopEvent(result=Output(text='secret'))" }],
    ['has two texts of one name in its components', { one: { output: 'secret' }, two: { output: 'other' } }],
    ['asks for a tool in a part of Amazon Bedrock', { role: 'assistant', content: [{ text: 'x' }, { toolUse: {} }] }],
    ['asks for a tool in a part of Google', { role: 'model', parts: [{ text: 'x' }, { functionCall: { name: 'y' } }] }],
  ])('is no answer where it %s', (_, output) => {
    expect(textsOf(chain({ input: 'Q' }, output))).toEqual([]);
  });

  it('is read in the messages of Pydantic AI, and is no text by which Python shows an object', () => {
    const turns = [
      {
        kind: 'request',
        parts: [
          { part_kind: 'system-prompt', content: 'secret' },
          { part_kind: 'user-prompt', content: ['Q', { url: 'secret' }, 'more'] },
        ],
      },
      { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'lookup', args: '{}' }] },
      { kind: 'request', parts: [{ part_kind: 'tool-return', content: 'secret' }] },
    ];
    const attributes = {
      'mlflow.spanType': '"CHAT_MODEL"',
      'mlflow.spanInputs': JSON.stringify({ messages: turns }),
      'mlflow.spanOutputs': JSON.stringify({ kind: 'response', parts: [{ part_kind: 'text', content: 'A' }] }),
    };
    expect(mapBatch(batchOf(span({ attributes }))).items).toMatchObject([
      { question: { text: 'Q\nmore' }, answer: { text: 'A' } },
    ]);
    const shown = JSON.stringify("{'_all_messages': [ModelRequest(parts=[secret])]}");
    expect(mapBatch(batchOf(span({ attributes: { ...attributes, 'mlflow.spanOutputs': shown } }))).items).toEqual([]);
  });

  it('is no text where it was cut off', () => {
    const attributes = { 'traceloop.entity.input': '"Q"', 'traceloop.entity.output': '{"outputs": {"output": "secr' };
    expect(textsOf(span({ attributes }))).toEqual([]);
  });

  it('is no text where it is how nothing is written', () => {
    const attributes = { 'openinference.span.kind': 'CHAIN', 'input.value': 'Q', 'output.value': 'null' };
    expect(textsOf(span({ attributes }))).toEqual([]);
    expect(textsOf(call(2, 'call'), span({ attributes }))).toEqual([['Q', 'call']]);
  });

  it('is answered by the last call of a model below, whatever the order of the spans', () => {
    const spans = [
      call(2, 'rewritten'),
      call(3, 'last', 4),
      span({ id: 4, parent: 1 }),
      chain({ steps: 3 }, { steps: 3 }),
    ];
    expect(textsOf(...spans)).toEqual([['last?', 'last']]);
    expect(textsOf(...spans.toReversed())).toEqual([['last?', 'last']]);
  });

  it('takes no prompt for the question where documents were retrieved', () => {
    const retriever = span({ id: 3, parent: 1, attributes: { 'retrieval.documents.0.document.id': 'doc-1' } });
    const root = chain({ steps: 3 }, { steps: 3 });
    expect(textsOf(call(2, 'secret'), retriever, root)).toEqual([[undefined, 'secret']]);
    expect(textsOf(call(2, 'call'), { ...retriever, traceId: 'e'.repeat(32) }, root)).toEqual([['call?', 'call']]);
  });

  it('is no question where only some arguments of a function are named', () => {
    expect(textsOf(chain({ args: ['secret'], kwargs: { customer: 'secret' } }, { answer: 'A' }))).toEqual([
      [undefined, 'A'],
    ]);
  });

  it('keeps its own question, and its own answer', () => {
    expect(textsOf(call(2, 'call'), chain({ question: 'Q', context: 'secret' }, { steps: 3 }))).toEqual([
      ['Q', 'call'],
    ]);
    expect(textsOf(call(2, 'call'), chain({ steps: 3 }, { answer: 'A', steps: 3 }))).toEqual([['call?', 'A']]);
  });

  it('takes no answer from a chain below, from a call beside it, or from one of another trace', () => {
    const inner = chain({ input: 'inner?' }, { output: 'inner' }, { id: 2, parent: 1 });
    expect(textsOf(inner, chain({ steps: 3 }, { steps: 3 }))).toEqual([['inner?', 'inner']]);
    expect(textsOf(call(3, 'beside', 9), chain({ steps: 3 }, { steps: 3 }))).toEqual([['beside?', 'beside']]);
    const elsewhere = { ...call(2, 'elsewhere'), traceId: 'e'.repeat(32) };
    expect(textsOf(elsewhere, chain({ steps: 3 }, { steps: 3 }))).toEqual([['elsewhere?', 'elsewhere']]);
  });

  it('may be the pieces of a stream, of which those behind the last request of a tool are the answer', () => {
    const piece = (delta: Plain): Plain => ({ object: 'chat.completion.chunk', choices: [{ index: 0, delta }] });
    const asking = [piece({ content: 'Let me see.' }), piece({ content: null, tool_calls: [{ index: 0 }] })];
    const said = [
      piece({ content: 'it is ' }),
      piece({ content: 'A' }),
      { object: 'chat.completion.chunk', choices: [] },
    ];
    expect(textsOf(chain({ input: 'Q' }, [...asking, ...said]))).toEqual([['Q', 'it is A']]);
    expect(textsOf(chain({ input: 'Q' }, asking))).toEqual([]);
    expect(textsOf(chain({ input: 'Q' }, [...said, { object: 'document', text: 'secret' }]))).toEqual([]);
  });

  it('costs the same for any depth and number of members', () => {
    const deep = Array.from({ length: 60 }).reduce<Plain>((inner) => ({ output: inner }), 'secret');
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, 'secret']));
    expect(textsOf(chain({ input: 'Q' }, deep))).toEqual([]);
    expect(textsOf(chain({ input: 'Q' }, wide))).toEqual([]);
  });
});
