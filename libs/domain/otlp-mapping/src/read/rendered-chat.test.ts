import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { batchOf, event, messages, type Plain, span } from '../../fixtures/items.ts';
import { FAMILIES, MARK_HINT } from '../dialects/chat-families.ts';
import { mapBatch, type OtlpItem } from '../index.ts';
import { findSaid } from './rendered-chat.ts';

const SECRET = 'SECRET: be kind.\n\nSECRET document';

const RULE = '='.repeat(32);

/** One chat in each form: instructions, two turns of the user. */
const FORMS = {
  lines: `system: ${SECRET}\nuser: first\nassistant: told\nuser: Q`,
  buffer: `System: ${SECRET}\nHuman: first\nAI: told\nHuman: Q\nAI:`,
  chatml: `<|im_start|>system\n${SECRET}<|im_end|>\n<|im_start|>user\nQ<|im_end|>\n<|im_start|>assistant\n`,
  llama2: `<s>[INST] <<SYS>>\n${SECRET}\n<</SYS>>\n\nfirst [/INST] told </s><s>[INST] Q [/INST]`,
  llama3:
    `<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\n${SECRET}<|eot_id|>` +
    '<|start_header_id|>user<|end_header_id|>\n\nQ<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
  gemma:
    `<bos><start_of_turn>user\n${SECRET}\n\nfirst<end_of_turn>\n<start_of_turn>model\ntold<end_of_turn>\n` +
    '<start_of_turn>user\nQ<end_of_turn>\n<start_of_turn>model\n',
  anthropic: `${SECRET}\n\nHuman: first\n\nAssistant: told\n\nHuman: Q\n\nAssistant:`,
  headings: `### System:\n${SECRET}\n\n### User:\nQ\n\n### Assistant:\n`,
  mistral: `<s>[SYSTEM_PROMPT]${SECRET}[/SYSTEM_PROMPT][INST]first[/INST]told</s>[INST]Q[/INST]`,
  vicuna: `${SECRET} USER: first ASSISTANT: told</s>USER: Q ASSISTANT:`,
  commandR:
    `<BOS_TOKEN><|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>${SECRET}<|END_OF_TURN_TOKEN|>` +
    '<|START_OF_TURN_TOKEN|><|USER_TOKEN|>Q<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>',
  deepseek:
    `<｜begin▁of▁sentence｜>${SECRET}<｜User｜>first<｜Assistant｜>told` +
    '<｜end▁of▁sentence｜><｜User｜>Q<｜Assistant｜>',
  harmony:
    `<|start|>system<|message|>${SECRET}<|end|><|start|>user<|message|>first<|end|>` +
    '<|start|>assistant<|channel|>final<|message|>told<|end|><|start|>user<|message|>Q<|end|><|start|>assistant',
  granite:
    `<|start_of_role|>system<|end_of_role|>${SECRET}<|end_of_text|>\n` +
    '<|start_of_role|>user<|end_of_role|>Q<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>',
  brackets: `[SYSTEM]\n${SECRET}\n\n[USER]\nfirst\n\n[ASSISTANT]\ntold\n\n[USER]\nQ`,
  elements: `<system_prompt>${SECRET}</system_prompt>\n<user>first</user>\n<user_query>Q</user_query>`,
  bullets: `- system: ${SECRET}\n- user: Q`,
  instructed: `Instructions: ${SECRET}\nUser: Q`,
  rules: `=== system ===\n${SECRET}\n=== user ===\nQ`,
  pretty: `${RULE} System Message ${RULE}\n\n${SECRET}\n${RULE}= Human Message ${RULE}=\n\nQ`,
  members: `- role: system\n  content: ${SECRET}\n- role: user\n  content: Q`,
  assigned: `role=system content=${SECRET}\nrole=user content=Q`,
  few: `${SECRET}\n\nQ: first\nA: told\n\nQ: Q\nA:`,
  instruction: `### System:\n${SECRET}\n\n### Instruction:\nQ\n\n### Response:\n`,
} as const;

