import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commitPlain } from '@answer-evidence/commitments';
import { packExportCore, withheldBundle } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { createRecord, PLACES, type TrustTest } from '../../fixtures/trust.ts';

describe.each(PLACES)('POST /api/trust/packs, %s', (_, open) => {
  let stage: TrustTest & { close(): Promise<void> };
  beforeAll(async () => {
    stage = await open();
  });
  afterAll(() => stage.close());

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
});
