import { afterEach, describe, expect, it } from '@jest/globals';
import type { SettingsValues } from '@answer-evidence/contracts';
import type { AppendCommand } from '@answer-evidence/ledger';
import type { Ledger } from '@answer-evidence/ports';
import { openOtlpTest, type OtlpTest, span, traces } from '../fixtures/otlp.ts';

let test: OtlpTest;
afterEach(async () => {
  expect((await test.checkLedger()).findings).toEqual([]);
  await test.close();
});

const DAY_MICROS = 86_400_000_000;
const MINUTE_MICROS = 60_000_000;
const traceOf = (n: number) => n.toString(16).padStart(32, '0');
const messageOf = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

/** A call as one instrumentation shows it, in a trace of its own. */
function call(n: number, more: Readonly<Record<string, string>> = {}): object {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.response.id': 'chatcmpl-7',
    'gen_ai.input.messages': messageOf('user', 'How long is the Danube?'),
    'gen_ai.output.messages': messageOf('assistant', '2,850 kilometres.'),
    ...more,
  };
  return span(n, attributes, { traceId: traceOf(n) });
}

/** Writes as two processes do that take turns with each command that comes. */
function takeTurns(ledger: Ledger, other: Ledger): Ledger {
  let n = 0;
  const next = () => (n++ % 2 === 0 ? ledger : other);
  return {
    append: (...one) => next().append(...one),
    appendAll: <C extends AppendCommand>(id: string, commands: readonly C[]) => next().appendAll(id, commands),
  };
}

const open = async (otlpLedgerWaitMs: number, settings: Partial<SettingsValues> = {}) => {
  test = await openOtlpTest(settings, ({ ledger, otherLedger }) => ({
    otlpLedgerWaitMs,
    ledger: takeTurns(ledger, otherLedger),
  }));
};

/** Each record with the traces that are attached to it, in order. */
const recorded = async () => (await test.listed()).map((one) => one.trace_refs.map((ref) => ref.trace_id).toSorted());

describe.each([
  ['as it comes', 60_000, {}],
  ['through the inbox', 0, {}],
  ['as it comes, with keyed hashes', 60_000, { answer_audit_keyed_hash_enabled: true }],
  ['through the inbox, without texts', 0, { answer_audit_store_question_text: false }],
  [
    'as it comes, with keyed hashes and without texts',
    60_000,
    { answer_audit_keyed_hash_enabled: true, answer_audit_store_answer_text: false },
  ],
] as const)('a call that is seen twice, %s', (_, waitMs, settings) => {
  it('makes one record, to which the other traces are attached', async () => {
    await open(waitMs, settings);
    for (const n of [1, 2, 3]) {
      await test.send(traces([call(n)]));
      await test.workOff();
    }
    // Once more what was attached changes nothing.
    await test.send(traces([call(2)]));
    await test.workOff();
    expect(await recorded()).toEqual([[traceOf(2), traceOf(3)]]);
    expect(await test.unattached()).toEqual([]);
    expect(await test.otlp.backlog(test.workspace.id)).toMatchObject({ batches: 0, items: 0, waiting: 0 });
  });

  it('makes one record when all come at the same moment, in any number of requests and processes', async () => {
    await open(waitMs, settings);
    const bodies = Array.from({ length: 12 }, (_one, n) => traces([call(2 * n + 1), call(2 * n + 2)]));
    await Promise.all(bodies.map((body) => test.send(body)));
    await Promise.all([test.workOff(), test.workOff()]);
    await test.workOff();
    const [attached, ...more] = await recorded();
    expect(more).toEqual([]);
    expect(attached).toHaveLength(23);
  });
});

describe('two calls', () => {
  it.each([
    ['with other ids', [call(1), call(2, { 'gen_ai.response.id': 'chatcmpl-8' })]],
    ['with other questions', [call(1), call(2, { 'gen_ai.input.messages': messageOf('user', 'And the Rhine?') })]],
    ['with other answers', [call(1), call(2, { 'gen_ai.output.messages': messageOf('assistant', '2,857 km.') })]],
    ['without an id', [1, 2].map((n) => call(n, { 'gen_ai.response.id': '' }))],
    // An application that says of both that they were answers says so also of one that it had kept.
    ['that are marked', [1, 2].map((n) => call(n, { 'service.audit.source_refs': '[]' }))],
    ['that have keys', [1, 2].map((n) => call(n, { 'service.audit.idempotency_key': `key ${n}` }))],
  ])('are two records: %s', async (_, spans) => {
    await open(60_000);
    for (const one of spans) await test.send(traces([one]));
    await test.workOff();
    expect(await recorded()).toEqual([[], []]);
  });

  it('of two applications are two records', async () => {
    await open(60_000);
    await test.send(traces([call(1)]));
    await test.send(traces([call(2)], 'other-bot'), { ...test.application, applicationKey: 'other-bot' });
    await test.workOff();
    expect(await recorded()).toEqual([[], []]);
  });

  it('are one for a day', async () => {
    await open(60_000);
    await test.send(traces([call(1)]));
    test.clock.advance(DAY_MICROS - MINUTE_MICROS);
    await test.runWaiting();
    await test.send(traces([call(2)]));
    test.clock.advance(2 * MINUTE_MICROS);
    await test.runWaiting();
    await test.send(traces([call(3)]));
    await test.workOff();
    expect((await recorded()).flat()).toEqual([traceOf(2)]);
    expect(await recorded()).toHaveLength(2);
  });
});
