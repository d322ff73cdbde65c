import { describe, expect, it } from '@jest/globals';
import { parseUserToken } from '@answer-evidence/access';
import { issuedToken, tokenIssuedCore } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { formatBase64Url, formatHex, parseJsonText, parseTimestamp } from '@answer-evidence/encoding';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

const TOKENS = '/api/tokens';
const SECOND = 1_000_000;
const FOR_BOT = {
  name: 'bot',
  kind: 'application',
  application_key: 'support-bot',
  scopes: ['answer_audit:read', 'answer_audit:create', 'answer_audit:read'],
};

describe('POST /api/tokens, kind user', () => {
  it('issues a token that speaks for the caller, of which only the hash of the secret is kept', async () => {
    const { call, database, member } = createFakeStage(createWorkspaceStage);
    const reply = await call('POST', TOKENS, { as: member, body: { name: 'laptop', kind: 'user' } });
    const issued = issuedToken.parse(reply.body);
    expect(reply.status).toBe(201);
    expect(issued).toMatchObject({
      name: 'laptop',
      kind: 'user',
      user_id: member.userId,
      application_key: null,
      scopes: [],
      revoked_at: null,
    });
    const parsed = parseUserToken(issued.token);
    expect(parsed.tokenId).toBe(issued.id);
    const [row] = database.rows.tokens;
    expect(formatHex(row?.secret_hash ?? new Uint8Array())).toBe(formatHex(sha256(parsed.secret)));
    expect(row).toMatchObject({ id: issued.id, user_id: member.userId, created_at: parseTimestamp(issued.created_at) });
  });

  it('appends an entry that names the token and who asked for it, and holds no secret', async () => {
    const { call, database, manager } = createFakeStage(createWorkspaceStage);
    const reply = await call('POST', TOKENS, { as: manager, body: { name: 'laptop', kind: 'user' } });
    const issued = issuedToken.parse(reply.body);
    expect(database.rows.ledger_leaves.at(-1)).toMatchObject({ type: 'token_issued', seq: 0 });
    const text = database.rows.workspace_entries.at(-1)?.core_json ?? '';
    expect(tokenIssuedCore.parse(parseJsonText(text))).toMatchObject({
      token_id: issued.id,
      name: 'laptop',
      actor: { kind: 'user', id: manager.userId, token_id: manager.tokenId },
    });
    const { secret } = parseUserToken(issued.token);
    for (const form of [formatHex(secret), formatBase64Url(secret)]) expect(text).not.toContain(form);
  });

  it('lives for 24 hours unless told otherwise, and as long as told', async () => {
    const { call, manager } = createFakeStage(createWorkspaceStage);
    const lives = await Promise.all(
      [{}, { expires_in_seconds: 60 }, { expires_in_seconds: 90 * 86_400 }].map(async (life, n) => {
        const body = { name: `token ${n}`, kind: 'user', ...life };
        const issued = issuedToken.parse((await call('POST', TOKENS, { as: manager, body })).body);
        return (parseTimestamp(issued.expires_at) - parseTimestamp(issued.created_at)) / SECOND;
      }),
    );
    [86_400, 60, 90 * 86_400].forEach((seconds, n) => {
      expect(lives[n]).toBeLessThanOrEqual(seconds);
      expect(lives[n]).toBeGreaterThan(seconds - 2);
    });
  });
});

describe('POST /api/tokens, kind application', () => {
  it('issues a signed token that says what its row says', async () => {
    const { application, applicationTokens, call, clock, database, manager, workspace } =
      createFakeStage(createWorkspaceStage);
    const reply = await call('POST', TOKENS, { as: manager, body: FOR_BOT });
    const issued = issuedToken.parse(reply.body);
    expect(issued).toMatchObject({
      kind: 'application',
      application_key: application.applicationKey,
      scopes: ['answer_audit:create', 'answer_audit:read'],
      user_id: null,
    });
    expect(database.rows.tokens).toMatchObject([{ id: issued.id, secret_hash: null, application_key: 'support-bot' }]);
    expect(await applicationTokens.verify(issued.token, clock.nowMicros())).toMatchObject({
      tokenId: issued.id,
      workspaceId: workspace.id,
      applicationKey: 'support-bot',
      scopes: issued.scopes,
      expiresAt: parseTimestamp(issued.expires_at),
    });
  });

  it('expires at a whole second, as a JWT can say it', async () => {
    const { call, database, manager } = createFakeStage(createWorkspaceStage);
    await call('POST', TOKENS, { as: manager, body: FOR_BOT });
    expect((database.rows.tokens[0]?.expires_at ?? 1) % SECOND).toBe(0);
  });
});
