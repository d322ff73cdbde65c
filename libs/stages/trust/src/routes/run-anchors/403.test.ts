import { describe, expect, it } from '@jest/globals';
import { createFakeTrust } from '../../fixtures/trust.ts';

describe('POST /api/trust/anchors/run', () => {
  it('answers 403 to a member and to an application, and does nothing', async () => {
    let requested = 0;
    const stage = createFakeTrust({ jobs: { request: () => Promise.resolve([`${++requested}`]) } });
    const { application, call, member } = stage;
    expect(await call('POST', '/api/trust/anchors/run', { as: member, body: {} })).toMatchObject({
      status: 403,
      code: 'role_not_allowed',
    });
    expect(await call('POST', '/api/trust/anchors/run', { as: application, body: {} })).toMatchObject({
      status: 403,
      code: 'token_kind_not_allowed',
    });
    expect(requested).toBe(0);
  });
});
