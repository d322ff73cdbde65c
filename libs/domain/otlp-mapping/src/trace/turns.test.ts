import { describe, expect, it } from '@jest/globals';
import { recordsOf } from '../../fixtures/answers.ts';
import { messages, span } from '../../fixtures/items.ts';
import type { OtlpSpan } from '../index.ts';

const SDK = 'opentelemetry.instrumentation.genai.openai_agents';

const within = (name: string, item: OtlpSpan, [start, end]: readonly [number, number]): OtlpSpan => {
  return { ...item, scope: { name, version: '' }, startTimeUnixNano: BigInt(start), endTimeUnixNano: BigInt(end) };
};
const trace = (name = SDK) =>
  within(name, span({ attributes: { 'gen_ai.operation.name': 'invoke_workflow' } }), [0, 99]);
const agent = (id: number, texts: readonly [string, string], times: readonly [number, number], name = SDK) => {
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.input.messages': messages(['user', texts[0]]),
    'gen_ai.output.messages': messages(['assistant', texts[1]]),
  };
  return within(name, span({ id, parent: 1, attributes }), times);
};

describe('agents in one trace of the OpenAI Agents SDK', () => {
  it('leave a record each if a person asked each of them', () => {
    expect(recordsOf(trace(), agent(2, ['Q1', 'A1'], [1, 5]), agent(3, ['Q2', 'A2'], [6, 9]))).toEqual([
      ['Q1', 'A1'],
      ['Q2', 'A2'],
    ]);
  });

  it('leave one record if the second was asked with what the first said', () => {
    const rewritten = agent(3, ['Rewrite: A1', 'A2'], [6, 9]);
    expect(recordsOf(trace(), agent(2, ['Q1', 'A1'], [1, 5]), rewritten)).toEqual([['Q1', 'A2']]);
    const judged = agent(2, ['Q1', '{"feedback":"more of it"}'], [1, 5]);
    expect(recordsOf(trace(), judged, agent(3, ['Feedback: more of it', 'A2'], [6, 9]))).toEqual([['Q1', 'A2']]);
  });

  it('leave one record if they hand over, or run side by side', () => {
    expect(recordsOf(trace(), agent(2, ['Q1', 'A1'], [1, 5]), agent(3, ['Q1', 'A2'], [6, 9]))).toEqual([['Q1', 'A2']]);
    expect(recordsOf(trace(), agent(2, ['Q1', 'A1'], [1, 5]), agent(3, ['Q2', 'A2'], [4, 9]))).toEqual([['Q1', 'A2']]);
  });

  it('are of one turn where several of them answered it', () => {
    const [first, second, third] = [
      agent(2, ['Q1', 'A1'], [1, 5]),
      agent(3, ['Q1', 'A2'], [6, 9]),
      agent(4, ['Q3', 'A3'], [10, 12]),
    ];
    expect(recordsOf(trace(), first, second, third)).toEqual([
      ['Q1', 'A2'],
      ['Q3', 'A3'],
    ]);
  });

  it('leave one record below a workflow of another instrumentation', () => {
    const [first, second] = [agent(2, ['Q1', 'A1'], [1, 5], 'test'), agent(3, ['Q2', 'A2'], [6, 9], 'test')];
    expect(recordsOf(trace('test'), first, second)).toEqual([['Q1', 'A2']]);
  });
});

describe('agents that OpenLLMetry shows beside each other', () => {
  const FLAT = 'opentelemetry.instrumentation.openai_agents';
  const flat = (id: number, texts: readonly [string, string], times: readonly [number, number]) => {
    const item = agent(id, texts, times, FLAT);
    const kind = { key: 'traceloop.span.kind', value: 'agent' };
    return { ...item, attributes: [...item.attributes, kind] };
  };

  it('leave no record if they ran within another one, as a guardrail does', () => {
    expect(recordsOf(flat(2, ['Q', 'A'], [1, 9]), flat(3, ['Q', 'SECRET'], [2, 5]))).toEqual([['Q', 'A']]);
  });

  it('leave no record if they ran within a tool', () => {
    const tool = within(
      FLAT,
      span({ id: 4, parent: 2, attributes: { 'gen_ai.operation.name': 'execute_tool' } }),
      [2, 8],
    );
    expect(recordsOf(flat(2, ['Q', 'A'], [1, 5]), tool, flat(3, ['SECRET', 'SECRET'], [3, 7]))).toEqual([['Q', 'A']]);
  });

  it('leave a record each if they ran one after the other', () => {
    expect(recordsOf(flat(2, ['Q1', 'A1'], [1, 5]), flat(3, ['Q2', 'A2'], [5, 9]))).toHaveLength(2);
  });
});

describe('agents of a workflow of the Microsoft Agent Framework', () => {
  const AF = 'agent_framework';
  const run = { ...within(AF, span(), [0, 99]), name: 'workflow.run' };

  it('leave one record in a sequence', () => {
    expect(recordsOf(run, agent(2, ['Q', 'A1'], [1, 5], AF), agent(3, ['Q', 'A2'], [6, 9], AF))).toEqual([['Q', 'A2']]);
  });

  it('leave a record each if they ran side by side', () => {
    expect(recordsOf(run, agent(2, ['Q', 'A1'], [1, 8], AF), agent(3, ['Q', 'A2'], [2, 9], AF))).toHaveLength(2);
  });
});
