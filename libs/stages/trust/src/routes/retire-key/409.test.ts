import { describe, expect, it } from '@jest/globals';
import { openTrust } from '../../fixtures/trust.ts';

describe('POST /api/trust/keys/retire', () => {
  it('answers 409 to the only key that signs, and to one that signs no more', async () => {
    const stage = await openTrust();
    const retire = () =>
      stage.call('POST', '/api/trust/keys/retire', { as: stage.manager, body: { vkey: stage.workspace.vkey } });
    expect(await retire()).toMatchObject({ status: 409, code: 'log_key_conflict' });
    expect((await stage.logs.signer(stage.workspace.id)).changes).toBe(0);
    await stage.call('POST', '/api/trust/keys', { as: stage.manager });
    expect((await retire()).status).toBe(200);
    expect(await retire()).toMatchObject({ status: 409, code: 'log_key_conflict' });
  });
});
