import { describe, expect, it } from '@jest/globals';
import { batchOf, event, log, messages, type Plain, span } from '../../fixtures/items.ts';
import { mapBatch, type OtlpItem } from '../index.ts';

const Q = 'When do you open?';
const A = 'At nine.';
const INPUT = messages(['system', 'Be brief.'], ['user', 'Hello'], ['assistant', 'Hi'], ['user', Q]);
const OUTPUT = [{ role: 'assistant', parts: [{ type: 'text', content: A }], finish_reason: 'stop' }];
const json = (value: Plain): string => JSON.stringify(value);
const chat = (attributes: { readonly [key: string]: Plain }): OtlpItem => span({ attributes });

const CARRIERS: readonly (readonly [name: string, items: readonly OtlpItem[]])[] = [
  ['texts of service.audit', [chat({ 'service.audit.question_text': Q, 'service.audit.answer_text': A })]],
  [
    'texts of service.audit beside others',
    [
      chat({
        'gen_ai.output.messages': '[cut',
        'output.value': 'x',
        'service.audit.question_text': Q,
        'service.audit.answer_text': A,
      }),
    ],
  ],
  ['structured messages', [chat({ 'gen_ai.input.messages': INPUT, 'gen_ai.output.messages': OUTPUT })]],
  [
    'messages as JSON strings',
    [chat({ 'gen_ai.input.messages': json(INPUT), 'gen_ai.output.messages': json(OUTPUT) })],
  ],
  [
    'a span event with the details',
    [
      span({
        events: [
          event('gen_ai.client.inference.operation.details', {
            'gen_ai.input.messages': INPUT,
            'gen_ai.output.messages': OUTPUT,
          }),
        ],
      }),
    ],
  ],
  [
    'a log event with the details as attributes',
    [
      log({
        event: 'gen_ai.client.inference.operation.details',
        attributes: { 'gen_ai.input.messages': INPUT, 'gen_ai.output.messages': OUTPUT },
      }),
    ],
  ],
  [
    'a log event with the details in its body, named by an attribute',
    [
      log({
        attributes: { 'event.name': 'gen_ai.client.inference.operation.details' },
        body: { 'gen_ai.input.messages': INPUT, 'gen_ai.output.messages': OUTPUT },
      }),
    ],
  ],
  [
    'a prompt that names what it was filled with',
    [
      chat({
        'gen_ai.operation.name': 'chat',
        'gen_ai.input.messages': messages(['user', `document\n${Q}`]),
        'gen_ai.prompt.variable.context': 'document',
        'gen_ai.prompt.variable.question': Q,
        'gen_ai.output.messages': OUTPUT,
      }),
    ],
  ],
  [
    'events of a conversation in one attribute',
    [
      chat({
        'gen_ai.operation.name': 'chat',
        events: json([
          { 'event.name': 'gen_ai.user.message', role: 'user', content: 'Hello' },
          { 'event.name': 'gen_ai.assistant.message', role: 'assistant', content: 'Hi' },
          { 'event.name': 'gen_ai.user.message', role: 'user', content: Q },
          { 'event.name': 'gen_ai.choice', index: 0, message: { role: 'assistant', content: A } },
        ]),
      }),
    ],
  ],
  [
    'the pieces of a stream, of which the last says why it ended',
    [
      chat({
        'gen_ai.input.messages': INPUT,
        'gen_ai.output.messages': json(
          [A.slice(0, 4), A.slice(4)].map((content, n) => {
            return { role: 'assistant', parts: [{ type: 'text', content }], finish_reason: n === 0 ? '' : 'stop' };
          }),
        ),
      }),
    ],
  ],
  [
    'choices that do not say why they ended',
    [
      chat({
        'gen_ai.input.messages': INPUT,
        'gen_ai.output.messages': json(
          [A, 'another'].map((content) => ({ role: 'assistant', content, finish_reason: '' })),
        ),
      }),
    ],
  ],
  [
    'states of LangSmith',
    [
      chat({
        'langsmith.span.kind': 'chain',
        'gen_ai.operation.name': 'chain',
        'gen_ai.prompt': json({ input: Q, chat_history: [['user', 'Hello']] }),
        'gen_ai.completion': json({ input: Q, context: [{ page_content: 'document' }], answer: A }),
      }),
    ],
  ],
  [
    'the result of an agent of Pydantic AI',
    [
      chat({
        'gen_ai.operation.name': 'invoke_agent',
        'pydantic_ai.all_messages': json([
          { role: 'user', parts: [{ type: 'text', content: Q }] },
          { role: 'assistant', parts: [{ type: 'tool_call', name: 'final_result', arguments: { text: A } }] },
          { role: 'user', parts: [{ type: 'tool_call_response', name: 'final_result', result: 'done' }] },
        ]),
        final_result: A,
      }),
    ],
  ],
  [
    'a message that a decorated function gave back as JSON',
    [
      chat({
        'traceloop.span.kind': 'agent',
        'traceloop.entity.input': json({ args: [], kwargs: { message: Q, context: { note: 'x' } } }),
        'traceloop.entity.output': json(json({ role: 'assistant', content: A })),
      }),
    ],
  ],
  [
    "requests and responses of Google's agents",
    [
      chat({
        'gen_ai.system': 'gcp.vertex.agent',
        'gcp.vertex.agent.llm_request': json({
          config: { system_instruction: 'Be brief.' },
          contents: [{ role: 'user', parts: [{ text: Q }] }],
        }),
        'gcp.vertex.agent.llm_response': json({ content: { role: 'model', parts: [{ text: A }] }, partial: false }),
      }),
    ],
  ],
  [
    'flattened messages of the older conventions',
    [
      chat({
        'gen_ai.prompt.10.role': 'user',
        'gen_ai.prompt.10.content': Q,
        'gen_ai.prompt.9.role': 'user',
        'gen_ai.prompt.9.content': 'Hello',
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.content': A,
        'gen_ai.completion.1.content': 'another choice',
      }),
    ],
  ],
  [
    'flattened messages whose content is a list of parts',
    [
      chat({
        'gen_ai.prompt.0.role': 'user',
        'gen_ai.prompt.0.content': json([
          { type: 'image_url', image_url: { url: 'data:' } },
          { type: 'text', text: Q },
        ]),
        'gen_ai.completion.0.content': A,
      }),
    ],
  ],
  ['one prompt and one completion', [chat({ 'gen_ai.prompt': Q, 'gen_ai.completion': A })]],
  [
    'a prompt and a completion as JSON',
    [
      chat({
        'gen_ai.prompt': json([{ role: 'user', content: Q }]),
        'gen_ai.completion': json([{ role: 'assistant', content: A }]),
      }),
    ],
  ],
  [
    'span events of prompt and completion',
    [
      span({
        events: [
          event('gen_ai.content.prompt', { 'gen_ai.prompt': json([{ role: 'user', content: Q }]) }),
          event('gen_ai.content.completion', { 'gen_ai.completion': A }),
        ],
      }),
    ],
  ],
  [
    'span events for each message',
    [
      span({
        events: [
          event('gen_ai.system.message', { 'gen_ai.event.content': json({ role: 'system', content: 'Be brief.' }) }),
          event('gen_ai.user.message', { 'gen_ai.event.content': json({ role: 'user', content: Q }) }),
          event('gen_ai.choice', { 'gen_ai.event.content': json({ index: 0, message: { content: A } }) }),
        ],
      }),
    ],
  ],
  [
    'span events with plain contents',
    [span({ events: [event('gen_ai.user.message', { content: Q }), event('gen_ai.choice', { message: A })] })],
  ],
  [
    'log events for each message',
    [
      log({ event: 'gen_ai.system.message', body: { role: 'system', content: 'Be brief.' } }),
      log({ event: 'gen_ai.user.message', body: { role: 'user', content: 'Hello' } }),
      log({ event: 'gen_ai.user.message', body: { role: 'user', content: Q } }),
      log({
        event: 'gen_ai.choice',
        body: { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: A } },
      }),
    ],
  ],
  ['values of OpenInference', [chat({ 'openinference.span.kind': 'CHAIN', 'input.value': Q, 'output.value': A })]],
  [
    'messages of OpenInference, whose values are JSON of the call',
    [
      chat({
        'openinference.span.kind': 'LLM',
        'input.value': json({ model: 'm', messages: [] }),
        'input.mime_type': 'application/json',
        'output.value': json({ choices: [] }),
        'output.mime_type': 'application/json',
        'llm.input_messages.0.message.role': 'system',
        'llm.input_messages.0.message.content': 'Be brief.',
        'llm.input_messages.1.message.role': 'user',
        'llm.input_messages.1.message.contents.0.message_content.type': 'text',
        'llm.input_messages.1.message.contents.0.message_content.text': Q,
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.content': A,
      }),
    ],
  ],
  [
    'arguments and result of a function traced by Traceloop',
    [
      chat({
        'traceloop.span.kind': 'workflow',
        'traceloop.entity.input': json({ args: [Q], kwargs: {} }),
        'traceloop.entity.output': json(A),
      }),
    ],
  ],
  [
    'inputs and outputs of a chain traced by Traceloop',
    [
      chat({
        'traceloop.span.kind': 'workflow',
        'traceloop.entity.input': json({ inputs: { question: Q }, tags: [], kwargs: { name: 'x' } }),
        'traceloop.entity.output': json({ outputs: A, kwargs: { tags: [] } }),
      }),
    ],
  ],
];

describe('question and answer', () => {
  it.each(CARRIERS)('are read from %s', (_, items) => {
    const { items: answers, rejected } = mapBatch(batchOf(...items));
    expect(rejected).toEqual([]);
    expect(answers.map(({ question, answer }) => ({ question, answer }))).toEqual([
      { question: { text: Q }, answer: { text: A } },
    ]);
  });
});
