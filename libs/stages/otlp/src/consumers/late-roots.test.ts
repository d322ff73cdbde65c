import { afterEach, describe, expect, it } from '@jest/globals';
import { commitPlain } from '@answer-evidence/commitments';
import { openOtlpTest, type OtlpTest, span, TRACE, traces } from '../fixtures/otlp.ts';

let test: OtlpTest;
afterEach(async () => {
  expect((await test.checkLedger()).findings).toEqual([]);
  await test.close();
});

const idOf = (n: number) => n.toString(16).padStart(16, '0');
const keyOf = (n: number) => `otlp:${TRACE}:${idOf(n)}`;
const below = (parent: number, more: object = {}) => ({ parentSpanId: idOf(parent), ...more });
const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
const spoken = (text: string) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': message('user', `${text}?`),
  'gen_ai.output.messages': message('assistant', text),
});
async function quiet(): Promise<void> {
  test.clock.advance(60_000_000);
  await test.runWaiting();
}

const TEXTS = new Map(['agent', 'call', 'forged', 'late', 'an answer'].map((text) => [commitPlain(text), text]));

/** Of each record its key, its answer and the names of its sources; lists do not show texts. */
async function texts(): Promise<readonly (readonly [string | null, string | undefined, readonly unknown[]])[]> {
  return (await test.listed()).map((record) => [
    record.idempotency_key,
    TEXTS.get(record.answer.hash),
    record.source_refs.map((ref) => ref['source_name']),
  ]);
}

async function openTraces(): Promise<number> {
  return (await test.otlp.backlog(test.workspace.id)).openTraces;
}

describe('a root that comes after its trace was decided', () => {
  const answered = (n: number, question: string, answer: string, more: object = {}) =>
    span(
      n,
      {
        'gen_ai.operation.name': n === 1 ? 'invoke_agent' : 'chat',
        'gen_ai.input.messages': message('user', question),
        'gen_ai.output.messages': message('assistant', answer),
      },
      more,
    );

  it.each([
    ['right after', 0],
    ['near the end of what is known of the trace', 290],
  ])('is attached to the record of what is below it, if it says the same: %s', async (_, seconds) => {
    test = await openOtlpTest();
    await test.send(traces([answered(2, 'call?', 'call', below(1))]));
    await quiet();
    test.clock.advance(seconds * 1_000_000);
    await test.send(traces([answered(1, 'call?', 'call')]));
    await test.runWaiting();
    await quiet();
    await test.workOff();
    const [record, ...more] = await test.listed();
    expect(more).toEqual([]);
    expect(record?.idempotency_key).toBe(keyOf(2));
    expect(record?.trace_refs).toMatchObject([{ span_id: idOf(1), commitments: 'equal' }]);
    expect(await test.unattached()).toEqual([]);
  });

  it('is an answer of its own, if it says something else', async () => {
    test = await openOtlpTest();
    await test.send(traces([answered(2, 'call?', 'call', below(1))]));
    await quiet();
    await test.send(traces([answered(1, 'call?', 'agent')]));
    await quiet();
    expect(await texts()).toEqual([
      [keyOf(2), 'call', []],
      [keyOf(1), 'agent', []],
    ]);
  });
});

describe('a run that asked for a tool', () => {
  const at = (seconds: number) => ({
    startTimeUnixNano: `${1_795_165_200 + seconds}000000000`,
    endTimeUnixNano: `${1_795_165_201 + seconds}000000000`,
  });
  const rewriting = span(2, spoken('late'), below(1, at(0)));
  const asking = span(
    3,
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': message('user', 'agent?'),
      'gen_ai.output.messages': JSON.stringify([
        { role: 'assistant', parts: [{ type: 'tool_call', id: '1', name: 'search', arguments: {} }] },
      ]),
    },
    below(1, at(2)),
  );
  const final = span(4, spoken('agent'), below(1, at(900)));
  const run = span(1, { 'gen_ai.operation.name': 'invoke_agent' }, at(0));

  it('is waited for, and is one record, however long the tool takes within the hour', async () => {
    test = await openOtlpTest();
    await test.send(traces([rewriting]));
    await test.send(traces([asking]));
    for (let minute = 0; minute < 15; minute++) await quiet();
    expect(await texts()).toEqual([]);
    expect(await openTraces()).toBe(1);
    await test.send(traces([final, run]));
    await test.runWaiting();
    await quiet();
    await test.workOff();
    expect(await texts()).toEqual([[keyOf(1), 'agent', []]]);
    expect(await openTraces()).toBe(0);
  });

  it('is decided as it is after an hour, and what comes then is judged alone', async () => {
    test = await openOtlpTest();
    await test.send(traces([rewriting, asking]));
    for (let minute = 0; minute < 61; minute++) await quiet();
    expect(await texts()).toEqual([[keyOf(2), 'late', []]]);
    expect(await openTraces()).toBe(0);
    for (let minute = 0; minute < 6; minute++) await quiet();
    await test.send(traces([final, run]));
    await test.workOff();
    expect(await texts()).toEqual([
      [keyOf(2), 'late', []],
      [keyOf(1), 'agent', []],
    ]);
  });

  it('is not waited for where nothing else would be a record', async () => {
    test = await openOtlpTest();
    await test.send(traces([asking]));
    await quiet();
    expect(await openTraces()).toBe(0);
  });
});
