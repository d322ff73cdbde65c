import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  ASSETS,
  createAsset,
  type EvidenceTest,
  fileOf,
  openEvidence,
  readStream,
  RECORDS,
  redactAsset,
} from '../../fixtures/evidence.ts';

describe('POST /api/evidence-assets/{asset_id}/download', () => {
  let stage: EvidenceTest;
  let assetId: string;
  beforeAll(async () => {
    stage = await openEvidence();
    ({ id: assetId } = await createAsset(stage, {}, { file: fileOf('0123456789') }));
  });

  const treeSize = async () => (await stage.logs.snapshot(stage.workspace.id)).head.tree_size;
  const download = (id: string, body: object = {}) =>
    stage.call('POST', `${ASSETS}/${id}/download`, { as: stage.manager, body });

  it.each([
    ['its first byte', { offset: 0, length: 1 }, '0', 'bytes 0-0/10'],
    ['its last byte', { offset: 9, length: 1 }, '9', 'bytes 9-9/10'],
    ['more than there is', { offset: 8, length: 100 }, '89', 'bytes 8-9/10'],
  ])('answers 206 with %s', async (_case, range, content, contentRange) => {
    const reply = await download(assetId, { range });
    expect(reply).toMatchObject({ status: 206, headers: { 'Content-Range': contentRange } });
    expect(Buffer.from(await readStream(reply)).toString()).toBe(content);
  });

  it.each([
    ['a range behind the end', { range: { offset: 10, length: 1 } }, '/range/offset'],
    ['a range of nothing', { range: { offset: 0, length: 0 } }, '/range/length'],
    ['a range from before the beginning', { range: { offset: -1, length: 1 } }, '/range/offset'],
    ['a range without an end', { range: { offset: 0 } }, '/range/length'],
    ['an unknown member', { ranges: [] }, '/ranges'],
  ])('answers 422 to %s, and notes no access', async (_case, body, pointer) => {
    const before = await treeSize();
    expect(await download(assetId, body)).toMatchObject({
      status: 422,
      code: 'schema_violation',
      errors: [{ pointer }],
    });
    expect(await treeSize()).toBe(before);
  });

  it('answers 404 for a reference, which has no content', async () => {
    const { id } = await createAsset(stage, { external_uri: 'urn:a' });
    expect(await download(id)).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('answers 410 after a redaction, also under its record, also to equal bytes that came later', async () => {
    const { id } = await createAsset(stage, {}, { file: fileOf('to be redacted') });
    const recordId = await redactAsset(stage, id);
    const gone = { status: 410, code: 'gone_redacted' };
    const before = await treeSize();
    expect(await download(id)).toMatchObject(gone);
    const path = `${RECORDS}/${recordId}/evidence-assets/${id}/download`;
    expect(await stage.call('POST', path, { as: stage.manager })).toMatchObject(gone);
    expect(await treeSize()).toBe(before);
    const again = await createAsset(stage, {}, { file: fileOf('to be redacted') });
    expect(Buffer.from(await readStream(await download(again.id))).toString()).toBe('to be redacted');
    expect(await download(id)).toMatchObject(gone);
  });
});
