import { afterEach, expect, it } from '@jest/globals';
import type { OtlpExplanation } from '@answer-evidence/contracts';
import { utf8 } from '@answer-evidence/encoding';
import { answerSpan, openOtlpTest, OTEL, type OtlpTest, span, traces } from '../../fixtures/otlp.ts';

let test: OtlpTest;
afterEach(() => test.close());

it('says of each item what it would become and what of it is read, and keeps nothing', async () => {
  test = await openOtlpTest();
  const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
  const call = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.input.messages': message('user', 'a secret question'),
    'gen_ai.output.messages': message('assistant', 'a secret answer'),
    'user.id': 'alice',
  };
  const apart = { traceId: '00000000000000000000000000000001' };
  const spans = [
    span(1, { ...call, 'gen_ai.operation.name': 'invoke_agent' }),
    span(2, call, { parentSpanId: '0000000000000001' }),
    span(3, { 'http.route': '/' }, apart),
    span(4, { 'gen_ai.operation.name': 'chat' }, apart),
    span(0, {}),
  ];
  const reply = await test.call('POST', `${OTEL}/explain`, {
    as: test.application,
    body: utf8(JSON.stringify(traces(spans))),
    headers: { 'content-type': 'application/json' },
  });
  const { items, ...rest } = reply.body as OtlpExplanation;
  expect(rest).toEqual({ mapping_version: expect.any(Number), signal: 'traces', item_count: 5 });
  expect(items.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['answer', null],
    ['part', null],
    ['ignored', 'unrelated'],
    ['ignored', 'no_contents'],
    ['refused', null],
  ]);
  expect(items[0]).toMatchObject({
    read: ['gen_ai.operation.name', 'gen_ai.input.messages', 'gen_ai.output.messages'],
    not_read: ['user.id'],
  });
  expect(JSON.stringify(items)).not.toMatch(/secret|alice/);
  expect(items[4]?.detail).toMatch(/./);

  await test.workOff();
  await test.writeIgnored();
  expect(await test.listed()).toEqual([]);
  const { body } = await test.call('GET', `${OTEL}/ignored`, { as: test.manager });
  expect(body).toMatchObject({ total: 0 });
});

it('names what refuses an item', async () => {
  test = await openOtlpTest();
  const reply = await test.call('POST', `${OTEL}/explain`, {
    as: test.application,
    body: utf8(JSON.stringify(traces([answerSpan(1, 'k', { 'service.audit.answer_hash': 'no hash' })]))),
    headers: { 'content-type': 'application/json' },
  });
  expect(reply.body).toMatchObject({
    items: [{ outcome: 'refused', reason: null, detail: expect.stringContaining('service.audit.answer_hash') }],
  });
});

it('refuses what the settings or the token would refuse, in the words of a partial success', async () => {
  test = await openOtlpTest();
  const hash = `sha256:${'a'.repeat(64)}`;
  const hashed = { 'service.audit.question_hash': hash, 'service.audit.answer_hash': hash };
  const apart = { traceId: '00000000000000000000000000000001' };
  const spans = [span(1, { 'service.audit.idempotency_key': 'k', ...hashed })];
  const batches = [traces(spans), traces([answerSpan(1, 'k'), { ...answerSpan(2, 'm'), ...apart }], 'another-bot')];
  for (const batch of batches) {
    const reply = await test.call('POST', `${OTEL}/explain`, {
      as: test.application,
      body: utf8(JSON.stringify(batch)),
      headers: { 'content-type': 'application/json' },
    });
    const { items } = reply.body as OtlpExplanation;
    const { rejected, message } = await test.send(batch);
    expect(rejected).toBe(items.length);
    for (const { outcome, reason, detail } of items) {
      expect([outcome, reason]).toEqual(['refused', null]);
      expect(message).toContain(detail);
    }
  }
});
