import { afterEach, describe, expect, it } from '@jest/globals';
import { commitPlain } from '@answer-evidence/commitments';
import type { OtlpApplicationRules } from '@answer-evidence/contracts';
import { changeSettings } from '@answer-evidence/testing';
import { answerSpan, openOtlpTest, OTEL, type OtlpTest, span, traces } from '../../fixtures/otlp.ts';

let test: OtlpTest;
afterEach(async () => {
  expect((await test.checkLedger()).findings).toEqual([]);
  await test.close();
});

const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
const said = (text: string, more: object = {}) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': message('user', 'asked'),
  'gen_ai.output.messages': message('assistant', text),
  ...more,
});
const below = (parent: number) => ({ parentSpanId: parent.toString(16).padStart(16, '0') });
const state = {
  'openinference.span.kind': 'AGENT',
  'output.value': '{"a":1,"b":2}',
  'output.mime_type': 'application/json',
};

const RULES: OtlpApplicationRules = { application_key: 'support-bot', answers: 'all', include: [], exclude: [] };
const rulesOf = (more: Partial<OtlpApplicationRules>) => ({ answer_audit_otlp_rules: [{ ...RULES, ...more }] });
const DRAFTS = { exclude: [{ attributes: [{ name: 'app.stage', value: 'draft' }] }] };
const TEXTS = new Map(['an answer', 'a draft', 'final', 'answer 3'].map((text) => [commitPlain(text), text]));

async function answers(): Promise<readonly (string | undefined)[]> {
  await test.workOff();
  return (await test.listed()).map(({ answer }) => TEXTS.get(answer.hash));
}
async function ignored(): Promise<readonly string[]> {
  await test.writeIgnored();
  const { body } = await test.call('GET', `${OTEL}/ignored`, { as: test.manager });
  const { items } = body as { items: { application_key: string; reason: string; item_count: number }[] };
  return items.map((item) => `${item.application_key} ${item.reason} ${item.item_count}`).toSorted();
}
async function quiet(): Promise<void> {
  test.clock.advance(61_000_000);
  await test.runWaiting();
}