const of = (attributes: { readonly [key: string]: Plain }) =>
  span({ attributes: { 'gen_ai.operation.name': 'chat', ...attributes } });
const told = { 'gen_ai.output.messages': messages(['assistant', 'A']) };

const CARRIERS: Readonly<Record<string, (text: string) => OtlpItem>> = {
  'event gen_ai.content.prompt': (text) =>
    span({
      attributes: { 'gen_ai.operation.name': 'chat' },
      events: [
        event('gen_ai.content.prompt', { 'gen_ai.prompt': text }),
        event('gen_ai.content.completion', { 'gen_ai.completion': 'A' }),
      ],
    }),
  'gen_ai.prompt': (text) => of({ 'gen_ai.prompt': text, 'gen_ai.completion': 'A' }),
  'gen_ai.prompt.0.content': (text) =>
    of({ 'gen_ai.prompt.0.role': 'user', 'gen_ai.prompt.0.content': text, 'gen_ai.completion.0.content': 'A' }),
  'gen_ai.prompt.0.user': (text) => of({ 'gen_ai.prompt.0.user': text, 'gen_ai.completion.0.content': 'A' }),
  'input.value': (text) => of({ 'openinference.span.kind': 'LLM', 'input.value': text, 'output.value': 'A' }),
  'gen_ai.input.messages': (text) => of({ 'gen_ai.input.messages': messages(['user', text]), ...told }),
  langfuse: (text) =>
    span({
      attributes: {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.input': JSON.stringify([{ role: 'user', content: text }]),
        'langfuse.observation.output': JSON.stringify({ role: 'assistant', content: 'A' }),
      },
    }),
  mlflow: (text) =>
    span({
      attributes: {
        'mlflow.spanType': '"CHAT_MODEL"',
        'mlflow.spanInputs': JSON.stringify({ messages: [{ role: 'user', content: text }] }),
        'mlflow.spanOutputs': JSON.stringify({ messages: [{ role: 'assistant', content: 'A' }] }),
      },
    }),
  traceloop: (text) =>
    span({
      attributes: {
        'traceloop.span.kind': 'workflow',
        'traceloop.entity.input': JSON.stringify({ inputs: { question: text } }),
        'traceloop.entity.output': JSON.stringify({ outputs: { answer: 'A' } }),
      },
    }),
  'ai.prompt': (text) =>
    span({
      attributes: {
        'operation.name': 'ai.generateText',
        'ai.operationId': 'ai.generateText',
        'ai.prompt': JSON.stringify({ prompt: text }),
        'ai.response.text': 'A',
      },
    }),
  haystack: (text) =>
    span({
      attributes: {
        'haystack.pipeline.input_data': JSON.stringify({ llm: { question: text } }),
        'haystack.pipeline.output_data': JSON.stringify({ llm: { replies: ['A'] } }),
      },
    }),
};

const shapes = Object.entries(CARRIERS).flatMap(([carrier, make]) =>
  Object.entries(FORMS).map(([form, text]) => ({ carrier, form, item: make(text) })),
);

