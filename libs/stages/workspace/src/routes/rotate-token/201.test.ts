import { describe, expect, it } from '@jest/globals';
import { parseUserToken, tokenEndsAt } from '@answer-evidence/access';
import { issuedToken, tokenIssuedCore, tokenList, tokenRevokedCore } from '@answer-evidence/contracts';
import { parseJsonText, parseTimestamp } from '@answer-evidence/encoding';
import { createFakeStage, type FakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

const SECOND = 1_000_000;
const BOT = {
  name: 'bot',
  kind: 'application',
  application_key: 'support-bot',
  scopes: ['answer_audit:create', 'answer_audit:read'],
  expires_in_seconds: 7_200,
};

async function issue(stage: FakeStage, body: object) {
  return issuedToken.parse((await stage.call('POST', '/api/tokens', { as: stage.manager, body })).body);
}

async function rotate(stage: FakeStage, id: string, body?: object) {
  const reply = await stage.call('POST', `/api/tokens/${id}/rotate`, { as: stage.manager, ...(body && { body }) });
  expect(reply.status).toBe(201);
  return issuedToken.parse(reply.body);
}

describe('POST /api/tokens/{token_id}/rotate', () => {
  it('issues a token with the name, application, scopes and life of the old one, which ends at once', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const old = await issue(stage, BOT);
    const next = await rotate(stage, old.id);
    expect(next).toMatchObject({
      name: 'bot',
      kind: 'application',
      application_key: 'support-bot',
      scopes: BOT.scopes,
      revoked_at: null,
    });
    expect(next.id).not.toBe(old.id);
    const lifeSeconds = (parseTimestamp(next.expires_at) - parseTimestamp(next.created_at)) / SECOND;
    expect(lifeSeconds).toBeLessThanOrEqual(7_200);
    expect(lifeSeconds).toBeGreaterThan(7_198);
    expect(await stage.applicationTokens.verify(next.token, stage.clock.nowMicros())).toMatchObject({
      tokenId: next.id,
      scopes: BOT.scopes,
    });
    const [row] = stage.database.rows.tokens;
    expect(row === undefined || tokenEndsAt(row)).toBe(row?.revoked_at);
    expect(row).toMatchObject({ id: old.id, overlap_until: null });
  });

  it('gives a user token a new secret', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const old = await issue(stage, { name: 'laptop', kind: 'user' });
    const next = await rotate(stage, old.id);
    expect(next).toMatchObject({ kind: 'user', user_id: stage.manager.userId, name: 'laptop' });
    expect(parseUserToken(next.token).secret).not.toEqual(parseUserToken(old.token).secret);
  });

  it('appends two entries together, of which each names the other token', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const old = await issue(stage, BOT);
    const commits = stage.database.rows.ledger_commits.length;
    const next = await rotate(stage, old.id, { overlap_seconds: 60 });
    expect(stage.database.rows.ledger_commits).toHaveLength(commits + 1);
    expect(stage.database.rows.ledger_leaves.slice(-2).map(({ type }) => type)).toEqual([
      'token_issued',
      'token_revoked',
    ]);
    const [issued, revoked] = stage.database.rows.workspace_entries
      .slice(-2)
      .map(({ core_json: text }) => parseJsonText(text));
    expect(tokenIssuedCore.parse(issued)).toMatchObject({ token_id: next.id, rotated_from: old.id });
    expect(tokenRevokedCore.parse(revoked)).toMatchObject({
      token_id: old.id,
      replaced_by: next.id,
      overlap_seconds: 60,
      actor: { id: stage.manager.userId },
    });
  });

  it('leaves the old token good for the overlap, which the list shows, and a revocation cuts that short', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const old = await issue(stage, BOT);
    await rotate(stage, old.id, { overlap_seconds: 600 });
    const stateOf = async () => {
      const { items } = tokenList.parse((await stage.call('GET', '/api/tokens', { as: stage.manager })).body);
      return items.find(({ id }) => id === old.id)?.revoked_at ?? '';
    };
    const until = parseTimestamp(await stateOf());
    expect(until).toBe((stage.database.rows.ledger_leaves.at(-1)?.at ?? 0) + 600 * SECOND);
    const row = () => stage.database.rows.tokens.find(({ id }) => id === old.id);
    expect(row()).toMatchObject({
      revoked_at: stage.database.rows.ledger_leaves.at(-1)?.at,
      overlap_until: until,
      cut_at: null,
    });

    expect(await stage.call('DELETE', `/api/tokens/${old.id}`, { as: stage.manager })).toEqual({ status: 204 });
    const cutAt = stage.database.rows.ledger_leaves.at(-1)?.at;
    expect(parseTimestamp(await stateOf())).toBe(cutAt);
    expect(row()).toMatchObject({ overlap_until: until, cut_at: cutAt });
    const size = stage.database.rows.ledger_leaves.length;
    await stage.call('DELETE', `/api/tokens/${old.id}`, { as: stage.manager });
    expect(stage.database.rows.ledger_leaves).toHaveLength(size);
  });

  it('can be done again with the new token, and the name goes along', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const first = await issue(stage, BOT);
    const second = await rotate(stage, first.id, { overlap_seconds: 60 });
    const third = await rotate(stage, second.id, { overlap_seconds: 60 });
    expect(third.name).toBe('bot');
    expect(stage.database.rows.tokens.filter(({ revoked_at: at }) => at === null).map(({ id }) => id)).toEqual([
      third.id,
    ]);
  });
});
