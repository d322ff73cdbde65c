import { describe, expect, it } from '@jest/globals';
import { issuedToken, tokenList } from '@answer-evidence/contracts';
import { createFakeStage, type FakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

const TOKENS = '/api/tokens';
const FOR_BOT = { name: 'bot', kind: 'application', application_key: 'bot', scopes: ['answer_audit:read'] };

async function issueThree(stage: FakeStage) {
  const { call, manager, member } = stage;
  const replies = [
    await call('POST', TOKENS, { as: manager, body: { name: 'of the manager', kind: 'user' } }),
    await call('POST', TOKENS, { as: member, body: { name: 'of the member', kind: 'user' } }),
    await call('POST', TOKENS, { as: manager, body: FOR_BOT }),
  ];
  return replies.map(({ body }) => issuedToken.parse(body));
}

describe('GET /api/tokens', () => {
  it('shows a manager every token, as it was issued', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const issued = await issueThree(stage);
    const { items } = tokenList.parse((await stage.call('GET', TOKENS, { as: stage.manager })).body);
    expect(items).toEqual(issued.map(({ token: _, ...summary }) => summary).reverse());
  });

  it('shows a member their own tokens and no others', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    await issueThree(stage);
    const { items } = tokenList.parse((await stage.call('GET', TOKENS, { as: stage.member })).body);
    expect(items.map(({ name }) => name)).toEqual(['of the member']);
  });

  it('never shows a token or the hash of its secret', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const issued = await issueThree(stage);
    const shown = JSON.stringify(await stage.call('GET', TOKENS, { as: stage.manager }));
    for (const { token } of issued) expect(shown).not.toContain(token);
    expect(shown).not.toContain('secret');
  });

  it('shows when a token was revoked', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const [mine] = await issueThree(stage);
    await stage.call('DELETE', `${TOKENS}/${mine?.id}`, { as: stage.manager });
    const { items } = tokenList.parse((await stage.call('GET', TOKENS, { as: stage.manager })).body);
    const revoked = items.filter((item) => item.revoked_at !== null);
    expect(revoked.map(({ id }) => id)).toEqual([mine?.id]);
  });
});
