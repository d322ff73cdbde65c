import { afterEach, expect, it } from '@jest/globals';
import type { ItemCounts } from '../../deps.ts';
import { answerSpan, openOtlpTest, type OtlpTest, span, traces } from '../../fixtures/otlp.ts';

let test: OtlpTest;
afterEach(() => test.close());

it('warns of a body that says nothing, and of no empty one', async () => {
  test = await openOtlpTest();
  expect(await test.send({ foo: 1 })).toEqual({ rejected: 0, message: expect.stringMatching(/^nothing was received/) });
  expect(await test.send({})).toEqual({ rejected: 0, message: '' });
});

it('takes what can be taken of a batch, says what was not and why, and counts all of it', async () => {
  const counted: ItemCounts[] = [];
  test = await openOtlpTest({}, () => ({ onItems: (counts) => void counted.push(counts) }));
  const spans = [
    answerSpan(1, 'a', { 'user.id': 'alice', 'url.full': 'https://internal' }),
    answerSpan(2, 'b', { 'service.audit.answer_hash': 'no hash' }),
    span(3, { 'http.request.method': 'GET' }),
    span(0, {}),
  ];
  const { rejected, message } = await test.send(traces(spans));
  expect(rejected).toBe(2);
  expect(message).toMatch(/^2 spans were not accepted: span 1 \(.*\): service.audit.answer_hash must be .*; span 3 /);
  expect((await test.send(traces([answerSpan(4, 'd')], 'another-bot'))).message).toContain('application_not_allowed');
  expect(counted).toEqual([
    { accepted: 1, rejected: 2, ignored: 1, held: 0, droppedAttributes: 2 },
    { accepted: 0, rejected: 1, ignored: 0, held: 0, droppedAttributes: 0 },
  ]);
});

it('warns of an answer without a question, unless a record with a key of the sender may come', async () => {
  test = await openOtlpTest();
  const half = { 'service.audit.answer_text': 'an answer' };
  const apart = { traceId: '00000000000000000000000000000001' };
  const spans = [answerSpan(1, 'a'), span(2, half, apart), span(3, { ...half, 'service.audit.idempotency_key': 'b' })];
  expect(await test.send(traces(spans))).toEqual({
    rejected: 0,
    message: expect.stringMatching(/^1 span leaves no record: span 1 \(trace 0+1, span 0+2\): it has no question$/),
  });
  expect((await test.send(traces([answerSpan(1, 'a'), span(3, {})]))).message).toBe('');
});
