import { describe, expect, it } from '@jest/globals';
import { hashKeyCore, settingsCore, tenantSettings } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { createFakeStage, createRouteCaller, type FakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

const SETTINGS = '/api/tenant/settings';

function patch(stage: FakeStage, body: object, ifMatch?: string) {
  return stage.call('PATCH', SETTINGS, {
    as: stage.manager,
    body,
    ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
  });
}

function callElsewhere(stage: FakeStage) {
  return createRouteCaller(createWorkspaceStage({ ...stage, ledger: stage.otherLedger }).routes);
}

describe('PATCH /api/tenant/settings', () => {
  it('changes what is named, leaves the rest, and answers what a read then shows', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const before = tenantSettings.parse((await stage.call('GET', SETTINGS, { as: stage.manager })).body);
    const reply = await patch(stage, { answer_audit_store_answer_text: false });
    expect(reply).toMatchObject({ status: 200, headers: { ETag: '"v2"' } });
    const after = tenantSettings.parse(reply.body);
    expect(after).toEqual({
      ...before,
      answer_audit_store_answer_text: false,
      version: 2,
      updated_at: after.updated_at,
    });
    expect(after.updated_at > before.updated_at).toBe(true);
    expect(await stage.call('GET', SETTINGS, { as: stage.manager })).toEqual(reply);
  });

  it('appends one entry that holds the whole policy and who changed it', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const before = stage.database.rows.ledger_leaves.length;
    await patch(stage, { answer_audit_default_retention_days: 30 });
    expect(stage.database.rows.ledger_leaves).toHaveLength(before + 1);
    expect(stage.database.rows.ledger_leaves.at(-1)).toMatchObject({
      type: 'settings_changed',
      subject: stage.workspace.id,
      seq: 2,
    });
    const core = settingsCore.parse(parseJsonText(stage.database.rows.workspace_entries.at(-1)?.core_json ?? ''));
    expect(core).toMatchObject({
      version: 2,
      settings: { answer_audit_default_retention_days: 30, answer_audit_accept_text: true },
      actor: { kind: 'user', id: stage.manager.userId, token_id: stage.manager.tokenId },
    });
  });

  it('states a later setting in the core only while it differs from its default, and always shows it', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const stored = () => parseJsonText(stage.database.rows.workspace_entries.at(-1)?.core_json ?? '');
    await stage.call('POST', '/api/tenant/hash-keys', { as: stage.manager });
    const before = stored();
    expect(await patch(stage, { answer_audit_otlp_hash_user_ids: true })).toMatchObject({
      body: { answer_audit_otlp_hash_user_ids: true },
    });
    expect(stored()).toMatchObject({ settings: { answer_audit_otlp_hash_user_ids: true } });
    expect(await patch(stage, { answer_audit_otlp_hash_user_ids: false })).toMatchObject({
      body: { answer_audit_otlp_hash_user_ids: false, version: 4 },
    });
    expect(stored()).toHaveProperty('settings', Object(before).settings);
  });

  it('takes rules for OTLP, of an application that has sent nothing, too; the same again changes nothing', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const exclude = [{ attributes: [{ name: '__proto__', value: 'constructor' }] }, { scope_name: 'a.*' }];
    const body = { answer_audit_otlp_rules: [{ application_key: 'never-seen', exclude }] };
    const stored = [{ application_key: 'never-seen', answers: 'all', include: [], exclude }];
    expect(await patch(stage, body)).toMatchObject({ body: { answer_audit_otlp_rules: stored, version: 2 } });
    expect(await patch(stage, body)).toMatchObject({ status: 200, body: { version: 2 } });
    const conflicts = await Promise.all([1, 2].map(() => patch(stage, { answer_audit_otlp_rules: [], version: 2 })));
    expect(conflicts.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(stage.database.rows.workspace_entries.at(-1)?.core_json).not.toContain('otlp_rules');
  });

  it('makes a hash key for the ids of people where there is none', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const { body } = await patch(stage, { answer_audit_otlp_hash_user_ids: true });
    const [key] = stage.database.rows.hash_keys;
    expect(body).toMatchObject({ answer_audit_hash_key_id: key?.id, answer_audit_keyed_hash_enabled: false });
  });

  it('goes on under a current If-Match, a list with it, a star, and a current version', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    expect(await patch(stage, { answer_audit_default_retention_days: 1 }, '"v1"')).toMatchObject({ status: 200 });
    expect(await patch(stage, { answer_audit_default_retention_days: 2 }, '"v9", "v2"')).toMatchObject({ status: 200 });
    expect(await patch(stage, { answer_audit_default_retention_days: 3 }, '*')).toMatchObject({ status: 200 });
    expect(await patch(stage, { answer_audit_default_retention_days: 4, version: 4 })).toMatchObject({
      status: 200,
      body: { version: 5 },
    });
  });

  it.each([{}, { version: 1 }, { answer_audit_accept_text: true }, { answer_audit_default_retention_days: 365 }])(
    'appends nothing for %j, which changes nothing, and shows the policy',
    async (body) => {
      const stage = createFakeStage(createWorkspaceStage);
      const before = stage.database.rows.ledger_leaves.length;
      const shown = await stage.call('GET', SETTINGS, { as: stage.manager });
      expect(await patch(stage, body)).toEqual(shown);
      expect(stage.database.rows.ledger_leaves).toHaveLength(before);
    },
  );

  it('says "nothing to change" of the settings in force, not of one that this process remembers', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    await patch(stage, {});
    const elsewhere = callElsewhere(stage);
    await elsewhere('PATCH', SETTINGS, { as: stage.manager, body: { answer_audit_accept_caller_hash: true } });
    expect(await patch(stage, { answer_audit_accept_caller_hash: false })).toMatchObject({
      status: 200,
      body: { answer_audit_accept_caller_hash: false, version: 3 },
    });
  });

  it('keeps what another process changed in between', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    await patch(stage, {});
    const elsewhere = callElsewhere(stage);
    await elsewhere('PATCH', SETTINGS, { as: stage.manager, body: { answer_audit_store_answer_text: false } });
    expect(await patch(stage, { answer_audit_store_question_text: false })).toMatchObject({
      status: 200,
      body: { answer_audit_store_answer_text: false, answer_audit_store_question_text: false, version: 3 },
    });
  });

  it('judges If-Match by the settings in force, also when this process remembers an older one', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    await patch(stage, {});
    const elsewhere = callElsewhere(stage);
    await elsewhere('PATCH', SETTINGS, { as: stage.manager, body: { answer_audit_store_answer_text: false } });
    expect(await patch(stage, { answer_audit_default_retention_days: 7, version: 2 }, '"v2"')).toMatchObject({
      status: 200,
      body: { version: 3 },
    });
  });
});

