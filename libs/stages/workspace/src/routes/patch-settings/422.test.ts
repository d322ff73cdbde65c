import { describe, expect, it } from '@jest/globals';
import type { SettingsValues } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

async function refuse(body: object, settings: Partial<SettingsValues> = {}) {
  const { call, database, manager } = createFakeStage(createWorkspaceStage, settings);
  const before = database.rows.ledger_leaves.length;
  const reply = await call('PATCH', '/api/tenant/settings', { as: manager, body });
  expect(reply).toMatchObject({ status: 422 });
  expect(database.rows.ledger_leaves).toHaveLength(before);
  expect(database.rows.hash_keys).toEqual([]);
  return reply;
}

describe('PATCH /api/tenant/settings', () => {
  it.each([0, 3651, 1.5, '30', null])('refuses %p days of retention', async (days) => {
    const reply = await refuse({ answer_audit_default_retention_days: days });
    expect(reply).toMatchObject({
      code: 'schema_violation',
      errors: [{ pointer: '/answer_audit_default_retention_days' }],
    });
  });

  it('refuses a field that it does not know', async () => {
    expect(await refuse({ answer_audit_store_text: true })).toMatchObject({ code: 'schema_violation' });
  });

  it('refuses a hash key that does not exist, and with it the rest of the patch', async () => {
    const body = { answer_audit_default_retention_days: 30, answer_audit_hash_key_id: 'hk_none' };
    expect(await refuse(body)).toMatchObject({
      code: 'hash_key_not_found',
      errors: [{ pointer: '/answer_audit_hash_key_id' }],
    });
  });

  it('refuses to take away both text and hash', async () => {
    expect(await refuse({ answer_audit_accept_text: false })).toMatchObject({
      code: 'settings_unusable',
      errors: [{ pointer: '/answer_audit_accept_text' }],
    });
  });

  it('refuses keyed hashing where only hashes are accepted, and makes no key', async () => {
    const hashOnly = { answer_audit_accept_text: false, answer_audit_accept_caller_hash: true };
    expect(await refuse({ answer_audit_keyed_hash_enabled: true }, hashOnly)).toMatchObject({
      code: 'settings_unusable',
      errors: [{ pointer: '/answer_audit_keyed_hash_enabled' }],
    });
  });
});