describe('rules of an application', () => {
  it('keep an excluded call from being a record, and from hiding the one below or above it', async () => {
    test = await openOtlpTest(rulesOf(DRAFTS));
    await test.send(traces([span(1, said('a draft', { 'app.stage': 'draft' })), span(2, said('final'), below(1))]));
    expect(await answers()).toEqual(['final']);
  });

  it('take no answer of a span above from an excluded call, but from the last other one', async () => {
    test = await openOtlpTest(rulesOf(DRAFTS));
    const late = { ...below(1), endTimeUnixNano: '1795165300000000000' };
    const draft = span(3, said('a draft', { 'app.stage': 'draft' }), late);
    await test.send(traces([span(1, state), span(2, said('final'), below(1)), draft]));
    expect(await answers()).toEqual(['final']);
  });

  it('let a call that nothing includes serve the span above it, and be no record without one', async () => {
    test = await openOtlpTest(rulesOf({ include: [{ is_root: true }] }));
    await test.send(traces([span(1, state), span(2, said('final'), below(1))]));
    expect(await answers()).toEqual(['final']);
    const other = { traceId: '00000000000000000000000000000001' };
    const sent = await test.send(
      traces([span(1, {}, other), span(4, {}, other), span(2, said('an answer'), { ...below(1), ...other })]),
    );
    expect(sent).toEqual({
      rejected: 0,
      message: expect.stringContaining('1 of 3 items have the reason not_included_by_rule'),
    });
    expect(await answers()).toEqual(['final']);
    expect(await ignored()).toEqual(['support-bot not_included_by_rule 1', 'support-bot unrelated 2']);
  });

  it('leave marked items alone, hold nothing where only those count, and concern one application', async () => {
    test = await openOtlpTest(rulesOf({ answers: 'marked', ...{ exclude: [] } }));
    await test.send(traces([answerSpan(3, 'a')]));
    expect((await test.send(traces([span(2, said('final'), below(1))]))).message).toContain('not_marked_by_rule');
    expect((await test.otlp.backlog(test.workspace.id)).openTraces).toBe(0);
    await test.send(traces([span(4, said('an answer'))], 'another-bot'), test.manager);
    expect(await answers()).toEqual(['answer 3', 'an answer']);
    expect(await ignored()).toEqual(['support-bot not_marked_by_rule 1']);
  });

  it('count as they were when an item came, whatever they are when its trace is decided', async () => {
    test = await openOtlpTest(rulesOf(DRAFTS));
    await test.send(traces([span(2, said('a draft', { 'app.stage': 'draft' }), below(1))]));
    await changeSettings(test, { answer_audit_otlp_rules: [] });
    await test.send(traces([span(3, said('final', { 'app.stage': 'draft' }), below(1))]));
    await changeSettings(test, rulesOf({ answers: 'marked', exclude: [] }));
    await quiet();
    expect(await answers()).toEqual(['final']);
  });

  it('are no longer obeyed when they are gone, by a process that has read them, even if it took nothing since', async () => {
    test = await openOtlpTest(rulesOf({ exclude: [{ operation_name: 'chat' }] }));
    const call = traces([span(1, said('final'))]);
    expect((await test.send(call)).message).toContain('excluded_by_rule');
    await changeSettings(test, { answer_audit_otlp_rules: [] });
    expect((await test.send(call)).message).toBe('');
    expect(await answers()).toEqual(['final']);
  });

  const ACME = {
    question: [{ attribute: 'acme.in', path: '/ask' }],
    answer: [{ attribute: 'acme.out', path: '/told' }],
  };
  const acme = (told: string) => ({ 'acme.in': '{"ask":"asked"}', 'acme.out': `{"told":"${told}","draft":"a draft"}` });

  it('say where texts stand, from the request on that comes after them, and until they are gone', async () => {
    test = await openOtlpTest();
    const call = traces([span(1, acme('final'))]);
    expect((await test.send(call)).message).toContain('unrelated');
    await changeSettings(test, rulesOf(ACME));
    expect(await test.send(call)).toEqual({ rejected: 0, message: '' });
    expect(await answers()).toEqual(['final']);
    await changeSettings(test, { answer_audit_otlp_rules: [] });
    const other = { traceId: '00000000000000000000000000000002' };
    expect((await test.send(traces([span(1, acme('an answer'), other)]))).message).toContain('unrelated');
    expect(await answers()).toEqual(['final']);
  });

  it('that find no text list it with the sentence, and nothing below it is told, whichever comes first', async () => {
    test = await openOtlpTest(rulesOf(ACME));
    const silent = span(1, { 'acme.in': '{"ask":"asked"}', 'acme.out': '{"draft":"a draft"}' });
    const below1 = span(2, said('a draft'), below(1));
    await test.send(traces([silent]));
    await test.send(traces([below1]));
    const other = { traceId: '00000000000000000000000000000003' };
    await test.send(traces([span(2, said('a draft'), { ...below(1), ...other })]));
    await test.send(traces([span(1, { 'acme.out': '{"draft":"a draft"}' }, other)]));
    await quiet();
    expect(await answers()).toEqual([]);
    await test.writeIgnored();
    const { body } = await test.call('GET', `${OTEL}/ignored`, { as: test.manager });
    expect((body as { items: object[] }).items).toContainEqual(
      expect.objectContaining({
        reason: 'unread_state',
        item_count: 2,
        detail: 'the rules of its application look for the answer in acme.out at /told, and no text is there',
      }),
    );
  });

  it('count what they kept from being a record when its trace is decided', async () => {
    test = await openOtlpTest(rulesOf(DRAFTS));
    await test.send(traces([span(2, said('a draft', { 'app.stage': 'draft' }), below(1))]));
    expect(await ignored()).toEqual([]);
    await quiet();
    expect(await ignored()).toEqual(['support-bot excluded_by_rule 1']);
  });

  it('judge log records as far as a rule is about them: those have no kind and are no roots', async () => {
    test = await openOtlpTest(rulesOf({ exclude: [{ span_kind: 'unspecified' }, { is_root: false }] }));
    const logOf = (n: number, stage: string) => ({
      traceId: n.toString(16).padStart(32, '0'),
      spanId: '0000000000000001',
      eventName: 'gen_ai.client.inference.operation.details',
      attributes: Object.entries(said('final', { 'app.stage': stage })).map(([key, stringValue]) => ({
        key,
        value: { stringValue },
      })),
    });
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'support-bot' } }] };
    const send = (logRecords: readonly object[]) =>
      test.send({ resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'logs' }, logRecords }] }] });
    await send([logOf(1, 'draft')]);
    expect(await answers()).toEqual(['final']);
    await changeSettings(test, rulesOf(DRAFTS));
    expect((await send([logOf(2, 'draft')])).message).toContain('excluded_by_rule');
    await changeSettings(test, rulesOf({ exclude: [{ scope_name: 'log*' }] }));
    expect((await send([logOf(3, 'other')])).message).toContain('excluded_by_rule');
    expect(await answers()).toEqual(['final']);
  });
});
