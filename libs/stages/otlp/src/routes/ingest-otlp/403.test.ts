import { expect, it } from '@jest/globals';
import { openOtlpTest, OTEL } from '../../fixtures/otlp.ts';

it.each([OTEL, `${OTEL}/v1/traces`, `${OTEL}/v1/logs`])(
  'takes nothing at %s without the scope to create',
  async (path) => {
    const test = await openOtlpTest();
    const as = { ...test.application, scopes: ['answer_audit:read'] as const };
    expect(await test.call('POST', path, { as, body: new Uint8Array() })).toMatchObject({
      status: 403,
      code: 'scope_missing',
    });
    await test.close();
  },
);
