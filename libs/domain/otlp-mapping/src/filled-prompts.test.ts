import { describe, expect, it } from '@jest/globals';
import { readFilled } from './filled-prompts.ts';

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

describe('the answer of DSPy', () => {
  it('is the field of that name, or the only one, and never a thought', () => {
    const thought = '[[ ## reasoning ## ]]\nsecret\n\n';
    const end = '\n\n[[ ## completed ## ]]';
    expect(readFilled(`${thought}[[ ## answer ## ]]\nNine.\n\n[[ ## stars ## ]]\n5${end}`, 'answer')).toBe('Nine.');
    expect(readFilled(`${thought}[[ ## opening ## ]]\nNine.${end}`, 'answer')).toBe('Nine.');
    expect(readFilled(`${thought}[[ ## one ## ]]\n1\n\n[[ ## two ## ]]\n2${end}`, 'answer')).toBeUndefined();
  });
});
