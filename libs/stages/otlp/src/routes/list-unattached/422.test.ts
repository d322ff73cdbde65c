import { expect, it } from '@jest/globals';
import { openOtlpTest, OTEL } from '../../fixtures/otlp.ts';

it('refuses filters of no form, pages out of reach and cursors that are none of its own', async () => {
  const test = await openOtlpTest();
  for (const [query, code] of [
    [{ reason: 'no such reason' }, 'schema_violation'],
    [{ trace_id: 'XYZ' }, 'schema_violation'],
    [{ surplus: '1' }, 'schema_violation'],
    [{ page: '1', cursor: 'x' }, 'schema_violation'],
    [{ page: '10000', size: '200' }, 'page_out_of_reach'],
    [{ cursor: 'AAAA' }, 'cursor_not_valid'],
  ] as const)
    expect(await test.call('GET', `${OTEL}/unattached`, { as: test.manager, query })).toMatchObject({
      status: 422,
      code,
    });
  await test.close();
});
