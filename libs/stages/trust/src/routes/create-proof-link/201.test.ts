import { describe, expect, it } from '@jest/globals';
import { allowLinks, makeLink } from '../../fixtures/proof-links.ts';
import { createRecord, openTrust } from '../../fixtures/trust.ts';

describe('POST /api/answer-audit-logs/{answer_log_id}/proof-links', () => {
  it('makes a link of 30 days whose secret stands behind the # of its URL and in no entry', async () => {
    const stage = await openTrust();
    await allowLinks(stage);
    const { id } = await createRecord(stage);
    const link = await makeLink(stage, id);
    expect(link).toMatchObject({ answer_log_id: id, shows: 'record', revoked_at: null, opened_at: null });
    expect(Date.parse(link.expires_at) - Date.parse(link.created_at)).toBeGreaterThan(29.9 * 86_400_000);
    expect(link.url).toBe(`https://${stage.workspace.slug}.example/proof/#${link.token}`);
    const kept = JSON.stringify(await stage.rows('workspace_entries'));
    expect(kept).toContain(link.id);
    expect(kept).not.toContain(link.token);
  });

  it('lets an application make one of its own record, to hand out with the answer', async () => {
    const stage = await openTrust();
    await allowLinks(stage);
    const { id } = await createRecord(stage);
    const as = { ...stage.application, scopes: ['answer_audit:read'] as const };
    const path = `/api/answer-audit-logs/${id}/proof-links`;
    expect(await stage.call('POST', path, { as, body: {} })).toMatchObject({ status: 201 });
  });
});
