import { describe, expect, it } from '@jest/globals';
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

it('is looked for in time linear in the text', () => {
  const started = performance.now();
  for (const text of [`Thought:${'\n'.repeat(1e6)}x`, `Thought:<code>${' '.repeat(1e6)}x`, '```{'.repeat(2e5)]) {
    expect(findFinal(text)?.length ?? 0).toBeLessThanOrEqual(text.length);
  }
  // It took minutes, before it was.
  expect(performance.now() - started).toBeLessThan(30_000);
});
