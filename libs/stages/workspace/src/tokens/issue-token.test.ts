import { describe, expect, it } from '@jest/globals';
import { parseUserToken } from '@answer-evidence/access';
import type { Actor } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import { createFakeWorkspace } from '@answer-evidence/testing';
import { issueUserToken } from './issue-token.ts';

const OPERATOR: Actor = { kind: 'service', id: 'operator', token_id: null };

describe('issueUserToken', () => {
  it('issues a token for a user in the name of the service itself', async () => {
    const deps = createFakeWorkspace();
    const user = { id: deps.manager.userId };
    const issued = await issueUserToken(deps, deps.workspace.id, user, 'first start', 3600, OPERATOR);
    expect(parseUserToken(issued.token).tokenId).toBe(issued.id);
    expect(deps.database.rows.tokens).toMatchObject([{ id: issued.id, user_id: deps.manager.userId }]);
    expect(deps.database.rows.workspace_entries.at(-1)?.core_json).toContain('"id":"operator","kind":"service"');
  });

  it('never issues two tokens with one id or one secret', async () => {
    const deps = createFakeWorkspace();
    const user = { id: deps.manager.userId };
    const issued = await Promise.all(
      ['a', 'b', 'c'].map((name) => issueUserToken(deps, deps.workspace.id, user, name, 3600, OPERATOR)),
    );
    const secrets = issued.map(({ token }) => formatHex(parseUserToken(token).secret));
    expect(new Set(issued.map(({ id }) => id)).size).toBe(3);
    expect(new Set(secrets).size).toBe(3);
  });

  it.each([0, -1, 1.5, Number.NaN, 90 * 86_400 + 1])('refuses a life of %p seconds', async (lifeSeconds) => {
    const deps = createFakeWorkspace();
    const user = { id: deps.manager.userId };
    await expect(
      issueUserToken(deps, deps.workspace.id, user, 'too long', lifeSeconds, OPERATOR),
    ).rejects.toMatchObject({ code: 'schema_violation' });
    expect(deps.database.rows.tokens).toEqual([]);
  });
});
