import { afterEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '@answer-evidence/access';
import { ignoredItemList, traceFates } from '@answer-evidence/contracts';
import { openOtlpTest, OTEL, type OtlpTest, span, TRACE, traces } from '../../fixtures/otlp.ts';

let test: OtlpTest;
afterEach(() => test.close());

const said = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
const chat = (more: Readonly<Record<string, string>> = {}) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': said('user', 'a secret question'),
  'gen_ai.output.messages': said('assistant', 'a secret answer'),
  ...more,
});
const NAMED = [{ key: 'service.name', value: { stringValue: 'support-bot' } }];
const idOf = (n: number) => n.toString(16).padStart(16, '0');
const below = { parentSpanId: idOf(1) };
const root = span(1, { 'http.route': '/' });
const fates = async (as: Caller = test.manager, trace = TRACE) => {
  const { body } = await test.call('GET', `${OTEL}/traces/${trace}`, { as });
  return traceFates.parse(body);
};
const told = async () => (await fates()).lines.map(({ fate, span_ids: spans, reason }) => [fate, ...spans, reason]);
const decide = async () => {
  await test.runWaiting();
  test.clock.advance(61_000_000);
  await test.runWaiting();
  await test.workOff();
  await test.writeIgnored();
};

describe('what became of a trace', () => {
  it('is held and then a record, with its other items as part of it', async () => {
    test = await openOtlpTest();
    expect(await fates()).toEqual({ trace_id: TRACE, lines: [], others: 'unknown' });
    await test.send(traces([span(2, chat(), below)]));
    expect(await told()).toEqual([['held', null]]);
    await test.send(traces([root]));
    await decide();
    expect(await told()).toEqual([['record', idOf(2), null]]);
    expect((await fates()).others).toBe('part');
    expect(JSON.stringify(await fates())).not.toContain('secret');
  });

  const faults: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['messages that were cut', { 'gen_ai.output.messages': said('assistant', 'x'.repeat(90)).slice(0, 80) }],
    ['an answer of 300 KB', { 'gen_ai.output.messages': said('assistant', 'x'.repeat(300_000)) }],
    ['a question of 300 KB', { 'gen_ai.input.messages': said('user', 'x'.repeat(300_000)) }],
    ['U+0000 in the answer', { 'gen_ai.output.messages': said('assistant', 'a\0') }],
    ['a key that is none', { 'service.audit.idempotency_key': 'a\n' }],
  ];
  it.each(faults)('is a refusal that is told and listed once for %s, however it comes', async (_, fault) => {
    test = await openOtlpTest();
    const orders = [[[2]], [[2, 1]], [[2], [1]]];
    for (const [n, order] of orders.entries()) {
      const trace = (n + 1).toString(16).padStart(32, '0');
      const isAlone = order.flat().length === 1;
      const failing = span(2, chat(fault), isAlone ? {} : below);
      const spans = (of: readonly number[]) => of.map((one) => ({ ...(one === 1 ? root : failing), traceId: trace }));
      const [reply] = [await test.send(traces(spans(order[0] ?? []))), await test.send(traces(spans(order[1] ?? [])))];
      await decide();
      expect(reply).toMatchObject({ rejected: 1 });
      const found = await fates(test.manager, trace);
      const all = found.lines.map(({ fate, span_ids: ids, reason }) => [fate, ...ids, reason]);
      const beside = isAlone ? [] : [['ignored', idOf(1), 'unrelated']];
      expect(all.toSorted()).toEqual([...beside, ['refused', idOf(2), 'refused']]);
      expect(found.lines.find(({ fate }) => fate === 'refused')?.detail).toMatch(/^\S+ (?:is|must|contains)/);
    }
    const { body } = await test.call('GET', `${OTEL}/ignored`, { as: test.manager, query: { reason: 'refused' } });
    expect(ignoredItemList.parse(body).items).toMatchObject([{ item_count: 3, last_span_id: idOf(2) }]);
  });

  it('is listed for what was there at once beside what waited, if nothing comes of either', async () => {
    test = await openOtlpTest();
    const question = { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': said('user', 'a secret question') };
    await test.send(traces([root, span(3, question, { parentSpanId: idOf(2) })]));
    await decide();
    const known = (await told()).map(([fate, id, reason]) => `${fate} ${id} ${reason}`).toSorted();
    expect(known).toEqual([`ignored ${idOf(1)} unrelated`, `ignored ${idOf(3)} no_answer`]);
  });

  it('is one, and the reason of the list is its detail, where an answer has a prompt in the place of a question', async () => {
    test = await openOtlpTest();
    const prompt = 'system: a secret instruction\nassistant: a secret answer\nsystem: more of it';
    await test.send(traces([span(1, chat({ 'gen_ai.input.messages': said('user', prompt) }))]));
    await decide();
    const { lines } = await fates();
    expect(lines.map(({ fate, span_ids: ids }) => [fate, ...ids])).toEqual([['waiting', idOf(1)]]);
    expect(lines[0]?.detail).toMatch(/^it has no question: /);
  });

  it('is a refusal alone where a run that takes its answer from below names no application', async () => {
    test = await openOtlpTest();
    const run = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.input.messages': said('user', 'a question') };
    const nameless = { resource: { attributes: [] }, scopeSpans: [{ spans: [span(1, run)] }] };
    const named = { resource: { attributes: NAMED }, scopeSpans: [{ spans: [span(2, chat(), below)] }] };
    await test.send({ resourceSpans: [nameless, named] });
    await decide();
    expect((await told()).filter(([, id]) => id === idOf(1))).toEqual([['refused', idOf(1), 'refused']]);
  });

  it('is a record with a warning where an optional attribute is invalid', async () => {
    test = await openOtlpTest();
    const { message } = await test.send(traces([span(2, chat({ 'gen_ai.response.id': '' }))]));
    expect(message).toContain('gen_ai.response.id must not be empty; it was left out');
    await decide();
    expect(await told()).toEqual([
      ['record', idOf(2), null],
      ['warned', idOf(2), 'attribute_ignored'],
    ]);
  });

  it('is of the items of an application alone for its token', async () => {
    test = await openOtlpTest();
    await test.send(traces([root], 'other-bot'), test.manager);
    await test.writeIgnored();
    expect((await fates()).lines).toMatchObject([{ application_key: 'other-bot', fate: 'ignored' }]);
    expect((await fates(test.application)).lines).toEqual([]);
  });

  it('keeps what one sender brought in when another one brings in more than there is room for', async () => {
    test = await openOtlpTest();
    await test.send(traces([root]));
    await test.writeIgnored();
    const resources = Array.from({ length: 900 }, (_, n) => {
      const resource = { attributes: [{ key: 'service.name', value: { stringValue: `bot-${n}` } }] };
      return { resource, scopeSpans: [{ spans: [{ ...root, traceId: (n + 1).toString(16).padStart(32, '0') }] }] };
    });
    await test.send({ resourceSpans: resources }, test.manager);
    await test.writeIgnored();
    const { body } = await test.call('GET', `${OTEL}/ignored`, { as: test.application });
    expect(ignoredItemList.parse(body).items).toMatchObject([{ application_key: 'support-bot', item_count: 1 }]);
    const { body: all } = await test.call('GET', `${OTEL}/ignored`, { as: test.manager, query: { size: '1' } });
    expect(ignoredItemList.parse(all).total).toBe(502);
  });
});
