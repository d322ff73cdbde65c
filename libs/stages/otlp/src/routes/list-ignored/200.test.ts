import { afterEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '@answer-evidence/access';
import { ignoredItemList } from '@answer-evidence/contracts';
import { answerSpan, openOtlpTest, OTEL, type OtlpTest, span, traces } from '../../fixtures/otlp.ts';

let test: OtlpTest;
afterEach(() => test.close());

const list = async (query: Readonly<Record<string, string>> = {}, as: Caller = test.manager) => {
  const { body } = await test.call('GET', `${OTEL}/ignored`, { as, query });
  return ignoredItemList.parse(body).items;
};
/** Spans, each of a trace of its own. */
const apart = (spans: readonly object[]) =>
  spans.map((one, n) => ({ ...one, traceId: (n + 1).toString(16).padStart(32, '0') }));

describe('the list of what was ignored', () => {
  it('counts by reason, without any value, and warns the exporter', async () => {
    test = await openOtlpTest();
    const message = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'a secret question' }] }]);
    const spans = apart([
      span(1, { 'http.request.method': 'GET', 'a secret name': 'x' }),
      span(2, { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'a secret model' }),
      span(3, { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': message }),
      span(4, { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'a secret tool' }),
      span(5, { 'gen_ai.operation.name': 'chat' }),
    ]);
    const sent = await test.send(traces(spans));
    expect(sent).toEqual({ rejected: 0, message: expect.stringContaining('2 of 5 items have the reason no_contents') });
    const servers = Array.from({ length: 9 }, (_, n) => span(n + 6, { 'http.route': '/' }));
    const { message: said } = await test.send(traces([...servers, span(15, { 'gen_ai.operation.name': 'chat' })]));
    expect(said).toContain('1 of 10 items have the reason no_contents');
    await test.send(traces(spans));
    expect(await list()).toEqual([]);
    await test.writeIgnored();
    const counted = (await list()).map(({ reason, item_count }) => [reason, item_count]);
    expect(Object.fromEntries(counted)).toEqual({
      unrelated: 11,
      no_contents: 5,
      no_answer: 2,
      other_operation: 2,
    });
    expect(JSON.stringify(await list())).not.toContain('secret');
    expect(await list({ reason: 'no_answer' })).toMatchObject([
      { application_key: 'support-bot', last_attribute_names: ['gen_ai.operation.name', 'gen_ai.input.messages'] },
    ]);
  });

  it('counts what is below a run that failed, too', async () => {
    test = await openOtlpTest();
    const text = (role: string) => JSON.stringify([{ role, parts: [{ type: 'text', content: 'a text' }] }]);
    const said = { 'gen_ai.input.messages': text('user'), 'gen_ai.output.messages': text('assistant') };
    const agent = span(1, { ...said, 'gen_ai.operation.name': 'invoke_agent' }, { status: { code: 2 } });
    const call = span(2, { ...said, 'gen_ai.operation.name': 'chat' }, { parentSpanId: '0000000000000001' });
    const { message } = await test.send(traces([agent, call]));
    expect(message).toContain('2 of 2 items have the reason failed');
    await test.writeIgnored();
    expect(await list()).toMatchObject([{ reason: 'failed', item_count: 2 }]);
  });

  it('counts the call of a check in a trace without an answer as a step', async () => {
    test = await openOtlpTest();
    const below = (n: number) => ({ parentSpanId: n.toString(16).padStart(16, '0') });
    const kind = (name: string) => ({ 'openinference.span.kind': name });
    const said = { 'llm.input_messages.0.message.role': 'user', 'llm.input_messages.0.message.content': 'a text' };
    const told = { 'llm.output_messages.0.message.role': 'assistant', 'llm.output_messages.0.message.content': 'no' };
    const check = [span(2, kind('GUARDRAIL'), below(1)), span(3, { ...kind('LLM'), ...said, ...told }, below(2))];
    await test.send(traces([span(1, kind('AGENT')), ...check]));
    test.clock.advance(61_000_000);
    await test.runWaiting();
    await test.writeIgnored();
    expect(await test.listed()).toEqual([]);
    const counted = (await list()).map(({ reason, item_count }) => `${item_count} ${reason}`);
    expect(counted.toSorted()).toEqual(['1 no_contents', '2 other_operation']);
  });

  it('has nothing of what was decided at once when the rest of its trace is decided', async () => {
    test = await openOtlpTest();
    const said = (role: string) => JSON.stringify([{ role, parts: [{ type: 'text', content: 'a text' }] }]);
    const call = { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': said('user') };
    const answer = span(1, { ...call, 'gen_ai.output.messages': said('assistant') });
    const rest = span(2, { 'http.route': '/' }, { parentSpanId: '0000000000000009' });
    await test.send(traces([answer, span(3, call, { parentSpanId: '0000000000000001' }), rest]));
    await test.workOff();
    test.clock.advance(61_000_000);
    await test.runWaiting();
    await test.writeIgnored();
    expect(await test.listed()).toHaveLength(1);
    expect((await list()).filter(({ reason }) => reason === 'other_operation')).toEqual([]);
  });

  it('tells the names that are read from those that are not', async () => {
    test = await openOtlpTest();
    const call = { 'gen_ai.operation.name': 'chat', 'app.tier': 'gold' };
    const logged = { eventName: 'gen_ai.user.message', body: { kvlistValue: { values: CONTENT } } };
    const scopeLogs = [{ scope: { name: 'a logger' }, logRecords: [logged, { body: { stringValue: 'a line' } }] }];
    await test.send(traces([span(1, call)]));
    await test.send({ resourceLogs: [{ resource: { attributes: NAMED }, scopeLogs }] });
    await test.writeIgnored();
    const names = (await list()).map(({ reason, last_attribute_names: all, last_read_names: read }) => [
      reason,
      all,
      read,
    ]);
    expect(names.toSorted()).toEqual([
      ['no_answer', ['content'], ['content']],
      ['no_contents', ['gen_ai.operation.name', 'app.tier'], ['gen_ai.operation.name']],
      ['unrelated', ['body'], []],
    ]);
  });

  it('has a state without a named text when its trace is decided, and not before', async () => {
    test = await openOtlpTest();
    const state = span(1, { 'traceloop.entity.output': '{"a secret place":{"x":1,"y":2},"z":1}' });
    const scopeSpans = [
      { scope: { name: 'a framework' }, spans: [state] },
      { scope: { name: 'a server' }, spans: [span(2, {})] },
    ];
    const sent = { resourceSpans: [{ resource: { attributes: NAMED }, scopeSpans }] };
    expect((await test.send(sent)).message).toBe('');
    await test.writeIgnored();
    expect(await list()).toEqual([]);
    test.clock.advance(61_000_000);
    await test.runWaiting();
    await test.writeIgnored();
    const counted = (await list()).map(({ item_count, application_key, scope_name, reason }) =>
      [item_count, application_key, scope_name, reason].join(' '),
    );
    expect(counted.toSorted()).toEqual(['1 support-bot a framework unread_state', '1 support-bot a server unrelated']);
    expect(await list({ reason: 'unread_state' })).toMatchObject([
      { last_attribute_names: ['traceloop.entity.output'] },
    ]);
    test.clock.advance(61_000_000);
    await test.send(sent);
    await test.runWaiting();
    test.clock.advance(61_000_000);
    await test.runWaiting();
    await test.writeIgnored();
    expect((await list()).map(({ item_count }) => item_count)).toEqual([1, 1]);
  });

  it('has nothing of a trace that left a record, and warns of none that was asked for', async () => {
    test = await openOtlpTest();
    expect((await test.send(traces([answerSpan(1, 'a'), span(2, { 'http.route': '/' })]))).message).toBe('');
    const marked = { resourceSpans: [{ resource: { attributes: MARKED }, scopeSpans: [{ spans: [span(3, {})] }] }] };
    expect((await test.send(marked)).message).toBe('');
    await test.writeIgnored();
    expect((await list()).map(({ reason }) => reason)).toEqual(['not_marked']);
  });

  it('shows an application its own, and counts nothing under the name of another', async () => {
    test = await openOtlpTest();
    await test.send(traces([span(1, {})], 'another-bot'));
    await test.send(traces([span(2, {})], 'another-bot'), test.member);
    await test.send(traces([span(3, {})]));
    await test.writeIgnored();
    expect(
      (await list()).map(({ application_key, item_count }) => `${application_key} ${item_count}`).toSorted(),
    ).toEqual(['another-bot 1', 'support-bot 1']);
    expect(await list({}, test.application)).toMatchObject([{ application_key: 'support-bot' }]);
  });

  it('keeps its size, whatever names come', async () => {
    test = await openOtlpTest();
    const scopes = Array.from({ length: 1_100 }, (_, n) => ({
      scope: { name: `scope ${n}` },
      spans: [span(n + 1, {})],
    }));
    const sent = { resourceSpans: [{ resource: { attributes: NAMED }, scopeSpans: scopes }] };
    await test.send(sent);
    await test.writeIgnored();
    await test.send(sent);
    await test.writeIgnored();
    const { body } = await test.call('GET', `${OTEL}/ignored`, { as: test.manager, query: { scope_name: '' } });
    expect(body).toMatchObject({ items: [{ application_key: 'support-bot', item_count: 1_200 }] });
    const all = await test.call('GET', `${OTEL}/ignored`, { as: test.manager });
    expect(all.body).toMatchObject({ total: 501 });
  });
});

const CONTENT = [{ key: 'content', value: { stringValue: 'a text' } }];
const NAMED = [{ key: 'service.name', value: { stringValue: 'support-bot' } }];
const MARKED = [...NAMED, { key: 'service.audit.answers', value: { stringValue: 'marked' } }];
