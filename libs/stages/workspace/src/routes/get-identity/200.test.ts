import { describe, expect, it } from '@jest/globals';
import { formatTimestamp } from '@answer-evidence/encoding';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('GET /api/whoami', () => {
  it('tells a user who they are, in which role and workspace', async () => {
    const { call, member, workspace } = createFakeStage(createWorkspaceStage);
    expect(await call('GET', '/api/whoami', { as: member })).toEqual({
      status: 200,
      body: {
        kind: 'user',
        id: member.userId,
        token_id: member.tokenId,
        username: 'max',
        role: 'member',
        access: { role: 'member', applications: null, environments: null },
        application_key: null,
        scopes: [],
        expires_at: formatTimestamp(member.expiresAt),
        workspace: { id: workspace.id, slug: 'acme', display_name: 'Acme' },
      },
    });
  });

  it('tells an application what it is bound to, with no scope needed to ask', async () => {
    const { application, call } = createFakeStage(createWorkspaceStage);
    expect(await call('GET', '/api/whoami', { as: application })).toMatchObject({
      body: {
        kind: 'application',
        id: 'support-bot',
        application_key: 'support-bot',
        username: null,
        role: null,
        scopes: ['answer_audit:create', 'answer_audit:read'],
      },
    });
    expect(await call('GET', '/api/whoami', { as: { ...application, scopes: [] } })).toMatchObject({ status: 200 });
  });
});
