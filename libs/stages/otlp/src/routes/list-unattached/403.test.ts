import { expect, it } from '@jest/globals';
import { openOtlpTest, OTEL } from '../../fixtures/otlp.ts';

it('shows an application the unattached traces of no other, and none without the scope to read', async () => {
  const test = await openOtlpTest();
  const path = `${OTEL}/unattached`;
  const other = { as: test.application, query: { application_key: 'another-bot' } };
  expect(await test.call('GET', path, other)).toMatchObject({ status: 403, code: 'application_not_allowed' });
  const creator = { ...test.application, scopes: ['answer_audit:create'] as const };
  expect(await test.call('GET', path, { as: creator })).toMatchObject({ status: 403, code: 'scope_missing' });
  await test.close();
});
