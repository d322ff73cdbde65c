import { describe, expect, it } from '@jest/globals';
import { parseJson } from '@answer-evidence/encoding';
import { formatInPieces } from './format-in-pieces.ts';

describe('a bundle in pieces', () => {
  it.each([0, 1, 64, 65, 300])('is the same JSON, with a turn for each attachment: %d of them', async (count) => {
    const attachments = Array.from({ length: count }, (_, leaf_index) => ({ leaf_index, entry: `"${leaf_index}",ä` }));
    const bundle = { format: 'a format', record: { attachments: [] }, attachments, status: 'recorded' };
    let turns = 0;
    const pieces: Uint8Array[] = [];
    for await (const piece of formatInPieces(bundle, () => Promise.resolve(void turns++))) pieces.push(piece);
    expect(parseJson(Buffer.concat(pieces))).toEqual(bundle);
    expect(turns).toBe(count);
    expect(pieces).toHaveLength(2 + Math.ceil(count / 64));
  });
});
