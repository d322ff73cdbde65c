import { describe, expect, it } from '@jest/globals';
import { hashNamedId } from '@answer-evidence/commitments';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

const PATH = '/api/tenant/id-hashes';

describe('POST /api/tenant/id-hashes', () => {
  it('hashes an id under each key, and says which one is active', async () => {
    const { call, database, manager, workspace } = createFakeStage(createWorkspaceStage);
    await call('POST', '/api/tenant/hash-keys', { as: manager });
    await call('POST', '/api/tenant/hash-keys', { as: manager });
    const before = structuredClone(database.rows);
    for (const kind of ['actor', 'session'] as const) {
      const reply = await call('POST', PATH, { as: manager, body: { kind, id: 'anna@example.com' } });
      const items = database.rows.hash_keys.map(({ id, wrapped_key: wrapped }, n) => {
        const hash = hashNamedId(workspace.vault.openHashKey(id, wrapped), kind, 'anna@example.com');
        return { hash_key_id: id, active: n === 1, hash };
      });
      expect(reply).toMatchObject({ status: 200, body: { items } });
    }
    expect(database.rows).toEqual(before);
  });

  it('has nothing to say where no key was ever made', async () => {
    const { call, manager } = createFakeStage(createWorkspaceStage);
    const reply = await call('POST', PATH, { as: manager, body: { kind: 'actor', id: 'anna' } });
    expect(reply).toMatchObject({ status: 200, body: { items: [] } });
  });

  it.each([
    ['kind', { kind: 'team', id: 'anna' }],
    ['id', { kind: 'actor', id: '' }],
    ['id', { kind: 'actor', id: 'x'.repeat(1_025) }],
    ['id', { kind: 'actor', id: 42 }],
  ])('refuses another %s, and repeats none of it', async (field, body) => {
    const { call, manager } = createFakeStage(createWorkspaceStage);
    const refused = await call('POST', PATH, { as: manager, body });
    expect(refused).toMatchObject({ status: 422, errors: [{ pointer: `/${field}` }] });
    expect(JSON.stringify(refused)).not.toMatch(/team|xxx|42"/);
  });
});
