import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { addMember, PASSWORD } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/auth/password', () => {
  it('sets the password, says whose it is, and keeps nothing but a hash that names its entry', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const { id, password_link: link } = await addMember(stage, 'anna', 'manager');
    const reply = await stage.call('POST', '/api/auth/password', {
      body: { secret: link?.secret, password: PASSWORD },
    });
    expect(reply).toMatchObject({
      status: 200,
      body: { username: 'anna', tenant_slug: 'acme', tenant_display_name: 'Acme', role: 'manager' },
    });
    const leaf = stage.database.rows.ledger_leaves.at(-1);
    expect(stage.database.rows.member_credentials).toMatchObject([
      { member_id: id, entry_id: leaf?.id, password_hash: `fake:${PASSWORD}`, link_hash: null, link_expires_at: null },
    ]);
    const text = stage.database.rows.workspace_entries.at(-1)?.core_json ?? '';
    expect(text).toContain('"changes":["password_set"]');
    expect(text).not.toContain(PASSWORD);
  });
});
