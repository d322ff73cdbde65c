import { describe, expect, it } from '@jest/globals';
import { PROOF_LINKS_MAX } from '@answer-evidence/contracts';
import { allowLinks, makeLink } from '../../fixtures/proof-links.ts';
import { appendEvent, createRecord, NO_ID, openTrust } from '../../fixtures/trust.ts';

const pathOf = (id: string) => `/api/answer-audit-logs/${id}/proof-links`;

describe('links to a record', () => {
  it('are refused with 422 until the workspace shows records by links', async () => {
    const stage = await openTrust();
    const { id } = await createRecord(stage);
    const reply = await stage.call('POST', pathOf(id), { as: stage.manager, body: {} });
    expect(reply).toMatchObject({ status: 422, code: 'proof_links_off' });
  });

  it('are refused with 410 of a redacted record, and with 409 where there are as many as there may be', async () => {
    const stage = await openTrust();
    await allowLinks(stage);
    const [full, redacted] = [await createRecord(stage), await createRecord(stage)];
    for (let n = 0; n < PROOF_LINKS_MAX; n++) await makeLink(stage, full.id);
    expect(await stage.call('POST', pathOf(full.id), { as: stage.manager, body: {} })).toMatchObject({
      status: 409,
      code: 'limit_reached',
    });
    await appendEvent(stage, redacted.id, { event_type: 'redacted' });
    expect(await stage.call('POST', pathOf(redacted.id), { as: stage.manager, body: {} })).toMatchObject({
      status: 410,
      code: 'gone_redacted',
    });
  });

  it('are refused with 404 of a record that is not there, and with 403 of another application', async () => {
    const stage = await openTrust();
    await allowLinks(stage);
    const other = await createRecord(stage, { application_key: 'other-bot' });
    const as = { ...stage.application, scopes: ['answer_audit:read'] as const };
    for (const method of ['POST', 'GET'] as const) {
      const body = method === 'POST' ? { body: {} } : {};
      expect(await stage.call(method, pathOf(NO_ID), { as: stage.manager, ...body })).toMatchObject({ status: 404 });
      expect(await stage.call(method, pathOf(other.id), { as, ...body })).toMatchObject({ status: 403 });
    }
    expect(await stage.call('DELETE', `${pathOf(other.id)}/${NO_ID}`, { as: stage.manager })).toMatchObject({
      status: 404,
    });
  });

  it.each([{ shows: 'all' }, { expires_in_seconds: 59 }, { expires_in_seconds: 90 * 86_400 + 1 }, { extra: 1 }])(
    'are refused with 422 when asked for with %j',
    async (body) => {
      const stage = await openTrust();
      await allowLinks(stage);
      const { id } = await createRecord(stage);
      expect(await stage.call('POST', pathOf(id), { as: stage.manager, body })).toMatchObject({ status: 422 });
    },
  );
});
