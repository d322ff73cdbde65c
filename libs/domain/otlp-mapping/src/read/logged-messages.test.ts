import { describe, expect, it } from '@jest/globals';
import { batchOf, log, type Plain, span } from '../../fixtures/items.ts';
import { mapBatch, type OtlpItem, reduceItems, splitTrace } from '../index.ts';

/** What Google's Agent Development Kit for Go logs of one call: each message, whosever it is, as one of a user. */
function callOf(id: number, given: readonly Plain[], said: Plain): readonly OtlpItem[] {
  const asked = given.map((content) => log({ id, event: 'gen_ai.user.message', body: { content } }));
  const system = log({ id, event: 'gen_ai.system.message', body: { content: 'SECRET prompt' } });
  const choice = log({ id, event: 'gen_ai.choice', body: { index: 0, content: said, finish_reason: 'STOP' } });
  const attributes = { 'gen_ai.operation.name': 'generate_content', 'gen_ai.request.model': 'gemini' };
  return [system, ...asked, choice, span({ id, parent: 1, attributes })];
}

const content = (role: string, ...parts: readonly Plain[]): Plain => ({ parts, role });
const text = (role: string, words: string): Plain => content(role, { text: words });
const agent = span({ id: 1, attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'helper' } });

function recordsOf(...items: readonly OtlpItem[]): readonly (readonly (string | undefined)[])[] {
  const { items: records } = mapBatch(batchOf(...items));
  expect(JSON.stringify(records.map(({ question, answer }) => [question, answer]))).not.toContain('SECRET');
  return records.map(({ question, answer }) => [question?.text, answer?.text]);
}

describe('messages that are all logged as those of a user', () => {
  const history = [text('user', 'Q first'), text('model', 'A first'), text('user', 'Q last')];

  it('have the question of the last one whose content is of a user', () => {
    expect(recordsOf(...callOf(2, history, text('model', 'told')), agent)).toEqual([['Q last', 'told']]);
  });

  it('have no question in the result of a tool, and no answer beside the request of one', () => {
    const request = { functionCall: { name: 'lookup', args: { word: 'SECRET argument' } } };
    const asking = content('model', { text: 'Let me look it up.' }, request);
    const result = content('user', { functionResponse: { name: 'lookup', response: { result: 'SECRET' } } });
    const calls = [...callOf(2, history, asking), ...callOf(3, [...history, asking, result], text('model', 'told'))];
    expect(recordsOf(...calls, agent)).toEqual([['Q last', 'told']]);
  });

  it('are none where their contents were left out', () => {
    expect(recordsOf(...callOf(2, ['<elided>', '<elided>'], '<elided>'), agent)).toEqual([]);
  });
});

describe('a choice beside which tools are asked for', () => {
  it('is no answer, whatever text it has', () => {
    const of = (more: { readonly [key: string]: Plain }) => [
      log({ id: 2, event: 'gen_ai.user.message', body: { content: 'Q' } }),
      log({ id: 2, event: 'gen_ai.choice', body: { index: 0, content: 'Let me look it up.', ...more } }),
    ];
    const toolCalls = [{ name: 'lookup', arguments: '{}' }];
    expect(recordsOf(...of({ toolCalls, finish_reason: 'tool_use' }))).toEqual([]);
    expect(recordsOf(...of({ finish_reason: 'end_turn' }))).toEqual([['Q', 'Let me look it up.']]);
  });
});

describe('messages that are logged without a trace', () => {
  type Names = { readonly [key: string]: Plain };
  let time = 0n;
  const by = (name: string, event: string, attributes: Names): OtlpItem => {
    time += 1n;
    const item = log({ id: 0, attributes: { 'event.name': event, ...attributes } });
    return { ...item, scope: { name, version: '' }, timeUnixNano: time };
  };
  const logged = (event: string, attributes: Names) =>
    by('qwen-code', event, { 'session.id': 's', prompt_id: 'p1', ...attributes });
  const asked = (prompt: string, more: Names = {}) => logged('qwen-code.user_prompt', { prompt, ...more });
  const answered = (response_text: string, more: Names = {}) =>
    logged('qwen-code.api_response', { response_text, model: 'm', ...more });

  it('are one answer of each request, which is the last turn', () => {
    expect(
      recordsOf(
        asked('Q first'),
        answered('Let me look.'),
        asked('Q second', { prompt_id: 'p2' }),
        answered('A first'),
        answered('A second', { prompt_id: 'p2' }),
      ),
    ).toEqual([
      ['Q first', 'A first'],
      ['Q second', 'A second'],
    ]);
  });

  it('have no question where another session has the same name of a request', () => {
    expect(recordsOf(asked('Q mine'), answered('A theirs', { 'session.id': 'other' }))).toEqual([
      [undefined, 'A theirs'],
    ]);
  });

  it('wait for a later turn, also when question and answer are there', () => {
    const { decided, waiting } = splitTrace(reduceItems(batchOf(asked('Q'), answered('A')).items));
    expect([decided.items, waiting.length]).toEqual([[], 2]);
  });

  it('have no question where the prompt was not logged', () => {
    expect(recordsOf(logged('qwen-code.user_prompt', { prompt_length: 8 }), answered('A'))).toEqual([[undefined, 'A']]);
  });

  it('are nothing without a session or of another logger', () => {
    const of = (scope: string, attributes: Names) => [
      by(scope, 'qwen-code.user_prompt', { prompt: 'Q', ...attributes }),
      by(scope, 'qwen-code.api_response', { response_text: 'A', ...attributes }),
    ];
    expect(recordsOf(...of('other', { 'session.id': 's', prompt_id: 'p' }))).toEqual([]);
    expect(recordsOf(...of('qwen-code', { prompt_id: 'p' }))).toEqual([]);
    expect(recordsOf(...of('qwen-code', { 'session.id': 's', prompt_id: 'p' }))).toEqual([['Q', 'A']]);
  });
});
