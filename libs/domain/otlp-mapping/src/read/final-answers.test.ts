import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findFinal } from './final-answers.ts';

describe('the answer in what a model wrote for a framework', () => {
  it.each([
    ['CrewAI', 'Thought: I now can give a great answer\nFinal Answer: Nine.'],
    ['LlamaIndex', 'Thought: I can answer without using any more tools.\nIt is known.\nAnswer: Nine.'],
    ['LangChain, without a thought', 'Final Answer: Nine.'],
    ['LangChain, in a conversation', 'Thought: Do I need to use a tool? No\nAI: Nine.'],
    ['LangChain, as JSON', '```json\n{"action": "Final Answer", "action_input": "Nine."}\n```'],
    ['LangChain, as a blob', 'Action:\n```\n{"action": "Final Answer", "action_input": "Nine."}\n```'],
    ['LangChain, as JSON alone', '{"action": "Final Answer", "action_input": "Nine."}'],
    ['smolagents, in code', 'Thought: I know it.\n<code>\nfinal_answer("Nine.")\n</code>'],
  ])('of %s is what it is told to say', (_, text) => {
    expect(findFinal(text)).toBe('Nine.');
  });

  it.each([
    ['a tool', 'Thought: I must look it up.\nAction: lookup\nAction Input: {"word": "secret"}'],
    ['a tool, and what it gave', 'Action: lookup\nAction Input: x\nObservation: y\nThought: done\nFinal Answer: Nine.'],
    ['a tool as JSON', '```json\n{"action": "lookup", "action_input": {"word": "secret"}}\n```'],
    ['code that calls a tool', 'Thought: I must look it up.\n<code>\nresult = lookup("secret")\n</code>'],
    ['a value that is not known', 'Thought: I know it.\n<code>\nfinal_answer(result)\n</code>'],
  ])('is none, where it asks for %s', (_, text) => {
    expect(findFinal(text)).toBeUndefined();
  });

  it.each([
    'Nine.',
    'Thought: what is that?',
    'The plan.\nFinal Answer: is what I call it.',
    '{"action": "refund", "amount": 9}',
    '{"text": "Nine."}',
    '```json\n{"stars": 5}\n```',
    'It is in <code>final_answer("x")</code>.',
  ])('is the whole of any other text: %j', (text) => {
    expect(findFinal(text)).toBe(text);
  });
});

describe('what is read in steps, so that it is soon proved linear, is what one expression finds', () => {
  const texts = (...units: readonly string[]) => fc.string({ unit: fc.constantFrom(...units), maxLength: 12 });

  it('of a call in code', () => {
    const whole = /\bfinal_answer\((?:'([^'\\\n]*)'|"([^"\\\n]*)")\)/;
    const code = texts(
      'final_answer(',
      'final_answer',
      '(',
      ')',
      "'",
      '"',
      '\\',
      '\n',
      'a',
      '_',
      ' ',
      "final_answer('x')",
    );
    fc.assert(
      fc.property(code, (text) => {
        const [, single, double] = whole.exec(text) ?? [];
        expect(findFinal(`Thought:<code>${text}`)).toBe(single ?? double);
      }),
      { numRuns: 2_000 },
    );
  });

  it('of a run that waits', () => {
    const whole =
      /^I have tools to execute, but (?:I need|it needs) (?:confirmation|user input|external execution)[\w, ]*\.$/;
    const said = texts(
      'I need ',
      'it needs ',
      'confirmation',
      'user input',
      'external execution',
      ' ',
      ', a',
      '.',
      '\n',
    );
    fc.assert(
      fc.property(said, (text) => {
        const paused = `I have tools to execute, but ${text}`;
        expect(findFinal(paused)).toBe(whole.test(paused) ? undefined : paused);
      }),
      { numRuns: 2_000 },
    );
    expect(findFinal('I have tools to execute, but I need confirmation.')).toBeUndefined();
  });
});

it('is looked for in time linear in the text', () => {
  const started = performance.now();
  for (const text of [
    `Thought:${'\n'.repeat(1e6)}x`,
    `Thought:<code>${' '.repeat(1e6)}x`,
    `Thought:<code>${"final_answer('".repeat(8e4)}`,
    '```{'.repeat(2e5),
  ]) {
    expect(findFinal(text)?.length ?? 0).toBeLessThanOrEqual(text.length);
  }
  // It took minutes, before it was.
  expect(performance.now() - started).toBeLessThan(30_000);
});
