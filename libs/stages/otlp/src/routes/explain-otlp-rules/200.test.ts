import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { ExplainRulesRequest, OtlpExplanation } from '@answer-evidence/contracts';
import { formatBase64, utf8 } from '@answer-evidence/encoding';
import { changeSettings } from '@answer-evidence/testing';
import { openOtlpTest, OTEL, type OtlpTest, span, traces } from '../../fixtures/otlp.ts';

let test: OtlpTest;
beforeEach(async () => {
  test = await openOtlpTest();
});
afterEach(() => test.close());

const message = (role: string) => JSON.stringify([{ role, parts: [{ type: 'text', content: 'a text' }] }]);
const call = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': message('user'),
  'gen_ai.output.messages': message('assistant'),
};
const request = utf8(
  JSON.stringify(
    traces([
      span(1, { ...call, 'gen_ai.operation.name': 'invoke_agent' }),
      span(2, call, { parentSpanId: '0000000000000001' }),
      span(3, call, { traceId: '00000000000000000000000000000001' }),
    ]),
  ),
);
const body = (rules: ExplainRulesRequest['rules']) => ({
  request_base64: formatBase64(request),
  content_type: 'application/json',
  rules,
});
const verdictsOf = ({ items }: OtlpExplanation) =>
  items.map(({ outcome, reason, detail }) => [outcome, reason, detail]);

it('shows what rules would do, names the one that excludes, and leaves those in force', async () => {
  const rules = [
    { application_key: 'support-bot', exclude: [{ is_root: false }, { operation_name: 'invoke_agent' as const }] },
  ];
  const reply = await test.call('POST', `${OTEL}/explain/rules`, { as: test.manager, body: body(rules) });
  expect(verdictsOf(reply.body as OtlpExplanation)).toEqual([
    ['ignored', 'excluded_by_rule', 'excluded by rule 2 of the application support-bot'],
    ['ignored', 'excluded_by_rule', 'excluded by rule 1 of the application support-bot'],
    ['answer', null, null],
  ]);
  expect(await test.listed()).toEqual([]);
  const none = await test.call('POST', `${OTEL}/explain/rules`, { as: test.manager, body: body([]) });
  expect(verdictsOf(none.body as OtlpExplanation).map(([outcome]) => outcome)).toEqual(['answer', 'part', 'answer']);
});

it('explains by the rules in force where none are tried', async () => {
  await changeSettings(test, {
    answer_audit_otlp_rules: [
      { application_key: 'support-bot', answers: 'all', include: [{ operation_name: 'invoke_agent' }], exclude: [] },
    ],
  });
  const reply = await test.call('POST', `${OTEL}/explain`, {
    as: test.application,
    body: request,
    headers: { 'content-type': 'application/json' },
  });
  const detail = 'included by no rule of the application support-bot; its answer may be that of a span above it';
  expect(verdictsOf(reply.body as OtlpExplanation)).toEqual([
    ['answer', null, null],
    ['part', null, detail],
    ['ignored', 'not_included_by_rule', detail],
  ]);
});

it('refuses bytes that are no base64, and a request that is no OTLP', async () => {
  const broken = { ...body([]), request_base64: 'no base64' };
  expect(await test.call('POST', `${OTEL}/explain/rules`, { as: test.manager, body: broken })).toMatchObject({
    status: 422,
    errors: [{ pointer: '/request_base64' }],
  });
  const other = { ...body([]), request_base64: formatBase64(utf8('no OTLP')) };
  expect(await test.call('POST', `${OTEL}/explain/rules`, { as: test.manager, body: other })).toMatchObject({
    status: 400,
    code: 'malformed_request',
  });
});
