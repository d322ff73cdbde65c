import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalize, formatTimestamp } from '@answer-evidence/encoding';
import { worlds } from '../fixtures/worlds.ts';
import { decide } from './decide.ts';
import { lineSetOf } from './line-set.ts';
import { formatFindingLine, formatReferenceLine, formatReferenceSet, parseFindingLine } from './lines.ts';
import { compareUtf8, sortUtf8 } from './order.ts';

const texts = fc.string({ unit: 'grapheme' });

describe('the order of texts', () => {
  it('is that of a sorted list, whatever is in it', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constantFrom('\uffff', '\u{10000}', ''));
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        expect(sortUtf8([...texts])).toEqual(texts.toSorted(compareUtf8));
      }),
    );
  });

  it('is that of their UTF-8 bytes', () => {
    const any = fc.oneof(texts, fc.string({ unit: fc.constantFrom('\uffee', '\u{10000}', '\ud7ff', 'a', '') }));
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: 1_000 },
    );
  });
});

/** RFC 9162 section 2.1.1, word by word. */
function rootOf(lines: readonly string[]): Buffer {
  const hash = (...parts: readonly (Uint8Array | string)[]) =>
    parts.reduce((sum, part) => sum.update(part), createHash('sha256')).digest();
  const [only] = lines;
  if (only === undefined) return hash('');
  if (lines.length === 1) return hash(Uint8Array.of(0), only);
  let k = 1;
  while (k * 2 < lines.length) k *= 2;
  return hash(Uint8Array.of(1), rootOf(lines.slice(0, k)), rootOf(lines.slice(k)));
}

it('the line of a reference is the JCS of its members', () => {
  fc.assert(
    fc.property(worlds, texts, ({ references }, referenceId) => {
      for (const one of references) {
        const reference = { ...one, referenceId };
        const members = {
          reference_id: referenceId,
          occurred_at: formatTimestamp(one.occurredAt),
          question_hash: one.questionHash,
          answer_hash: one.answerHash,
        };
        expect(formatReferenceLine(reference)).toBe(canonicalize(members));
      }
    }),
  );
});

describe('the root of a set', () => {
  it('is that of RFC 9162 over its lines', () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 40 }), (lines) => {
        expect(lineSetOf(lines)).toEqual({ size: lines.length, root: rootOf(lines).toString('hex') });
      }),
    );
    const many = Array.from({ length: 1_000 }, (_, n) => `line ${n}`);
    for (const size of [255, 256, 257, 512, 513, 1_000])
      expect(lineSetOf(many.slice(0, size)).root).toBe(rootOf(many.slice(0, size)).toString('hex'));
  });

  it('of references hangs on each of them and not on their order', () => {
    fc.assert(
      fc.property(worlds, fc.nat(), ({ references }, n) => {
        fc.pre(references.length > 0);
        const root = (of: typeof references) => lineSetOf(formatReferenceSet(of)).root;
        expect(root([...references].reverse())).toBe(root(references));
        const at = n % references.length;
        const moved = references.map((one, i) => (i === at ? { ...one, occurredAt: one.occurredAt + 1 } : one));
        expect(root(moved)).not.toBe(root(references));
        expect(root(references.filter((_, i) => i !== at))).not.toBe(root(references));
      }),
    );
  });
});

describe('the line of a finding', () => {
  it('reads back as the finding, and is canonical', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(worlds, ({ rules, references, records }) => {
        for (const finding of decide(rules, references, records).findings) {
          seen.add(finding.type);
          const line = formatFindingLine(finding);
          expect(parseFindingLine(line)).toEqual(finding);
          expect(() => parseFindingLine(` ${line}`)).toThrow('canonical');
          expect(() => parseFindingLine(canonicalize({ ...finding, more: 1 }))).toThrow('Unrecognized');
        }
      }),
    );
    expect(seen.size).toBe(6);
  });
});
