import { describe, expect, it } from '@jest/globals';
import { DEFAULT_TRUST_POLICY, trustPolicyCore } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { openTrust, putPolicy } from '../../fixtures/trust.ts';

const LOCK = {
  id: 'lock',
  type: 'object-lock' as const,
  url: 'https://s3.example',
  bucket: 'evidence',
  region: 'us-east-1',
  prefix: '',
  retention_days: 30,
  access_key_id: 'key',
  required: false,
};

describe('PUT /api/trust/policy', () => {
  it('keeps the whole policy as an entry of the log, and says what holds now', async () => {
    const stage = await openTrust();
    const body = { ...DEFAULT_TRUST_POLICY, anchor_interval_seconds: 60, public_log: true };
    const before = (await stage.logs.snapshot(stage.workspace.id)).head.tree_size;
    const reply = await stage.call('PUT', '/api/trust/policy', { as: stage.manager, body });
    expect(reply).toMatchObject({ status: 200, headers: { ETag: '"t1"' }, body: { ...body, version: 1 } });
    const shown = await stage.call('GET', '/api/trust/policy', { as: stage.manager });
    expect(shown.body).toEqual(reply.body);
    const entries = await stage.logs.workspaceEntries(stage.workspace.id, 'trust_policy_changed');
    expect(entries.map(({ seq }) => seq)).toEqual([1]);
    const core = trustPolicyCore.parse(parseJsonText(entries[0]?.core_json ?? ''));
    expect(core).toMatchObject({ version: 1, policy: body, actor: { kind: 'user', id: stage.manager.userId } });
    expect((await stage.logs.snapshot(stage.workspace.id)).head.tree_size).toBe(before + 1);
  });

  it('takes back what GET has shown, and then changes nothing', async () => {
    const stage = await openTrust();
    await putPolicy(stage, { anchor_interval_seconds: 60 });
    const { body } = await stage.call('GET', '/api/trust/policy', { as: stage.manager });
    const before = (await stage.logs.snapshot(stage.workspace.id)).head.tree_size;
    const headers = { 'if-match': '"t1"' };
    const again = await stage.call('PUT', '/api/trust/policy', { as: stage.manager, body, headers });
    expect(again).toMatchObject({ status: 200, body });
    expect((await stage.logs.snapshot(stage.workspace.id)).head.tree_size).toBe(before);
  });

  it('lets changes that are made at once follow each other, each whole', async () => {
    const stage = await openTrust();
    const seconds = [60, 70, 80, 90];
    await Promise.all(seconds.map((value) => putPolicy(stage, { anchor_interval_seconds: value })));
    const policy = await stage.trust.policy(stage.workspace.id);
    expect(policy.version).toBe(4);
    expect(seconds).toContain(policy.values.anchor_interval_seconds);
  });
});

describe('PUT /api/trust/policy with secrets', () => {
  it('keeps a secret sealed, until another one comes for that anchor', async () => {
    const stage = await openTrust();
    await putPolicy(stage, { anchors: [{ ...LOCK, secret_access_key: 'first secret' }] });
    await putPolicy(stage, { anchors: [{ ...LOCK, retention_days: 60 }] });
    expect(await stage.rows('anchor_secrets')).toHaveLength(1);
    const [kept] = await stage.rows('anchor_secrets');
    const key = stage.workspace.vault.openObjectKey(kept?.object_id ?? '', kept?.wrapped_key ?? new Uint8Array());
    expect(key.open('anchor-secret/lock', kept?.secret ?? new Uint8Array())).toBe('first secret');
    await putPolicy(stage, { anchors: [{ ...LOCK, retention_days: 60, secret_access_key: 'second secret' }] });
    expect(await stage.trust.policy(stage.workspace.id)).toMatchObject({ version: 3 });
    expect((await stage.rows('anchor_secrets'))[0]).not.toEqual(kept);
  });
});
