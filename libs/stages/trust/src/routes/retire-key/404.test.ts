import { describe, expect, it } from '@jest/globals';
import { openTrust } from '../../fixtures/trust.ts';

describe('POST /api/trust/keys/retire', () => {
  it('answers 404 to a key that the log never had', async () => {
    const stage = await openTrust();
    const retire = () =>
      stage.call('POST', '/api/trust/keys/retire', { as: stage.manager, body: { vkey: 'the log has no such key' } });
    expect(await retire()).toMatchObject({ status: 404, code: 'not_found' });
    expect((await stage.logs.signer(stage.workspace.id)).changes).toBe(0);
  });
});
