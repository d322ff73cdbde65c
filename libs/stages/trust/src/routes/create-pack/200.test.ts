import { beforeAll, describe, expect, it } from '@jest/globals';
import { commitPlain } from '@answer-evidence/commitments';
import { packExportCore, withheldBundle } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { allowLinks, openLink } from '../../fixtures/proof-links.ts';
import { appendEvent, createRecord, openTrust, type TrustTest } from '../../fixtures/trust.ts';

describe('POST /api/trust/packs', () => {
  let stage: TrustTest;
  beforeAll(async () => {
    stage = await openTrust();
  });

  const part = (text: string, id: string): any =>
    JSON.parse(new RegExp(`id="${id}">(.*?)</script>`).exec(text)?.[1] ?? 'null');

  it('gives the bundles in the order of the request, with the keys of the log, and an entry that names the file', async () => {
    const [one, other] = [await createRecord(stage), await createRecord(stage)];
    const ids = [other.id, one.id];
    const reply = await stage.call('POST', '/api/trust/packs', { as: stage.manager, body: { answer_log_ids: ids } });
    expect(reply).toMatchObject({ status: 200, contentType: 'text/html; charset=utf-8' });
    expect(reply.headers).toEqual({ 'Content-Disposition': 'attachment; filename="evidence-pack.html"' });
    const text = String(reply.body);
    expect(part(text, 'pack')).toMatchObject({
      format: 'answer-evidence-pack/v1',
      origin: stage.workspace.origin,
      bundles: ['bundle-1', 'bundle-2'],
    });
    expect(['bundle-1', 'bundle-2'].map((id) => part(text, id).record.core.id)).toEqual(ids);
    expect(part(text, 'trust').logs[0].keys).toEqual(part(text, 'bundle-1').log_keys);
    const entries = await stage.logs.workspaceEntries(stage.workspace.id, 'export_made');
    expect(entries.map((entry) => packExportCore.parse(parseJsonText(entry.core_json)))).toEqual([
      expect.objectContaining({
        format: 'pack',
        filters: { answer_log_ids: ids },
        records: 2,
        content_hash: commitPlain(text),
        actor: expect.objectContaining({ kind: 'user', id: stage.manager.userId }),
      }),
    ]);
  });

  it('leaves the texts out when asked to, and the entry says so', async () => {
    const { id } = await createRecord(stage, { answer: { text: 'a text that stays here' } });
    const body = { answer_log_ids: [id], texts: 'withheld' };
    const reply = await stage.call('POST', '/api/trust/packs', { as: stage.manager, body });
    expect(reply.status).toBe(200);
    const text = String(reply.body);
    expect(text).not.toContain('a text that stays here');
    expect(withheldBundle.parse(part(text, 'bundle-1')).record.core.id).toBe(id);
    const entries = await stage.logs.workspaceEntries(stage.workspace.id, 'export_made');
    const cores = entries.map((entry) => packExportCore.parse(parseJsonText(entry.core_json)));
    expect(cores.find(({ content_hash: hash }) => hash === commitPlain(text))?.filters).toEqual(body);
  });

  it('says on its cover for whom and for what it is, and leads to the public page of each record', async () => {
    const [kept, gone] = [await createRecord(stage), await createRecord(stage)];
    await appendEvent(stage, gone.id, { event_type: 'redacted' });
    const body = {
      answer_log_ids: [gone.id, kept.id],
      recipient: 'Landgericht Köln',
      purpose: 'Case 7 O 12/26',
      proof_links: {},
    };
    const ask = () => stage.call('POST', '/api/trust/packs', { as: stage.manager, body });
    expect(await ask()).toMatchObject({ status: 422, code: 'proof_links_off' });
    await allowLinks(stage);
    const text = String((await ask()).body);
    const { links, ...cover } = part(text, 'pack');
    expect(cover).toMatchObject({
      operator: stage.workspace.displayName,
      recipient: 'Landgericht Köln',
      purpose: 'Case 7 O 12/26',
    });
    // A link to what was redacted would show nothing.
    expect(Object.keys(links)).toEqual(['bundle-2']);
    const opened = await openLink(stage, new URL(links['bundle-2'].url).hash.slice(1));
    expect(opened).toMatchObject({ status: 200, body: { shows: 'record', expires_at: links['bundle-2'].expires_at } });
    const entries = await stage.logs.workspaceEntries(stage.workspace.id, 'export_made');
    const core = entries.map((entry) => entry.core_json).find((json) => json.includes('Case 7 O 12'));
    expect(core).not.toContain('ael_');
    await allowLinks(stage, false);
  });

  it('without texts makes links that show commitments, unless it is asked for more', async () => {
    await allowLinks(stage);
    const { id } = await createRecord(stage);
    for (const [proofLinks, shows] of [
      [{}, 'commitments'],
      [{ shows: 'record', expires_in_seconds: 60 }, 'record'],
    ] as const) {
      const body = { answer_log_ids: [id], texts: 'withheld', proof_links: proofLinks };
      const reply = await stage.call('POST', '/api/trust/packs', { as: stage.manager, body });
      const { url } = part(String(reply.body), 'pack').links['bundle-1'];
      expect(await openLink(stage, new URL(url).hash.slice(1))).toMatchObject({ status: 200, body: { shows } });
    }
    await allowLinks(stage, false);
  });
});
