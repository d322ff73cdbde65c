import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { formatHex } from '@answer-evidence/encoding';
import { hashSegmentText, segmentLeaf } from './segment-hash.ts';
import { growSegmentTree } from './segment-tree.ts';

// The values of docs/formats/records.md, "Segments of evidence"; computed here from the bytes too, without this
// library.
const SALT = '000102030405060708090a0b0c0d0e0f';
const ID = '018f0000-0000-7000-8000-000000000001';
const sha256 = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

test('a segment hashes to label, salt and digest of its content', () => {
  const expected = sha256('answer-evidence/segment/v1\n', Buffer.from(SALT, 'hex'), sha256('Two years.'));
  expect(hashSegmentText(SALT, 'Two years.')).toBe(`sha256:${expected.toString('hex')}`);
  expect(hashSegmentText(SALT, 'Two years.')).toBe(
    'sha256:1c3de9919b6792495c5d783701100b3d4201ca1aa81bf6b32939c70dfbac27f2',
  );
});

test('the tree of an asset has a leaf of id and hash for each segment', () => {
  const hash = hashSegmentText(SALT, 'Two years.');
  const leaf = sha256('\0', `{"hash":"${hash}","segment_id":"${ID}"}`);
  expect(formatHex(segmentLeaf({ segment_id: ID, hash }))).toBe(leaf.toString('hex'));
  const segments = ['1', '2', '3'].map((end) => ({ segment_id: ID.slice(0, -1) + end, hash }));
  const leaves = segments.map(({ segment_id }) => sha256('\0', `{"hash":"${hash}","segment_id":"${segment_id}"}`));
  const [first = Buffer.of(), second = Buffer.of(), third = Buffer.of()] = leaves;
  const { root, proofs } = growSegmentTree(segments);
  expect(formatHex(root)).toBe(sha256('\x01', sha256('\x01', first, second), third).toString('hex'));
  expect(formatHex(root)).toBe('0b6609b4ceecd715e63218e09ae02df000ad432e389cd5fdacb356d32fffa7f8');
  expect(proofs[0]?.map(formatHex)).toEqual([second.toString('hex'), third.toString('hex')]);
});
