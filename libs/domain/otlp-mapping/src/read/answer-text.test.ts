import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { batchOf, event, messages, type Plain, span } from '../../fixtures/items.ts';
import { mapBatch, type OtlpItem } from '../index.ts';
import { findAnswerIn } from './answer-text.ts';
import { reduceItems } from './reduced-item.ts';

const SECRET = 'SECRET: be kind.\n\nSECRET document';
const asked = { 'gen_ai.input.messages': messages(['user', 'Q']) };
const of = (attributes: { readonly [key: string]: Plain }) =>
  span({ attributes: { 'gen_ai.operation.name': 'chat', ...attributes } });

const CARRIERS: Readonly<Record<string, (text: string) => OtlpItem>> = {
  'event gen_ai.content.completion': (text) =>
    span({
      attributes: { 'gen_ai.operation.name': 'chat' },
      events: [
        event('gen_ai.content.prompt', { 'gen_ai.prompt': 'Q' }),
        event('gen_ai.content.completion', { 'gen_ai.completion': text }),
      ],
    }),
  'gen_ai.completion': (text) => of({ 'gen_ai.prompt': 'Q', 'gen_ai.completion': text }),
  'gen_ai.completion.0.content': (text) =>
    of({
      'gen_ai.prompt.0.content': 'Q',
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.content': text,
    }),
  'output.value': (text) => of({ 'openinference.span.kind': 'LLM', 'input.value': 'Q', 'output.value': text }),
  'gen_ai.output.messages': (text) => of({ ...asked, 'gen_ai.output.messages': messages(['assistant', text]) }),
  'llm.output_messages': (text) =>
    of({
      'openinference.span.kind': 'LLM',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'Q',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': text,
    }),
  langfuse: (text) =>
    span({
      attributes: {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.input': JSON.stringify([{ role: 'user', content: 'Q' }]),
        'langfuse.observation.output': JSON.stringify({ role: 'assistant', content: text }),
      },
    }),
  mlflow: (text) =>
    span({
      attributes: {
        'mlflow.spanType': '"CHAT_MODEL"',
        'mlflow.spanInputs': JSON.stringify({ messages: [{ role: 'user', content: 'Q' }] }),
        'mlflow.spanOutputs': JSON.stringify({ messages: [{ role: 'assistant', content: text }] }),
      },
    }),
  traceloop: (text) =>
    span({
      attributes: {
        'traceloop.span.kind': 'workflow',
        'traceloop.entity.input': JSON.stringify({ inputs: { question: 'Q' } }),
        'traceloop.entity.output': JSON.stringify({ outputs: { answer: text } }),
      },
    }),
  'ai.response.text': (text) =>
    span({
      attributes: {
        'ai.operationId': 'ai.generateText',
        'ai.prompt': JSON.stringify({ prompt: 'Q' }),
        'ai.response.text': text,
      },
    }),
  haystack: (text) =>
    span({
      attributes: {
        'haystack.pipeline.input_data': JSON.stringify({ llm: { question: 'Q' } }),
        'haystack.pipeline.output_data': JSON.stringify({ llm: { replies: [text] } }),
      },
    }),
};

/** What is not what anybody was told, with the answer in it; null: it has none. */
const FORMS: Readonly<Record<string, readonly [text: string, answer: string | null]>> = {
  ChatML: [
    `<|im_start|>system\n${SECRET}<|im_end|>\n<|im_start|>user\nQ<|im_end|>\n<|im_start|>assistant\nA<|im_end|>`,
    'A',
  ],
  'Llama 2': [`<s>[INST] <<SYS>>\n${SECRET}\n<</SYS>>\n\nQ [/INST] A </s>`, 'A'],
  Gemma: [`<bos><start_of_turn>user\n${SECRET}\n\nQ<end_of_turn>\n<start_of_turn>model\nA<end_of_turn>`, 'A'],
  'lines of roles': [`System: ${SECRET}\nHuman: Q\nAI: A`, 'A'],
  headings: [`### System:\n${SECRET}\n\n### User:\nQ\n\n### Assistant:\nA`, 'A'],
  'a chat that nobody answered': [`System: ${SECRET}\nHuman: Q\nAI:`, null],
  'an object of Python': [`AgentRunResult(output='SECRET draft', usage=3)`, null],
  'a list of them': [`[Document(page_content='SECRET document'), Document(page_content='b')]`, null],
  'a dict of Python': [`{'documents': 'SECRET document'}`, null],
  'the name of an object': ['<acme.Result object at 0x7f00SECRET>', null],
  'a message': ['{"role":"assistant","content":"A"}', 'A'],
  'a conversation': [
    JSON.stringify([
      { role: 'system', content: SECRET },
      { role: 'assistant', content: 'A' },
    ]),
    'A',
  ],
  'a response': ['{"id":"SECRET","model":"m","choices":[{"message":{"role":"assistant","content":"A"}}]}', 'A'],
};

const shapes = Object.entries(CARRIERS).flatMap(([carrier, make]) =>
  Object.entries(FORMS).map(([form, [text, answer]]) => ({ carrier, form, answer, item: make(text) })),
);

describe('what stands in the place of an answer', () => {
  it.each(Object.entries(CARRIERS))('is one in %s, were it a text', (_, make) => {
    for (const text of ['A', 'Say {"a": 1}.']) {
      const { items } = mapBatch(batchOf(make(text)));
      expect(items.map(({ question, answer }) => [question?.text, answer?.text])).toEqual([['Q', text]]);
    }
  });

  it.each(shapes)('as $form in $carrier is what it says, or nothing', ({ item, answer }) => {
    const { items } = mapBatch(batchOf(item));
    expect(items.flatMap((one) => one.answer?.text ?? [])).toEqual(answer === null ? [] : [answer]);
    expect(inspect(items, { depth: null })).not.toContain('SECRET');
  });

  it('is listed as what nobody could read where it says nothing', () => {
    const item = CARRIERS['ai.response.text']?.("AgentRunResult(output='x', usage=3)");
    expect(reduceItems(batchOf(...(item === undefined ? [] : [item])).items)[0]?.reason).toBe('unread_state');
  });

  it('is the text of a message that Python shows', () => {
    expect(findAnswerIn("{'role': 'assistant', 'content': 'A'}")).toBe('A');
    expect(findAnswerIn("{'documents': 'x', 'answer': 'A'}")).toBe('A');
  });

  it('stays as it is where a model answers in JSON, or in code', () => {
    const texts = [
      '{"city":"Paris"}',
      '[1,2]',
      '{"content":"x","score":1}',
      '[{"name":"a"}]',
      "{'a': 1} is a dict.",
      'Point(x=1) is a point.',
    ];
    expect(texts.map(findAnswerIn)).toEqual(texts);
  });
});
