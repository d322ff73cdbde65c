import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('GET /.well-known/jwks.json', () => {
  it('shows the public keys without a token, to be kept for five minutes at most', async () => {
    const { applicationTokens, call } = createFakeStage(createWorkspaceStage);
    expect(await call('GET', '/.well-known/jwks.json')).toEqual({
      status: 200,
      headers: { 'Cache-Control': 'public, max-age=300' },
      body: applicationTokens.publicKeys(0),
    });
  });
});