describe('a chat that was rendered into one text', () => {
  it.each(Object.entries(CARRIERS))('is what %s would be read of, were it a question', (_carrier, make) => {
    const { items } = mapBatch(batchOf(make('Q')));
    expect(items.map(({ question, answer }) => [question?.text, answer?.text])).toEqual([['Q', 'A']]);
  });

  it.each(shapes)('as $form in $carrier gives its last question and nothing else', ({ item }) => {
    const { items } = mapBatch(batchOf(item));
    expect(items.map(({ question, answer }) => [question?.text, answer?.text])).toEqual([['Q', 'A']]);
    expect(inspect(items, { depth: null })).not.toContain('SECRET');
  });

  it('is no question where it cannot be split', () => {
    const texts = [
      `system: ${SECRET}`,
      `user: Q\nsystem: ${SECRET}`,
      `system: ${SECRET}\nuser:`,
      `<|im_start|>system\n${SECRET}`,
      `<|im_start|>user\nQ<|im_end|> ${SECRET}\n<|im_start|>assistant\n`,
      `[INST] <<SYS>>\n${SECRET}`,
      `[INST] ${SECRET}\n\nQ [/INST]`,
      `<start_of_turn>user\n${SECRET}\n\nQ<end_of_turn>\n<start_of_turn>model\n`,
      `### Instruction:\n${SECRET}\n\n### Response:\n`,
      `<|new_model_system|>${SECRET}<|new_model_user|>Q`,
      `<s>${SECRET}\n\nQ`,
      `<system>${SECRET}</system>\n\nQ`,
      `content='${SECRET}' additional_kwargs={}\ncontent='Q' additional_kwargs={}`,
    ];
    expect(texts.map((text) => findSaid(text, 'question'))).toEqual(texts.map(() => undefined));
    const items = texts.flatMap((text) => mapBatch(batchOf(of({ 'gen_ai.prompt': text, ...told }))).items);
    expect(items.map(({ question }) => question)).toEqual(texts.map(() => null));
  });

  it('is split again where a turn of it is such a chat', () => {
    const inner = FORMS.lines;
    expect(findSaid(`<|im_start|>user\n${inner}<|im_end|>\n<|im_start|>assistant\n`, 'question')).toBe('Q');
  });

  it('is not what a person writes', () => {
    const texts = [
      'Human: are you there?',
      '\n\nHuman: are you there?',
      'AI: is it dangerous?',
      'Function: f(x) = x\nwhere is it zero?',
      'What does <|im_start|>system mean?',
      'Explain this:\nsystem: a\nuser: b',
      '# User guide\n\nWhat is missing here?',
      'user:secret is what I type, why?',
      'Instructions: translate this to French',
      'Q: what is a monad?',
      'Question: why?\nAnswer: because. Is that right?',
      '<user><name>a</name></user>\n<user><name>b</name></user> Which is older?',
      '[user] is missing in my log, why?',
      'What is the USER: field for?',
      '--- a user ---',
      'role: user is in my YAML; is that right?',
    ];
    expect(texts.map((text) => findSaid(text, 'question'))).toEqual(texts);
    const marked = { 'service.audit.question_text': FORMS.lines, 'service.audit.answer_text': 'A' };
    expect(mapBatch(batchOf(span({ attributes: marked }))).items[0]?.question?.text).toBe(FORMS.lines);
  });

  it('is no answer but for the last turn of the model', () => {
    expect(findSaid(`${FORMS.chatml}A<|im_end|>`, 'answer')).toBe('A');
    expect(findSaid(`${FORMS.buffer} A`, 'answer')).toBe('A');
    expect(findSaid(FORMS.chatml, 'answer')).toBeUndefined();
    expect(findSaid(FORMS.lines, 'answer')).toBeUndefined();
    const answers = ['System: Linux 6', 'User: hello\nAssistant: hello back', '### Answer\n\nYes.'];
    expect(answers.map((text) => findSaid(text, 'answer'))).toEqual(answers);
  });
});

describe('the hint of a mark', () => {
  /** What marks are made of, and what stands beside them. */
  const parts = [
    ...['system', 'USER', 'Human', 'assistant', 'tool', 'AI', 'question', 'q', 'a', 'role', 'content', 'prompt'],
    ...['<', '>', '|', '[', ']', '#', ':', '=', '~', '*', '-', '_', '/', '"', "'", ',', ' ', '\n', 'INST', 'im_start'],
  ];

  it('is in every text that has one', () => {
    const written = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((some) => some.join(''));
    fc.assert(
      fc.property(written, (text) => {
        for (const { marks } of FAMILIES)
          for (const [mark] of text.matchAll(marks)) expect([mark, MARK_HINT.test(mark)]).toEqual([mark, true]);
      }),
      { numRuns: 2_000 },
    );
    const marked = Object.values(FORMS).flatMap((text) => FAMILIES.flatMap(({ marks }) => [...text.matchAll(marks)]));
    expect(marked.length).toBeGreaterThan(40);
    expect(marked.filter(([mark]) => !MARK_HINT.test(mark))).toEqual([]);
  });
});
