import { describe, expect, it } from '@jest/globals';
import { formatBase64, formatHex } from '@answer-evidence/encoding';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

const HASH_KEYS = '/api/tenant/hash-keys';

describe('GET /api/tenant/hash-keys', () => {
  it('is empty before a key was made', async () => {
    const { call, manager } = createFakeStage(createWorkspaceStage);
    expect(await call('GET', HASH_KEYS, { as: manager })).toEqual({ status: 200, body: { items: [] } });
  });

  it('marks exactly the active key', async () => {
    const { call, database, manager } = createFakeStage(createWorkspaceStage);
    await call('POST', HASH_KEYS, { as: manager });
    await call('POST', HASH_KEYS, { as: manager });
    expect(await call('GET', HASH_KEYS, { as: manager })).toMatchObject({
      body: {
        items: [
          { id: database.rows.hash_keys[0]?.id, active: false },
          { id: database.rows.hash_keys[1]?.id, active: true },
        ],
      },
    });
  });

  it('never shows a key, open or wrapped', async () => {
    const { call, database, manager, workspace } = createFakeStage(createWorkspaceStage);
    const created = await call('POST', HASH_KEYS, { as: manager });
    const listed = await call('GET', HASH_KEYS, { as: manager });
    const shown = JSON.stringify([created, listed]);
    const [row] = database.rows.hash_keys;
    const wrapped = row?.wrapped_key ?? new Uint8Array();
    for (const secret of [wrapped, workspace.vault.openHashKey(row?.id ?? '', wrapped)]) {
      expect(shown).not.toContain(formatHex(secret));
      expect(shown).not.toContain(formatBase64(secret));
    }
  });
});
