import { describe, expect, it } from '@jest/globals';
import { createFakeTrust } from '../../fixtures/trust.ts';

describe('POST /api/trust/keys', () => {
  it('answers 409 while two keys sign, and adds none', async () => {
    const stage = createFakeTrust();
    const add = () => stage.call('POST', '/api/trust/keys', { as: stage.manager });
    expect((await add()).status).toBe(201);
    expect(await add()).toMatchObject({ status: 409, code: 'log_key_conflict' });
    expect((await stage.logs.signer(stage.workspace.id)).keys).toHaveLength(2);
  });
});