describe('PATCH /api/tenant/settings, keyed hashing', () => {
  it('makes a key when keyed hashing is switched on without one, in the same append and before the policy', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const reply = await patch(stage, { answer_audit_keyed_hash_enabled: true });
    const [key] = stage.database.rows.hash_keys;
    expect(key?.id).toMatch(/^hk_[0-9a-f]{32}$/);
    expect(reply).toMatchObject({
      status: 200,
      body: { answer_audit_keyed_hash_enabled: true, answer_audit_hash_key_id: key?.id, version: 2 },
    });
    expect(stage.database.rows.ledger_leaves.slice(-2).map(({ type }) => type)).toEqual([
      'hash_key_changed',
      'settings_changed',
    ]);
    expect(stage.database.rows.ledger_commits.at(-1)).toMatchObject({ from_size: 2, tree_size: 4 });
    const core = hashKeyCore.parse(parseJsonText(stage.database.rows.workspace_entries.at(-2)?.core_json ?? ''));
    const bytes = stage.workspace.vault.openHashKey(key?.id ?? '', key?.wrapped_key ?? new Uint8Array());
    expect(core).toMatchObject({
      hash_key_id: key?.id,
      fingerprint: stage.workspace.vault.fingerprintOfHashKey(bytes),
    });
  });

  it('makes no second key when there is one', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    await patch(stage, { answer_audit_keyed_hash_enabled: true });
    await patch(stage, { answer_audit_keyed_hash_enabled: false });
    await patch(stage, { answer_audit_keyed_hash_enabled: true });
    expect(stage.database.rows.hash_keys).toHaveLength(1);
  });

  it('activates an older key that the patch names', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    await stage.call('POST', '/api/tenant/hash-keys', { as: stage.manager });
    await stage.call('POST', '/api/tenant/hash-keys', { as: stage.manager });
    const oldest = stage.database.rows.hash_keys[0]?.id;
    expect(await patch(stage, { answer_audit_hash_key_id: oldest })).toMatchObject({
      status: 200,
      body: { answer_audit_hash_key_id: oldest, answer_audit_keyed_hash_enabled: false },
    });
  });
});
