import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@answer-evidence/contracts';
import { batchOf, log, type Plain, span } from '../../fixtures/items.ts';
import { mapBatch } from '../index.ts';

// printf '{"word":"secret"}' | sha256sum
const HASH = 'sha256:80facb1c527ebdc8fb1b251902cbdf04c11145a3686893b21b52cf8b1acf47d3';
const ARGUMENTS = '{ "word": "secret" }';
const json = (value: Plain): string => JSON.stringify(value);

/** The tools that an answer names. */
function toolsOf(
  attributes: { readonly [key: string]: Plain },
  more: { readonly [key: string]: Plain } = {},
): readonly JsonObject[] {
  const answer = span({
    id: 1,
    attributes: {
      'gen_ai.output.messages': json([{ role: 'assistant', parts: [{ type: 'text', content: 'A' }] }]),
      ...more,
    },
  });
  const { items } = mapBatch(batchOf({ ...span({ id: 2, parent: 1, attributes }), name: 'lookup' }, answer));
  expect(json(items.map(({ semanticRefs }) => semanticRefs) as Plain)).not.toContain('secret');
  return (items[0]?.semanticRefs ?? []).filter((ref) => ref['ref_type'] === 'tool_call');
}

const ref = (step: string, hash: string | null = HASH): Plain => {
  return { ref_type: 'tool_call', step, name: 'lookup', ...(hash === null ? {} : { arguments_hash: hash }) };
};

describe('the tool calls of an answer', () => {
  it.each<readonly [name: string, attributes: { readonly [key: string]: Plain }]>([
    [
      'gen_ai',
      {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'lookup',
        'gen_ai.tool.call.arguments': ARGUMENTS,
      },
    ],
    [
      'OpenInference',
      { 'openinference.span.kind': 'TOOL', 'tool.name': 'lookup', 'input.value': ARGUMENTS, 'output.value': 'secret' },
    ],
    [
      'Traceloop',
      { 'traceloop.span.kind': 'tool', 'traceloop.entity.name': 'lookup', 'traceloop.entity.input': ARGUMENTS },
    ],
    [
      'Langfuse',
      {
        'langfuse.observation.type': 'tool',
        'langfuse.observation.input': json({ args: [], kwargs: { word: 'secret' } }),
      },
    ],
    ['MLflow', { 'mlflow.spanType': '"TOOL"', 'mlflow.spanInputs': ARGUMENTS, 'mlflow.spanOutputs': '"secret"' }],
    ['Vercel', { 'ai.operationId': 'ai.toolCall', 'ai.toolCall.name': 'lookup', 'ai.toolCall.args': ARGUMENTS }],
  ])('are named with the hash of their arguments where they ran, by %s', (_, attributes) => {
    expect(toolsOf(attributes)).toEqual([ref('executed')]);
  });

  const asked = (part: Plain): Plain => json([{ role: 'assistant', parts: [part] }]);
  it.each<readonly [name: string, attributes: { readonly [key: string]: Plain }]>([
    [
      'gen_ai',
      { 'gen_ai.output.messages': asked({ type: 'tool_call', name: 'lookup', arguments: { word: 'secret' } }) },
    ],
    [
      'a state',
      {
        'langfuse.observation.output': json({
          role: 'assistant',
          tool_calls: [{ function: { name: 'lookup', arguments: ARGUMENTS } }],
        }),
      },
    ],
    [
      'Vercel',
      {
        'ai.prompt.messages': json([
          { role: 'user', content: 'Q' },
          { role: 'assistant', content: [{ type: 'tool-call', toolName: 'lookup', input: { word: 'secret' } }] },
        ]),
      },
    ],
    [
      'OpenInference',
      {
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'lookup',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': ARGUMENTS,
      },
    ],
    [
      'older conventions',
      {
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.tool_calls.0.name': 'lookup',
        'gen_ai.completion.0.tool_calls.0.arguments': ARGUMENTS,
      },
    ],
  ])('are named where a model asked for them, in messages of %s', (_, attributes) => {
    expect(toolsOf(attributes)).toEqual([ref('requested')]);
  });

  it('are those since the last message of the user', () => {
    const call: Plain = {
      role: 'assistant',
      parts: [{ type: 'tool_call', name: 'lookup', arguments: { word: 'secret' } }],
    };
    const question: Plain = { role: 'user', parts: [{ type: 'text', content: 'Q' }] };
    const result: Plain = { role: 'tool', parts: [{ type: 'tool_call_response', response: 'secret' }] };
    expect(toolsOf({}, { 'gen_ai.input.messages': json([question, call, result]) })).toEqual([ref('requested')]);
    expect(toolsOf({}, { 'gen_ai.input.messages': json([question, call, result, question]) })).toEqual([]);
  });

  it('are those since the last message of the user also where each message is a log record', () => {
    const asking = { tool_calls: [{ id: '1', type: 'function', function: { name: 'lookup', arguments: ARGUMENTS } }] };
    const toolsIn = (...said: readonly (readonly [string, Plain])[]) => {
      const logs = said.map(([event, body], n) => {
        return { ...log({ event: `gen_ai.${event}`, body }), timeUnixNano: BigInt(n + 1) };
      });
      const found = (given: typeof logs) => {
        const refs = mapBatch(batchOf(...given)).items.flatMap(({ semanticRefs }) => semanticRefs);
        return refs.filter((one) => one['ref_type'] === 'tool_call');
      };
      expect(found(logs.toReversed())).toEqual(found(logs));
      return found(logs);
    };
    const user = ['user.message', { content: 'Q' }] as const;
    const call = ['assistant.message', asking] as const;
    const result = ['tool.message', { id: '1', content: 'secret' }] as const;
    const answer = ['choice', { index: 0, message: { content: 'A' } }] as const;
    expect(toolsIn(user, call, result, answer)).toEqual([ref('requested')]);
    expect(toolsIn(user, call, result, ['assistant.message', { content: 'A' }], user, answer)).toEqual([]);
  });

  it('are one for a span that two conventions describe', () => {
    const tool = { 'gen_ai.operation.name': 'execute_tool', 'openinference.span.kind': 'TOOL' };
    expect(toolsOf({ ...tool, 'tool.name': 'lookup', 'input.value': ARGUMENTS })).toEqual([ref('executed')]);
    const langsmith = { 'gen_ai.operation.name': 'execute_tool', 'langsmith.span.kind': 'tool' };
    expect(toolsOf({ ...langsmith, 'gen_ai.prompt': ARGUMENTS })).toEqual([ref('executed')]);
  });

  it('have no hash without arguments, and that of the text where these are no JSON', () => {
    const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'lookup' };
    expect(toolsOf(tool)).toEqual([ref('executed', null)]);
    // printf 'word=secret' | sha256sum
    expect(toolsOf({ ...tool, 'gen_ai.tool.call.arguments': 'word=secret' })).toEqual([
      ref('executed', 'sha256:b8d408ed6ee1422bb490170985c1dd8705f74f6d648e4a7f2d407e5f3e6a30ed'),
    ]);
  });
});
