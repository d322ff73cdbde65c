import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { growSegmentTree, hashSegmentText, SegmentError, verifySegment } from '@answer-evidence/commitments';
import { formatHex } from '@answer-evidence/encoding';
import { SEGMENT_LENGTH_MAX, splitSegments } from './split-segments.ts';

const texts = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 20 });
const salts = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(formatHex);

test('splitting loses nothing but white space, makes no segment without any content and none that is too long', () => {
  const unit = fc.constantFrom('a', ' ', '\n', '\n\n', '\r\n', '```', '~~~', '\u{1f600}', 'e\u0301', 'x'.repeat(900));
  fc.assert(
    fc.property(fc.string({ unit }), fc.constantFrom('plain' as const, 'markdown' as const), (text, kind) => {
      const segments = splitSegments(text, kind);
      const solid = (value: string): string => value.replace(/\s/g, '');
      expect(solid(segments.join(''))).toBe(solid(text));
      for (const segment of segments) {
        expect(segment.trim()).not.toBe('');
        expect(segment.length).toBeLessThanOrEqual(SEGMENT_LENGTH_MAX);
      }
    }),
  );
});

test('every segment verifies, shown or gone, and nothing else does in its place', () => {
  fc.assert(
    fc.property(texts, salts, fc.nat(), fc.nat(), (contents, salt, i, j) => {
      const segments = contents.map((text, n) => ({
        segment_id: `segment-${n}`,
        hash: hashSegmentText(salt, text),
      }));
      const { root, proofs } = growSegmentTree(segments);
      const count = segments.length;
      const index = i % count;
      const { segment_id, hash } = segments[index] ?? { segment_id: '', hash: '' };
      const shown = { segment_id, hash, index, proof: proofs[index] ?? [], salt, text: contents[index] ?? '' };
      verifySegment(shown, count, root);
      verifySegment({ ...shown, salt: null, text: null }, count, root);

      const refused = (altered: Partial<typeof shown> | { salt: null }, size = count): void => {
        expect(() => verifySegment({ ...shown, ...altered }, size, root)).toThrow(SegmentError);
      };
      refused({ text: `${shown.text}.` });
      refused({ salt: '00'.repeat(16) === salt ? '11'.repeat(16) : '00'.repeat(16) });
      refused({ salt: null });
      refused({ hash: hashSegmentText(salt, `${shown.text}.`) });
      refused({ segment_id: 'another' });
      const other = j % count;
      if (other !== index) refused({ index: other });
      refused({}, count * 2 + 1);
    }),
  );
});
