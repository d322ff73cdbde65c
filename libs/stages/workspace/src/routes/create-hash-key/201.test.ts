import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

const HASH_KEYS = '/api/tenant/hash-keys';

describe('POST /api/tenant/hash-keys', () => {
  it('makes a key and activates it, without switching keyed hashing on', async () => {
    const { call, database, manager } = createFakeStage(createWorkspaceStage);
    const reply = await call('POST', HASH_KEYS, { as: manager });
    const [key] = database.rows.hash_keys;
    expect(key?.id).toMatch(/^hk_[0-9a-f]{32}$/);
    expect(reply).toMatchObject({ status: 201, body: { id: key?.id, active: true } });
    expect(database.settings()).toMatchObject({
      version: 2,
      values: { answer_audit_hash_key_id: key?.id, answer_audit_keyed_hash_enabled: false },
    });
    expect(database.rows.ledger_leaves.slice(-2).map(({ type }) => type)).toEqual([
      'hash_key_changed',
      'settings_changed',
    ]);
  });

  it('makes another key each time, and each is listed with the time that its answer gave', async () => {
    const { call, manager } = createFakeStage(createWorkspaceStage);
    const first = await call('POST', HASH_KEYS, { as: manager, body: {} });
    const second = await call('POST', HASH_KEYS, { as: manager, body: {} });
    expect(await call('GET', HASH_KEYS, { as: manager })).toMatchObject({
      body: { items: [{ ...(first.body as object), active: false }, second.body] },
    });
  });

  it('activates its key on top of what another process changed in between', async () => {
    const { call, database, manager, otherLedger, ...deps } = createFakeStage(createWorkspaceStage);
    await call('POST', HASH_KEYS, { as: manager });
    const elsewhere = createWorkspaceStage({ ...deps, ledger: otherLedger });
    const create = elsewhere.routes.find(({ operationId }) => operationId === 'createHashKey');
    const request = {
      params: {},
      query: {},
      body: {},
      caller: manager,
      knownCaller: manager,
      header: () => undefined,
      clientKey: () => '192.0.2.1',
      requestId: 'r',
    };
    await create?.handle(request);
    await call('POST', HASH_KEYS, { as: manager });
    expect(database.rows.hash_keys).toHaveLength(3);
    expect(database.settings()).toMatchObject({
      version: 4,
      values: { answer_audit_hash_key_id: database.rows.hash_keys[2]?.id },
    });
  });
});
