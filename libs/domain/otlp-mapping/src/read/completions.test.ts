import { describe, expect, it } from '@jest/globals';
import { batchOf, type Plain, span } from '../../fixtures/items.ts';
import { explainBatch, mapBatch, readForExplanation } from '../index.ts';

const COMPLETION = { 'llm.request.type': 'completion' };

/** What a call that completes a prompt leaves. */
function textsOf(attributes: { readonly [key: string]: Plain }, scope = 'test') {
  const item = { ...span({ attributes: { ...COMPLETION, ...attributes } }), scope: { name: scope, version: '' } };
  return mapBatch(batchOf(item)).items.map(({ question, answer }) => [question?.text, answer?.text]);
}

describe('a call that completes a prompt', () => {
  it('has the question that is named after its author', () => {
    expect(textsOf({ 'gen_ai.prompt.0.user': 'Q', 'gen_ai.completion.0.content': 'A' })).toEqual([['Q', 'A']]);
  });

  it('has the pieces of a text as one answer where the provider gives back pieces, and the first text elsewhere', () => {
    const pieces = {
      'gen_ai.prompt.0.user': 'Q',
      'gen_ai.completion.0.content': 'It takes',
      'gen_ai.completion.1.content': ' a week.',
      'gen_ai.completion.10.content': ' Or two.',
      'gen_ai.completion.2.content': ' At most.',
    };
    const ofReplicate = { ...pieces, 'gen_ai.system': 'Replicate' };
    expect(textsOf(ofReplicate)).toEqual([['Q', 'It takes a week. At most. Or two.']]);
    expect(textsOf({ ...pieces, 'gen_ai.system': 'Watsonx' })).toEqual([['Q', 'It takes']]);
  });

  it('has no answer where it has several prompts, each with an answer, and says so', () => {
    const several = {
      'gen_ai.prompt.0.user': 'Q',
      'gen_ai.prompt.1.user': 'Q of another',
      'gen_ai.completion.0.content': 'A',
      'gen_ai.completion.1.content': 'A of another',
    };
    expect(textsOf(several)).toEqual([]);
    const explained = explainBatch(readForExplanation(batchOf(span({ attributes: several }))), []);
    expect(explained.items[0]).toMatchObject({ outcome: 'ignored', reason: 'unread_state' });
    const written = { 'service.audit.question_text': 'Q', 'service.audit.answer_text': 'A' };
    expect(textsOf({ ...several, ...written })).toEqual([['Q', 'A']]);
  });

  it('has an answer without the prompt where the pipeline repeats that, and with its words elsewhere', () => {
    const repeated = { 'gen_ai.prompt.0.content': 'Q?', 'gen_ai.completion.0.content': 'Q? A.' };
    const scope = 'opentelemetry.instrumentation.transformers.text_generation_pipeline_wrapper';
    expect(textsOf(repeated, scope)).toEqual([['Q?', 'A.']]);
    expect(textsOf({ ...repeated, 'gen_ai.completion.0.content': 'A.' }, scope)).toEqual([['Q?', 'A.']]);
    expect(textsOf(repeated)).toEqual([['Q?', 'Q? A.']]);
  });
});
