import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatNote, formatTlogProof, NoteError, parseTlogProof, type TlogProof } from './index.ts';

const CHECKPOINT = 'a.example\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n\u2014 a.example AQIDBAU=\n';
const HASH = Buffer.alloc(32, 7).toString('base64');
const HEAD = 'c2sp.org/tlog-proof@v1\n';

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const proof: fc.Arbitrary<TlogProof> = fc.record(
  {
    index: fc.maxSafeNat(),
    hashes: fc.array(hash, { maxLength: 53 }),
    checkpoint: fc
      .tuple(fc.constantFrom('text\n', 'a\n\nb\n', '\n'), fc.uint8Array({ minLength: 1, maxLength: 64 }))
      .map(([text, signature]) =>
        formatNote({ text, signatures: [{ name: 'a', keyId: new Uint8Array(4), signature }] }),
      ),
    extra: fc.uint8Array({ minLength: 1 }),
  },
  { requiredKeys: ['index', 'hashes', 'checkpoint'] },
);

describe('a receipt', () => {
  it('reads back as what was written', () => {
    fc.assert(fc.property(proof, (p) => expect(parseTlogProof(formatTlogProof(p))).toEqual(p)));
  });

  it('is refused, or written back as the same text, after any one change', () => {
    fc.assert(
      fc.property(proof, fc.nat(), fc.constantFrom('', '\n', '0', 'A', '=', ' '), (p, pick, put) => {
        const text = formatTlogProof(p);
        const altered = text.slice(0, pick % text.length) + put + text.slice((pick % text.length) + 1);
        let read: TlogProof;
        try {
          read = parseTlogProof(altered);
        } catch (error) {
          expect(error).toBeInstanceOf(NoteError);
          return;
        }
        expect(formatTlogProof(read)).toBe(altered);
      }),
    );
  });

  it('is laid out as in the specification', () => {
    const bytes = new Uint8Array(32).fill(7);
    const [base, extra] = [{ index: 5, hashes: [bytes, bytes], checkpoint: CHECKPOINT }, Uint8Array.of(0x66)];
    expect(formatTlogProof(base)).toBe(`${HEAD}index 5\n${HASH}\n${HASH}\n\n${CHECKPOINT}`);
    expect(formatTlogProof({ ...base, extra })).toBe(`${HEAD}extra Zg==\nindex 5\n${HASH}\n${HASH}\n\n${CHECKPOINT}`);
    expect(formatTlogProof({ ...base, hashes: [] })).toBe(`${HEAD}index 5\n\n${CHECKPOINT}`);
  });

  // The first nine as in transparency-dev/formats, proof/tlog_proof_test.go.
  it.each([
    ['a wrong header', `wrong-header\nindex 0\n\n${CHECKPOINT}`],
    ['no header', `index 0\n\n${CHECKPOINT}`],
    ['bad base64 in the extra part', `${HEAD}extra !!notbase64!!\nindex 0\n\n${CHECKPOINT}`],
    ['no index', `${HEAD}\n${CHECKPOINT}`],
    ['an index that is no number', `${HEAD}index notanumber\n\n${CHECKPOINT}`],
    ['a negative index', `${HEAD}index -5\n\n${CHECKPOINT}`],
    ['a hash that is not base64', `${HEAD}index 0\n!!notbase64!!\n\n${CHECKPOINT}`],
    ['a hash of 64 bytes', `${HEAD}index 0\n${Buffer.alloc(64).toString('base64')}\n\n${CHECKPOINT}`],
    ['a huge line', `${HEAD}index 0\n${'a'.repeat(65 * 1024)}\n`],
    ['an index with a leading zero', `${HEAD}index 00\n\n${CHECKPOINT}`],
    ['an index beyond 2^53 - 1', `${HEAD}index 9007199254740992\n\n${CHECKPOINT}`],
    ['an empty extra part', `${HEAD}extra \nindex 0\n\n${CHECKPOINT}`],
    ['the extra part after the index', `${HEAD}index 0\nextra Zg==\n\n${CHECKPOINT}`],
    ['two indexes', `${HEAD}index 0\nindex 0\n\n${CHECKPOINT}`],
    ['more hashes than a tree is high', `${HEAD}index 0\n${`${HASH}\n`.repeat(54)}\n${CHECKPOINT}`],
    ['no checkpoint', `${HEAD}index 0\n\n`],
    ['an unsigned checkpoint', `${HEAD}index 0\n\na.example\n1\n${HASH}\n`],
    ['a second blank line', `${HEAD}index 0\n\n${CHECKPOINT}\n`],
    ['trailing junk', `${HEAD}index 0\n\n${CHECKPOINT}junk`],
    ['carriage returns', `${HEAD}index 0\r\n\r\n${CHECKPOINT}`],
    ['nothing', ''],
  ])('with %s is refused', (_, text) => {
    expect(() => parseTlogProof(text)).toThrow(NoteError);
  });

  it('is not written when it could not be read', () => {
    const good = { index: 0, hashes: [], checkpoint: CHECKPOINT };
    for (const bad of [
      { ...good, index: -1 },
      { ...good, hashes: [new Uint8Array(64)] },
      { ...good, hashes: Array.from({ length: 54 }, () => new Uint8Array(32)) },
      { ...good, checkpoint: 'unsigned\n' },
      { ...good, extra: new Uint8Array(0) },
      { ...good, extra: new Uint8Array(2 ** 20) },
    ]) {
      expect(() => formatTlogProof(bad)).toThrow(NoteError);
    }
  });
});
