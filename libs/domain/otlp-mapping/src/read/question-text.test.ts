import { describe, expect, it } from '@jest/globals';
import { batchOf, event, log, span } from '../../fixtures/items.ts';
import { mapBatch, type OtlpItem, reduceItems } from '../index.ts';
import { formatHalves } from '../trace/format-rejections.ts';
import { isChore } from './chores.ts';

const json = JSON.stringify;
const CALL = { 'gen_ai.operation.name': 'chat' };
const said = json([{ role: 'assistant', parts: [{ type: 'text', content: 'A' }] }]);

/** What carries a question, and messages of instructions before it where it can. */
const CARRIERS: Readonly<Record<string, (text: string, system?: string) => readonly OtlpItem[]>> = {
  'gen_ai.input.messages': (text, system) => {
    const messages = [...(system === undefined ? [] : [['system', system]]), ['user', text]];
    const given = messages.map(([role, content]) => ({ role, parts: [{ type: 'text', content }] }));
    return [span({ attributes: { ...CALL, 'gen_ai.input.messages': json(given), 'gen_ai.output.messages': said } })];
  },
  'gen_ai.prompt': (text) => [span({ attributes: { ...CALL, 'gen_ai.prompt': text, 'gen_ai.completion': 'A' } })],
  'gen_ai.prompt.N': (text, system = 'Be kind.') => [
    span({
      attributes: {
        ...CALL,
        'gen_ai.prompt.0.role': 'system',
        'gen_ai.prompt.0.content': system,
        'gen_ai.prompt.1.role': 'user',
        'gen_ai.prompt.1.content': text,
        'gen_ai.completion.0.content': 'A',
      },
    }),
  ],
  'an event': (text) => [
    span({
      attributes: CALL,
      events: [
        event('gen_ai.content.prompt', { 'gen_ai.prompt': text }),
        event('gen_ai.content.completion', { 'gen_ai.completion': 'A' }),
      ],
    }),
  ],
  'messages of OpenInference': (text, system = 'Be kind.') => [
    span({
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.input_messages.0.message.role': 'system',
        'llm.input_messages.0.message.content': system,
        'llm.input_messages.1.message.role': 'user',
        'llm.input_messages.1.message.content': text,
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.content': 'A',
      },
    }),
  ],
  Langfuse: (text, system = 'Be kind.') => [
    span({
      attributes: {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.input': json([
          { role: 'system', content: system },
          { role: 'user', content: text },
        ]),
        'langfuse.observation.output': json({ role: 'assistant', content: 'A' }),
      },
    }),
  ],
  "Vercel's AI SDK": (text, system = 'Be kind.') => [
    span({
      attributes: {
        'ai.operationId': 'ai.streamText.doStream',
        'ai.prompt.messages': json([
          { role: 'system', content: system },
          { role: 'user', content: [{ type: 'text', text }] },
        ]),
        'ai.response.text': 'A',
      },
    }),
  ],
  'log records': (text) => [
    log({ id: 2, event: 'gen_ai.user.message', body: { content: text } }),
    log({ id: 2, event: 'gen_ai.choice', body: { index: 0, message: { content: 'A' } } }),
  ],
};
const carriers = Object.entries(CARRIERS);

const questionsOf = (items: readonly OtlpItem[]) =>
  mapBatch(batchOf(...items)).items.map(({ question }) => question?.text);

const OBJECTS = [
  json({ system: 'SECRET', history: ['SECRET'], topic: 'X' }),
  '{"context": "SECRET document", "ques',
  "[{'role': 'system', 'content': 'SECRET'}, {'role': 'user', 'content': 'X'}]",
  "[SystemMessage(content='SECRET'), HumanMessage(content='X')]",
  "Document(page_content='SECRET', metadata={})",
  "Document(page_content='SECRET and cut o",
  '<openai.types.Chat object at 0x7f>',
];
const CHORES = [
  'Generate a concise, 5-word title for this conversation.\n\nUser: SECRET\nAssistant: SECRET\n\nTitle:',
  '### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history.\n<chat_history>\nSECRET\n</chat_history>',
  'Progressively summarize the lines of conversation provided.\n\nSECRET\nHuman: SECRET\nAI: x\n\nNew summary:',
];

describe.each(carriers)('a question in %s', (_, carry) => {
  it.each(OBJECTS)('is none if it is %s, and that is said', (text) => {
    const batch = batchOf(...carry(text));
    const { items } = mapBatch(batch);
    expect(items.map(({ question, isUnsaid }) => [question, isUnsaid])).toEqual([[null, true]]);
    expect(formatHalves(batch.signal, items)).toContain('it has no question: what stands there is');
    expect(json(items.map(({ answer, question }) => [answer, question]))).not.toContain('SECRET');
  });

  it('is what stands at a known place of an object', () => {
    expect(questionsOf(carry(json({ context: 'SECRET', question: 'Q' })))).toEqual(['Q']);
    expect(questionsOf(carry("{'context': 'SECRET', 'question': 'Q'}"))).toEqual(['Q']);
  });

  it.each(['What is {"a": 1}?', 'Popen(shell=True) is safe, is it?', '[1, 2, 3]', 'Write a title for my book.'])(
    'is %s as somebody wrote it',
    (text) => {
      expect(questionsOf(carry(text))).toEqual([text]);
    },
  );

  it.each(CHORES)('leaves no text of %s', (text) => {
    const { items } = mapBatch(batchOf(...carry(text)));
    expect(json(items.map(({ question, answer }) => [question, answer]))).not.toContain('SECRET');
    expect(items.filter(({ question, answer }) => question !== null && answer !== null)).toEqual([]);
  });
});

describe('a call that makes a title', () => {
  const carrying = carriers.filter(([name]) => !['gen_ai.prompt', 'an event', 'log records'].includes(name));

  it.each(carrying)('is known by its instructions in %s, and is a step', (_, carry) => {
    const items = carry('Q', 'You are a title generator. You output ONLY a thread title. Nothing else.');
    expect(questionsOf(items)).toEqual([]);
    expect(reduceItems(batchOf(...items).items).map(({ reason }) => reason)).toEqual(['other_operation']);
    expect(questionsOf(carry('Q', 'You are a helpful assistant.'))).toEqual(['Q']);
  });

  it.each([
    ['Provide a concise, 5-word-or-less title for the conversation, using title case.', true],
    ['You are an expert in crafting pithy titles for chatbot conversations.', true],
    ['Analyze if this message is a new topic. If it is, extract a 2-3 word title that captures the new topic.', true],
    ['You are a chat assistant that recommends book titles.', false],
    ['You summarize articles for busy people.', false],
    ['You are a support agent. Be brief in this conversation.', false],
  ])('is known by %j: %j', (instruction, expected) => {
    expect(isChore(instruction)).toBe(expected);
  });
});
