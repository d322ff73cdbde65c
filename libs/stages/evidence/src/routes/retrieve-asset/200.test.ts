import { beforeAll, describe, expect, it } from '@jest/globals';
import { RETRIEVED_SEGMENT_BYTES_MAX } from '@answer-evidence/contracts';
import { ASSETS, createAsset, type EvidenceTest, fileOf, openEvidence, retrieve } from '../../fixtures/evidence.ts';

const NOBODY = '0199f3c2-0000-7000-8000-00000000dead';

describe('POST /api/evidence-assets/{asset_id}/retrieve', () => {
  let stage: EvidenceTest;
  beforeAll(async () => {
    stage = await openEvidence();
  });

  const idsOf = async (assetId: string) =>
    (await retrieve(stage, assetId)).segments.map(({ segment_id: segmentId }) => segmentId);
  const treeSize = async () => (await stage.logs.snapshot(stage.workspace.id)).head.tree_size;

  it('has the segments that were asked for, once each, in the order of the asset', async () => {
    const { id } = await createAsset(stage, { segments: ['one', 'two', 'three'] });
    const [first, , third] = await idsOf(id);
    const { segments, source_ref } = await retrieve(stage, id, { segment_ids: [third, first, third] });
    expect(segments).toMatchObject([
      { index: 0, text: 'one' },
      { index: 2, text: 'three' },
    ]);
    expect(source_ref).toMatchObject({ evidence_asset_id: id, segment_ids: [third, first] });
  });

  it('has no content of an original that is too large for an answer, and all of one that is not', async () => {
    const file = (sizeBytes: number) => fileOf(new Uint8Array(sizeBytes).fill(0xff), {}, 1_000_000);
    const large = await createAsset(stage, {}, { file: file(RETRIEVED_SEGMENT_BYTES_MAX + 1) });
    const { segments } = await retrieve(stage, large.id);
    expect(segments).toEqual([
      {
        segment_id: expect.any(String),
        index: 0,
        hash: expect.any(String),
        salt: expect.any(String),
        omitted: 'too_large',
      },
    ]);
    const small = await createAsset(stage, {}, { file: file(RETRIEVED_SEGMENT_BYTES_MAX) });
    expect((await retrieve(stage, small.id)).segments).toMatchObject([{ content_base64: expect.any(String) }]);
  });

  it('has no segments of a reference that has none, and is an access all the same', async () => {
    const { id } = await createAsset(stage, { external_uri: 'urn:isbn:1' });
    const before = await treeSize();
    expect((await retrieve(stage, id)).segments).toEqual([]);
    expect(await treeSize()).toBe(before + 1);
  });

  it('is refused with 422, and is no access, for segments that are not of this asset', async () => {
    const [mine, other] = [
      await createAsset(stage, { segments: ['a'] }),
      await createAsset(stage, { segments: ['b'] }),
    ];
    const [[own], [foreign]] = [await idsOf(mine.id), await idsOf(other.id)];
    const before = await treeSize();
    const path = `${ASSETS}/${mine.id}/retrieve`;
    const body = { segment_ids: [own, foreign, NOBODY] };
    expect(await stage.call('POST', path, { as: stage.manager, body })).toMatchObject({
      status: 422,
      code: 'segment_not_found',
      errors: [{ pointer: '/segment_ids/1' }, { pointer: '/segment_ids/2' }],
    });
    for (const [wrong, pointer] of [
      [{ segment_ids: [] }, '/segment_ids'],
      [{ segment_ids: ['no-id'] }, '/segment_ids/0'],
      [{ purpose: '' }, '/purpose'],
      [{ reason: 'x' }, '/reason'],
    ] as const)
      expect(await stage.call('POST', path, { as: stage.manager, body: wrong })).toMatchObject({
        status: 422,
        code: 'schema_violation',
        errors: [{ pointer }],
      });
    expect(await treeSize()).toBe(before);
  });
});
