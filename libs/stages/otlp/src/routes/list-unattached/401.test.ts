import { expect, it } from '@jest/globals';
import { openOtlpTest, OTEL } from '../../fixtures/otlp.ts';

it('refuses to list unattached traces without a token', async () => {
  const test = await openOtlpTest();
  expect(await test.call('GET', `${OTEL}/unattached`)).toMatchObject({ status: 401, code: 'unauthenticated' });
  await test.close();
});
