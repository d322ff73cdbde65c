import { describe, expect, it } from '@jest/globals';
import { memberWithLink } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('GET /api/members/{member_id}', () => {
  it('shows at its Location the member that was added, with the version and without the password link', async () => {
    const { call, manager } = createFakeStage(createWorkspaceStage);
    const reply = await call('POST', '/api/members', { as: manager, body: { username: 'anna' } });
    const { password_link: link, ...added } = memberWithLink.parse(reply.body);
    const path = String(reply.headers?.Location);
    const shown = await call('GET', path, { as: manager });
    expect(shown).toMatchObject({ status: 200, headers: { ETag: reply.headers?.ETag } });
    expect(shown.body).toEqual(added);
    expect(JSON.stringify(shown)).not.toContain(link?.secret);
  });

  it('shows a removed member as removed', async () => {
    const { call, manager } = createFakeStage(createWorkspaceStage);
    const added = await call('POST', '/api/members', { as: manager, body: { username: 'anna' } });
    const path = String(added.headers?.Location);
    await call('DELETE', path, { as: manager });
    expect(await call('GET', path, { as: manager })).toMatchObject({
      status: 200,
      body: { username: 'anna', removed_at: expect.any(String) },
    });
  });
});
