import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

const SETTINGS = '/api/tenant/settings';
const body = { answer_audit_keyed_hash_enabled: true };

describe('PATCH /api/tenant/settings', () => {
  it('answers 503 when the ledger is not writable, and leaves no key behind', async () => {
    const { call, database, ledger, manager } = createFakeStage(createWorkspaceStage);
    ledger.failNext({ error: new ServiceError('ledger_unavailable', 'not writable at the moment'), kept: false });
    expect(await call('PATCH', SETTINGS, { as: manager, body })).toMatchObject({ status: 503 });
    expect(database.rows.hash_keys).toEqual([]);
    expect(database.settings().version).toBe(1);
  });

  it('changes nothing more when a change that was kept is sent again', async () => {
    const { call, database, ledger, manager } = createFakeStage(createWorkspaceStage);
    ledger.failNext({ error: new ServiceError('receipt_unavailable', 'not signed yet'), kept: true });
    expect(await call('PATCH', SETTINGS, { as: manager, body })).toMatchObject({ status: 503 });
    expect(await call('PATCH', SETTINGS, { as: manager, body })).toMatchObject({ status: 200, body: { version: 2 } });
    expect(database.rows.hash_keys).toHaveLength(1);
  });
});
