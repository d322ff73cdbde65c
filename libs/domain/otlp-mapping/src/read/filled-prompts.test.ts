import { describe, expect, it } from '@jest/globals';
import { asksForJson, readFilled, readJsonFields } from './filled-prompts.ts';

const DOCUMENT = 'Returns: thirty days.\nQuery: none\nQuestion: none\nContext: none';

describe('the question in a template of a framework', () => {
  it.each([
    [
      'LlamaIndex',
      `Context information is below.\n-----\n${DOCUMENT}\n-----\nAnswer the query.\nQuery: How long?\nAnswer: `,
    ],
    [
      'LangChain, of old',
      `Use the following pieces of context to answer the question at the end. Be brief.\n\n${DOCUMENT}\n\nQuestion: How long?\nHelpful Answer:`,
    ],
    [
      'the guides of LangChain',
      `You are an assistant for question-answering tasks. Be brief.\nQuestion: How long? \nContext: ${DOCUMENT} \nAnswer:`,
    ],
    [
      'DSPy',
      `[[ ## context ## ]]\n${DOCUMENT}\n\n[[ ## question ## ]]\nHow long?\n\nRespond with the corresponding output fields, please.`,
    ],
    [
      'LlamaIndex, refining',
      'The original query is as follows: How long?\nWe have provided an existing answer: x\nWe have more.',
    ],
    [
      'LlamaIndex, condensing',
      'Given a conversation (between Human and Assistant) and a follow up message from Human, rewrite it.\n\n<Chat History>\nx\n\n<Follow Up Message>\nHow long?\n\n<Standalone question>\n',
    ],
    [
      'LangChain, by ReAct',
      `Answer the following questions as best you can. You have access to the following tools:\n\nx\n\nBegin!\n\nQuestion: How long?\nThought: look it up\nObservation: ${DOCUMENT}`,
    ],
    [
      'CrewAI',
      `\nCurrent Task: How long?\n\nThis is the expected criteria for your final answer: one sentence\nyou MUST return it.\n\nThis is the context you're working with:\n${DOCUMENT}\n\nProvide your complete response:`,
    ],
    ['CrewAI, without more', 'Current Task: How long?'],
    ['smolagents', 'New task:\nHow long?'],
    [
      'Marvin',
      '<task>\n    <id>1</id>\n    <instructions>\n        How long?\n    </instructions>\n\n    <result-type>\n x',
    ],
    [
      'AutoGen',
      `You're a retrieve augmented chatbot. Be brief.\n\nUser's question is: How long?\n\nContext is: ${DOCUMENT}`,
    ],
    ['DSPy with one field', '[[ ## topic ## ]]\nHow long?\n\nRespond with the corresponding output fields.'],
  ])('of %s is what was filled in for it', (_, text) => {
    expect(readFilled(text, 'question')).toBe('How long?');
  });

  it('is none, where several fields were filled in and none is named as one', () => {
    expect(readFilled('[[ ## a ## ]]\none\n\n[[ ## b ## ]]\ntwo', 'question')).toBeUndefined();
  });

  it('is the whole message, where it only begins as a template does', () => {
    const text = 'Context information is below. What does that mean?';
    expect(readFilled(text, 'question')).toBe(text);
    expect(readFilled('Context information is below.\nQuery: x\nAnswer:', 'answer')).toContain('Context');
  });
});

describe('a question to which a framework appends something', () => {
  it.each([
    ['documents, by Spring AI', `\n\nContext information is below, surrounded by ---------------------\n\n${DOCUMENT}`],
    ['documents, by LangChain4j', `\n\nAnswer using the following information:\n${DOCUMENT}`],
    [
      'documents, by Agno',
      `\n\nUse the following references from the knowledge base if it helps:\n<references>\n${DOCUMENT}`,
    ],
    [
      'the form of the answer, by Spring AI',
      '\nYour response should be in JSON format.\nDo not include any explanations, only provide a RFC8259 compliant JSON.',
    ],
  ])('is without these: %s', (_, appended) => {
    expect(readFilled(`How long?${appended}`, 'question')).toBe('How long?');
    expect(readFilled(`How long?${appended}`, 'answer')).toBe(`How long?${appended}`);
  });
});

describe('the answer of DSPy in JSON', () => {
  it('is asked for by a prompt of its fields alone', () => {
    const form = '\n\nRespond with a JSON object in the following order of fields: `reasoning`, then `answer`.';
    expect(asksForJson(`[[ ## question ## ]]\nHow long?${form}`)).toBe(true);
    expect(asksForJson(`How long?${form}`)).toBe(false);
    expect(readFilled(`[[ ## question ## ]]\nHow long?${form}`, 'question')).toBe('How long?');
  });

  it('is its field of that name, or the only one', () => {
    expect(readJsonFields('{"reasoning":"secret","answer":"Nine.","stars":5}')).toBe('Nine.');
    expect(readJsonFields('{"reasoning":"secret","opening":"Nine."}')).toBe('Nine.');
    expect(readJsonFields('{"one":"1","two":"2"}')).toBeUndefined();
    expect(readJsonFields('Nine.')).toBeUndefined();
  });
});

describe('the answer of DSPy', () => {
  it('is the field of that name, or the only one, and never a thought', () => {
    const thought = '[[ ## reasoning ## ]]\nsecret\n\n';
    const end = '\n\n[[ ## completed ## ]]';
    expect(readFilled(`${thought}[[ ## answer ## ]]\nNine.\n\n[[ ## stars ## ]]\n5${end}`, 'answer')).toBe('Nine.');
    expect(readFilled(`${thought}[[ ## opening ## ]]\nNine.${end}`, 'answer')).toBe('Nine.');
    expect(readFilled(`${thought}[[ ## one ## ]]\n1\n\n[[ ## two ## ]]\n2${end}`, 'answer')).toBeUndefined();
  });
});
