import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

const SETTINGS = '/api/tenant/settings';

describe('GET /api/tenant/settings', () => {
  it('shows the whole policy with its version, and the version as a strong ETag', async () => {
    const { call, manager } = createFakeStage(createWorkspaceStage);
    const reply = await call('GET', SETTINGS, { as: manager });
    expect(reply).toMatchObject({ status: 200, headers: { ETag: '"v1"' }, body: { ...DEFAULT_SETTINGS, version: 1 } });
  });

  it('shows at once what another process has changed', async () => {
    const here = createFakeStage(createWorkspaceStage);
    await here.call('GET', SETTINGS, { as: here.manager });
    const elsewhere = createWorkspaceStage({ ...here, ledger: here.otherLedger });
    const patch = elsewhere.routes.find(({ method, path }) => method === 'PATCH' && path === SETTINGS);
    await patch?.handle({
      params: {},
      query: {},
      body: { answer_audit_default_retention_days: 30 },
      caller: here.manager,
      knownCaller: here.manager,
      header: () => undefined,
      clientKey: () => '192.0.2.1',
      requestId: 'request-2',
    });
    expect(await here.call('GET', SETTINGS, { as: here.manager })).toMatchObject({
      headers: { ETag: '"v2"' },
      body: { answer_audit_default_retention_days: 30, version: 2 },
    });
  });
});
