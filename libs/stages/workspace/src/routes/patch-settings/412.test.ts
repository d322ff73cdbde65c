import { describe, expect, it } from '@jest/globals';
import { createFakeStage, createRouteCaller } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

const SETTINGS = '/api/tenant/settings';
const body = { answer_audit_default_retention_days: 30 };

describe('PATCH /api/tenant/settings', () => {
  it.each(['"v2"', 'W/"v1"', 'v1', '"v"', '"v1', ''])('answers 412 to If-Match: %s at version 1', async (ifMatch) => {
    const { call, database, manager } = createFakeStage(createWorkspaceStage);
    const before = database.rows.ledger_leaves.length;
    const reply = await call('PATCH', SETTINGS, { as: manager, body, headers: { 'if-match': ifMatch } });
    expect(reply).toMatchObject({ status: 412, code: 'precondition_failed' });
    expect(database.rows.ledger_leaves).toHaveLength(before);
  });

  it('answers 412 to a tag that another process has made stale', async () => {
    const here = createFakeStage(createWorkspaceStage);
    await here.call('PATCH', SETTINGS, { as: here.manager, body: {} });
    const elsewhere = createRouteCaller(createWorkspaceStage({ ...here, ledger: here.otherLedger }).routes);
    await elsewhere('PATCH', SETTINGS, { as: here.manager, body: { answer_audit_store_answer_text: false } });
    const reply = await here.call('PATCH', SETTINGS, { as: here.manager, body, headers: { 'if-match': '"v1"' } });
    expect(reply).toMatchObject({ status: 412, code: 'precondition_failed' });
    expect(here.database.settings().version).toBe(2);
  });

  it('answers 412 also when the patch would change nothing', async () => {
    const { call, manager } = createFakeStage(createWorkspaceStage);
    const reply = await call('PATCH', SETTINGS, { as: manager, body: {}, headers: { 'if-match': '"v7"' } });
    expect(reply).toMatchObject({ status: 412 });
  });
});
