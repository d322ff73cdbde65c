import { describe, expect, it } from '@jest/globals';
import { batchOf, type Plain, span } from '../../fixtures/items.ts';
import { mapBatch, type OtlpItem } from '../index.ts';

const OBJECT = '{"text": "A", "stars": 5}';

const chain = (output: string, more: { readonly [key: string]: Plain } = {}) =>
  span({
    id: 1,
    attributes: {
      'openinference.span.kind': 'CHAIN',
      'input.value': 'Q',
      'output.value': output,
      'output.mime_type': 'application/json',
      ...more,
    },
  });
const call = (id: number, part: Plain, endTimeUnixNano = 1_500n): OtlpItem => ({
  ...span({
    id,
    parent: 1,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'Q' }] }],
      'gen_ai.output.messages': [{ role: 'assistant', parts: [part] }],
    },
  }),
  endTimeUnixNano,
});
const toolCall = (args: Plain) => ({ type: 'tool_call', name: 'Reply', arguments: args });

/** The only answer that items leave. */
function answerOf(...items: readonly OtlpItem[]): string | null | undefined {
  const found = mapBatch(batchOf(...items)).items.map(({ answer }) => answer?.text);
  expect(mapBatch(batchOf(...items.toReversed())).items.map(({ answer }) => answer?.text)).toEqual(found);
  expect(found.length).toBeLessThan(2);
  return found[0];
}

describe('an object that a chain gives back', () => {
  it('is the answer, as a model wrote it for a tool', () => {
    expect(answerOf(chain('{"stars":5,"text":"A"}'), call(2, toolCall(OBJECT)))).toBe(OBJECT);
    expect(answerOf(chain('{"stars":5,"text":"A"}'), call(2, toolCall({ text: 'A', stars: 5 })))).toBe(
      '{"text":"A","stars":5}',
    );
  });

  it('is the answer, as a model wrote it as its text', () => {
    expect(answerOf(chain('{"stars":5,"text":"A"}'), call(2, { type: 'text', content: OBJECT }))).toBe(OBJECT);
  });

  it('is the one at a named place of its state', () => {
    const state = `{"messages":[{"role":"tool","content":"done"}],"structured_response":${OBJECT}}`;
    expect(answerOf(chain(state), call(2, toolCall(OBJECT)))).toBe(OBJECT);
    expect(answerOf(chain(`{"outputs":${state}}`), call(2, toolCall(OBJECT)))).toBe(OBJECT);
  });

  it('is that of the last call that wrote it', () => {
    const [early, late] = [call(2, toolCall('{"stars":5,"text":"A"}'), 1_100n), call(3, toolCall(OBJECT), 1_900n)];
    expect(answerOf(chain(OBJECT), early, late)).toBe(OBJECT);
  });

  it('is no answer, where no model wrote it', () => {
    expect(answerOf(chain('{"a":1,"b":2}'), call(2, toolCall(OBJECT)))).toBeUndefined();
    expect(answerOf(chain('{"a":1,"b":2}'), call(2, { type: 'text', content: 'said' }))).toBe('said');
  });

  it('is never the arguments of a tool that is not given back', () => {
    const args = { word: 'secret' };
    const answer = mapBatch(batchOf(chain('{"a":1,"b":2}'), call(2, toolCall(args)), call(3, toolCall(args)))).items;
    expect(answer).toEqual([]);
  });
});
