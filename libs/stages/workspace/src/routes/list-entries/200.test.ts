import { describe, expect, it } from '@jest/globals';
import { workspaceEntryList } from '@answer-evidence/contracts';
import { openStage, type StageTest } from '@answer-evidence/testing';
import { addMember, callerOf } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

const ENTRIES = '/api/tenant/entries';
/** What comes before the token: its settings, its member, and the beginning of the log. */
const BEFORE = ['settings_changed', 'member_changed', 'member_changed', 'settings_changed', 'genesis'];

async function open() {
  const stage = await openStage(createWorkspaceStage);
  const { call, manager } = stage;
  const member = callerOf(stage, await addMember(stage, 'max'));
  await call('PATCH', '/api/tenant/settings', { as: manager, body: { answer_audit_default_retention_days: 30 } });
  const token = await call('POST', '/api/tokens', { as: member, body: { name: 'laptop', kind: 'user' } });
  await call('DELETE', `/api/tokens/${(token.body as { id: string }).id}`, { as: manager });
  return { ...stage, member };
}

async function list({ call, manager }: StageTest, query: Readonly<Record<string, string>> = {}) {
  return workspaceEntryList.parse((await call('GET', ENTRIES, { as: manager, query })).body);
}

describe('GET /api/tenant/entries', () => {
  it('shows what was done, newest first, with who did it and where the log says so', async () => {
    const stage = await open();
    const { items, total } = await list(stage);
    expect(items.map(({ type }) => type)).toEqual(['token_revoked', 'token_issued', ...BEFORE]);
    expect(total).toBe(7);
    const [revoked] = items;
    expect(revoked?.actor).toMatchObject({ kind: 'user', id: stage.manager.userId });
    expect(revoked?.ledger.leaf_index).toBe((await stage.rows('ledger_leaves')).length - 1);
    expect(JSON.parse(revoked?.ledger.entry ?? '')).toMatchObject({ type: 'token_revoked', id: revoked?.id });
  });

  it('names the members and the tokens that an entry mentions by their ids', async () => {
    const stage = await open();
    const [revoked] = (await list(stage)).items;
    const { manager } = stage;
    expect(revoked?.names).toContainEqual({ id: manager.userId, kind: 'member', name: manager.username });
    expect(revoked?.names).toContainEqual({ id: revoked?.core['token_id'], kind: 'token', name: 'laptop' });
  });

  it('says what changed of the settings, and from what, and that the first ones had nothing before', async () => {
    const [changed, first] = (await list(await open(), { type: 'settings_changed' })).items;
    expect(changed?.changes).toEqual([{ name: 'answer_audit_default_retention_days', before: 365, after: 30 }]);
    expect(first?.changes).toContainEqual({ name: 'answer_audit_default_retention_days', before: null, after: 365 });
  });

  it('is narrowed by type, by who did it and by time', async () => {
    const stage = await open();
    const typesOf = async (query: Readonly<Record<string, string>>) =>
      (await list(stage, query)).items.map(({ type }) => type);
    expect(await typesOf({ type: 'token_issued' })).toEqual(['token_issued']);
    expect(await typesOf({ actor_id: stage.member.userId })).toEqual(['token_issued']);
    const [, issued] = (await list(stage)).items;
    const at = issued?.created_at ?? '';
    expect(await typesOf({ created_after: at })).toEqual(['token_revoked', 'token_issued']);
    expect(await typesOf({ created_before: at })).toEqual(BEFORE);
  });

  it('goes on by cursor, and refuses the cursor of another filter', async () => {
    const stage = await open();
    const first = await list(stage, { size: '4' });
    const second = await list(stage, { size: '4', cursor: first.next_cursor ?? '' });
    expect([...first.items, ...second.items]).toEqual((await list(stage)).items);
    expect(second.next_cursor).toBeNull();
    const query = { cursor: first.next_cursor ?? '', type: 'token_issued' };
    const refused = await stage.call('GET', ENTRIES, { as: stage.manager, query });
    expect(refused).toMatchObject({ status: 422, code: 'cursor_not_valid' });
  });

  it('never shows the secret of a token', async () => {
    const stage = await openStage(createWorkspaceStage);
    const body = { name: 'laptop', kind: 'user' };
    const issued = (await stage.call('POST', '/api/tokens', { as: stage.manager, body })).body as { token: string };
    expect(JSON.stringify(await list(stage))).not.toContain(issued.token);
  });
});
