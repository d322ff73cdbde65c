import { describe, expect, it } from '@jest/globals';
import type { AdministrationStore } from '@answer-evidence/ports';
import { createFakeStage } from '@answer-evidence/testing';
import { HASH_KEYS_MAX } from '../../hash-keys/make-hash-key.ts';
import { createWorkspaceStage } from '../../stage.ts';

const HASH_KEYS = '/api/tenant/hash-keys';

/** The store with as many rows more, of which nothing but their number is looked at. */
function withMore(administration: AdministrationStore, more: number): AdministrationStore {
  return {
    ...administration,
    async hashKeys(workspaceId) {
      const keys = await administration.hashKeys(workspaceId);
      return [...keys, ...keys.flatMap((key) => Array.from({ length: more }, () => key))];
    },
  };
}

describe('POST /api/tenant/hash-keys', () => {
  it('answers 409 to one more key than there may be, makes none, and an earlier one can be activated', async () => {
    const { call, database, manager } = createFakeStage((deps) =>
      createWorkspaceStage({ ...deps, administration: withMore(deps.administration, HASH_KEYS_MAX / 2 - 1) }),
    );
    const [first, second, third] = [
      await call('POST', HASH_KEYS, { as: manager }),
      await call('POST', HASH_KEYS, { as: manager }),
      await call('POST', HASH_KEYS, { as: manager }),
    ];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(third).toMatchObject({ status: 409, code: 'limit_reached' });
    expect(database.rows.hash_keys).toHaveLength(2);
    const body = { answer_audit_hash_key_id: database.rows.hash_keys[0]?.id };
    expect(await call('PATCH', '/api/tenant/settings', { as: manager, body })).toMatchObject({ status: 200, body });
  });
});
