import { describe, expect, it } from '@jest/globals';
import { openPostgresWorkspace } from '@answer-evidence/testing';
import { allowLinks, makeLink, openLink } from '../../fixtures/proof-links.ts';
import { appendEvent, createRecord, createTrustTest, openTrust } from '../../fixtures/trust.ts';

async function stageWithLink(body: object = {}, more: Parameters<typeof openTrust>[0] = {}) {
  const stage = await openTrust(more);
  await allowLinks(stage);
  const { id } = await createRecord(stage);
  return { stage, id, link: await makeLink(stage, id, body) };
}

describe('POST /api/proof-links/open', () => {
  it('answers 404 to a token that the workspace never gave out, in whatever way', async () => {
    const { stage, link } = await stageWithLink();
    const elsewhere = createTrustTest(await openPostgresWorkspace());
    await allowLinks(elsewhere);
    const { token: foreign } = await makeLink(elsewhere, (await createRecord(elsewhere)).id);
    await elsewhere.close();
    const last = link.token.endsWith('A') ? 'B' : 'A';
    const [head, tail] = [link.token.slice(0, 30), link.token.slice(31)];
    const altered = head + (link.token[30] === 'x' ? 'y' : 'x') + tail;
    for (const token of ['x', 'ael_', foreign, altered, link.token.slice(0, -1) + last, `${link.token}A`, link.id])
      expect(await openLink(stage, token)).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('answers 404 on the host of another workspace', async () => {
    const { stage, link } = await stageWithLink(
      {},
      {
        workspaceOfHost: (host = '') => Promise.resolve({ slug: host.replace('.example', '') }),
      },
    );
    expect(await openLink(stage, link.token, { host: `${stage.workspace.slug}.example` })).toMatchObject({
      status: 200,
    });
    expect(await openLink(stage, link.token, { host: 'other.example' })).toMatchObject({ status: 404 });
  });

  it('answers 410 once the link was revoked, and revoking again changes nothing', async () => {
    const { stage, id, link } = await stageWithLink();
    const path = `/api/answer-audit-logs/${id}/proof-links/${link.id}`;
    for (let n = 0; n < 2; n++)
      expect(await stage.call('DELETE', path, { as: stage.manager })).toMatchObject({ status: 204 });
    expect(await openLink(stage, link.token)).toMatchObject({ status: 410, code: 'proof_link_revoked' });
    expect((await stage.rows('workspace_entries')).filter(({ type }) => type === 'proof_link_revoked')).toHaveLength(1);
  });

  it('answers 410 once the link has expired', async () => {
    const { stage, link } = await stageWithLink({ expires_in_seconds: 60 });
    stage.clock.advance(61_000_000);
    expect(await openLink(stage, link.token)).toMatchObject({ status: 410, code: 'proof_link_expired' });
  });

  it('answers 410 once the record was redacted, with nothing of it', async () => {
    const { stage, id, link } = await stageWithLink();
    await appendEvent(stage, id, { event_type: 'redacted' });
    expect(await openLink(stage, link.token)).toMatchObject({ status: 410, code: 'gone_redacted' });
    expect((await stage.rows('workspace_entries')).some(({ type }) => type === 'proof_link_opened')).toBe(false);
  });

  it('answers 410 once the workspace shows no records by links any more', async () => {
    const { stage, link } = await stageWithLink();
    await allowLinks(stage, false);
    expect(await openLink(stage, link.token)).toMatchObject({ status: 410, code: 'proof_link_revoked' });
  });

  it('opens nothing whose entry was altered in the database', async () => {
    const { stage, link } = await stageWithLink({ expires_in_seconds: 60 });
    const later = `regexp_replace(core_json, '"expires_at":"\\d{4}', '"expires_at":"2999')`;
    const change = `update answer_evidence.workspace_entries set core_json = ${later} where id = $1`;
    expect(await stage.superuser.query(change, [link.id])).toMatchObject({ rowCount: 1 });
    stage.clock.advance(61_000_000);
    const reply = await openLink(stage, link.token).catch((error: unknown) => error);
    expect(reply).not.toMatchObject({ status: 200 });
  });
});
