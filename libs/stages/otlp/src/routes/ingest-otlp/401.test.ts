import { expect, it } from '@jest/globals';
import { openOtlpTest, OTEL } from '../../fixtures/otlp.ts';

it.each([OTEL, `${OTEL}/v1/traces`, `${OTEL}/v1/logs`])('takes nothing at %s without a token', async (path) => {
  const test = await openOtlpTest();
  expect(await test.call('POST', path, { body: new Uint8Array() })).toMatchObject({
    status: 401,
    code: 'unauthenticated',
  });
  await test.close();
});
