import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/tenant/hash-keys', () => {
  it('takes no key bytes from a caller, nor any other field', async () => {
    const { call, database, manager } = createFakeStage(createWorkspaceStage);
    const reply = await call('POST', '/api/tenant/hash-keys', { as: manager, body: { key: '00'.repeat(32) } });
    expect(reply).toMatchObject({ status: 422, code: 'schema_violation' });
    expect(database.rows.hash_keys).toEqual([]);
  });
});
