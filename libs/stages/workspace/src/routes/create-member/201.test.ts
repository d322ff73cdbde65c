import { describe, expect, it } from '@jest/globals';
import { parsePasswordSecret } from '@answer-evidence/access';
import { memberCore, memberWithLink } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { formatHex, parseJsonText, parseTimestamp } from '@answer-evidence/encoding';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/members', () => {
  it('adds a member with a link of which only the hash is kept, and an entry that says so', async () => {
    const { call, database, manager } = createFakeStage(createWorkspaceStage);
    const reply = await call('POST', '/api/members', { as: manager, body: { username: 'anna', role: 'manager' } });
    const made = memberWithLink.parse(reply.body);
    expect(reply).toMatchObject({ status: 201, headers: { ETag: '"m1"' } });
    expect(made).toMatchObject({ username: 'anna', role: 'manager', disabled: false, sign_in: 'link', version: 1 });
    const { secret: text = '', url, expires_at: expiresAt = '' } = made.password_link ?? {};
    expect(url).toBe(`https://acme.example/auth/password#${text}`);
    const hours = (parseTimestamp(expiresAt) - parseTimestamp(made.created_at)) / 3_600_000_000;
    expect(Math.round(hours)).toBe(72);
    const { memberId, secret } = parsePasswordSecret(text);
    expect(memberId).toBe(made.id);
    const [row] = database.rows.member_credentials;
    expect(formatHex(row?.link_hash ?? new Uint8Array())).toBe(formatHex(sha256(secret)));
    const leaf = database.rows.ledger_leaves.at(-1);
    expect(leaf).toMatchObject({ type: 'member_changed', seq: 1, id: row?.entry_id });
    const core = memberCore.parse(parseJsonText(database.rows.workspace_entries.at(-1)?.core_json ?? ''));
    expect(core).toMatchObject({
      member_id: made.id,
      username: 'anna',
      role: 'manager',
      changes: ['added', 'password_link_issued'],
      actor: { kind: 'user', id: manager.userId, token_id: manager.tokenId },
    });
    expect(JSON.stringify(database.rows.workspace_entries)).not.toContain(text);
  });

  it('adds a member, not a manager, unless told otherwise', async () => {
    const { call, manager } = createFakeStage(createWorkspaceStage);
    const reply = await call('POST', '/api/members', { as: manager, body: { username: 'a.b@example.com' } });
    expect(reply.body).toMatchObject({ role: 'member' });
  });
});
