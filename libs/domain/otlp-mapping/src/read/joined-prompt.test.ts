import { describe, expect, it } from '@jest/globals';
import { batchOf, type Plain, span } from '../../fixtures/items.ts';
import { mapBatch, type OtlpItem } from '../index.ts';

/** A call of a model with such a prompt, by the tracer of an instrumentation. */
function call(scope: string, prompt: string, more: { readonly [key: string]: Plain } = {}): OtlpItem {
  const attributes = { 'gen_ai.prompt': prompt, 'gen_ai.completion': 'told', ...more };
  return { ...span({ attributes }), scope: { name: scope, version: '' } };
}

const questionsOf = (item: OtlpItem) => mapBatch(batchOf(item)).items.map(({ question }) => question?.text);
const QUARKUS = 'io.quarkus.opentelemetry';

describe('a prompt into which an instrumentation joined all messages', () => {
  it('is the question only where it has one line', () => {
    expect(questionsOf(call(QUARKUS, 'Q'))).toEqual(['Q']);
    expect(questionsOf(call(QUARKUS, 'instructions\nQ'))).toEqual([undefined]);
  });

  it('leaves alone what the application says by the same tracer, and prompts of others', () => {
    expect(
      questionsOf(call(QUARKUS, 'instructions\nQ', { 'service.audit.question_text': 'Q,\nin two lines' })),
    ).toEqual(['Q,\nin two lines']);
    expect(questionsOf(call('other', 'Q,\nin two lines'))).toEqual(['Q,\nin two lines']);
  });
});
