import { describe, expect, it } from '@jest/globals';
import { DEFAULT_TRUST_POLICY } from '@answer-evidence/contracts';
import { openTrust, putPolicy } from '../../fixtures/trust.ts';

describe('GET /api/trust/policy', () => {
  it('shows the default policy, which nobody has set, with its version as the entity tag', async () => {
    const { application, call } = await openTrust();
    expect(await call('GET', '/api/trust/policy', { as: application })).toMatchObject({
      status: 200,
      headers: { ETag: '"t0"' },
      body: { ...DEFAULT_TRUST_POLICY, version: 0, updated_at: null },
    });
  });

  it('shows what a manager has set, and never a secret', async () => {
    const stage = await openTrust();
    const lock = {
      id: 'lock',
      type: 'object-lock' as const,
      url: 'https://s3.example',
      bucket: 'evidence',
      region: 'eu-1',
      prefix: 'log/',
      retention_days: 30,
      access_key_id: 'key',
      required: true,
    };
    await putPolicy(stage, {
      anchors: [{ ...lock, secret_access_key: 'a secret of the bucket' }],
      anchors_required: 1,
    });
    const reply = await stage.call('GET', '/api/trust/policy', { as: stage.member });
    expect(reply).toMatchObject({ headers: { ETag: '"t1"' }, body: { anchors: [lock], version: 1 } });
    expect(JSON.stringify([reply, await stage.rows('workspace_entries')])).not.toContain('secret of the bucket');
  });
});
