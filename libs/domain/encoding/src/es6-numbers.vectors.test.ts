import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { canonicalize } from './index.ts';

/** The doubles -2^68 / 3 * 10^-n and their like, as the published sequence lists them; it lists them positive too. */
const NEGATIVE = `
  c46696695dbd1cc3 c43211ede4974a35 c3fce97ca0f21056 c3c7213080c1a6ac c39280f39a348556 c35d9b1f5d20d557
  c327af4c4a80aaac c2f2f2a36ecd5556 c2be51057e155558 c28840d131aaaaac c253670dc1555557 c21f0b4935555557
  c1e8d5d42aaaaaac c1b3de4355555556 c17fca0555555556 c1496e6aaaaaaaab c114585555555555 c0e046aaaaaaaaab
  c0aa0aaaaaaaaaaa c074d55555555555 c040aaaaaaaaaaab c00aaaaaaaaaaaab bfd5555555555555 bfa1111111111111
  bf6b4e81b4e81b4f bf35d867c3ece2a5 bf0179ec9cbd821e becbf647612f3696 be965e9f80f29212 be61e54c672874db
  be2ca213d840baf8 bdf6e80fe033c8c6 bdc2533fe68fd3d2 bd8d51ffd74c861c bd5774ccac3d3817 bd22c3d6f030f9ac
  bcee0624b3818f79 bcb804ea293472c7 bc833721ba905bd3 bc4ebe9c5db3c61e bc18987d17c304e5 bbe3ad30dfcf371d
  bbaf7b816618582f bb792f9ab81379bf bb442615600f9499 bb101e77800c76e1 bad9ca58cce0be35 baa4a1e0a3e6fe90
  ba708180831f320d ba3a68cd9e985016
`;

const EDGES = `
  4024000000000000 4014000000000000 3fe0000000000000 3fa999999999999a 3f747ae147ae147b 3f40624dd2f1a9fc
  3f0a36e2eb1c432d 3ed4f8b588e368f1 3ea0c6f7a0b5ed8d 3e6ad7f29abcaf48 3e35798ee2308c3a 3ed539223589fa95
  3ed4ff26cd5a7781 3ed4f95a762283ff 3ed4f8c60703520c 3ed4f8b72f19cd0d 3ed4f8b5b31c0c8d 3ed4f8b58d1c461a
  3ed4f8b5894f7f0e 3ed4f8b588ee37f3 3ed4f8b588e47da4 3ed4f8b588e3849c 3ed4f8b588e36bb5 3ed4f8b588e36937
  3ed4f8b588e368f8 3ed4f8b588e368f1 3ff0000000000000 bff0000000000000 bfeffffffffffffa bfeffffffffffffb
  3feffffffffffffa 3feffffffffffffb 3feffffffffffffc 3feffffffffffffe bfefffffffffffff bfefffffffffffff
  3fefffffffffffff 3fefffffffffffff 3fd3333333333332 3fd3333333333333 3fd3333333333334 0010000000000000
  000ffffffffffffd 000fffffffffffff 7fefffffffffffff ffefffffffffffff 4340000000000000 c340000000000000
  4430000000000000 44b52d02c7e14af5 44b52d02c7e14af6 44b52d02c7e14af7 444b1ae4d6e2ef4e 444b1ae4d6e2ef4f
  444b1ae4d6e2ef50 3eb0c6f7a0b5ed8c 3eb0c6f7a0b5ed8d 41b3de4355555553 41b3de4355555554 41b3de4355555555
  41b3de4355555556 41b3de4355555557 becbf647612f3696 43143ff3c1cb0959
`;

const SERIAL_START = 0x0010_0000_0000_0000n;
const SERIAL_COUNT = 2000;

/**
 * The first numbers of the ES6 number sequence of cyberphone/json-canonicalization (testdata/README.md): fixed edge
 * cases, then 2,000 neighbours of the smallest normal double, then a chain of SHA-256 blocks read as doubles.
 */
function* listEs6Numbers(count: number): Generator<{ readonly bits: string; readonly value: number }> {
  const negative = readWords(NEGATIVE);
  const fixed = [
    ...[0n, 1n << 63n, 1n, (1n << 63n) + 1n],
    ...negative,
    ...negative.map((word) => word ^ (1n << 63n)),
    ...readWords(EDGES),
    ...Array.from({ length: SERIAL_COUNT }, (_, i) => SERIAL_START + BigInt(i)),
  ];
  for (const word of fixed.slice(0, count)) yield readNumber(word);
  let left = count - fixed.length;
  for (let block = Buffer.alloc(32); left > 0;) {
    block = createHash('sha256').update(block).digest();
    for (let at = 0; at < block.length && left > 0; at += 8) {
      const number = readNumber(block.readBigUInt64LE(at));
      if (number.value === 0 || !Number.isFinite(number.value)) continue;
      yield number;
      left--;
    }
  }
}

function readWords(text: string): bigint[] {
  return text
    .trim()
    .split(/\s+/)
    .map((word) => BigInt('0x' + word));
}

function readNumber(word: bigint): { bits: string; value: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, word);
  return { bits: word.toString(16), value: view.getFloat64(0) };
}

describe('canonicalize', () => {
  // The published hashes of the first lines of es6testfile100m.txt.
  it.each([
    [1000, 'be18b62b6f69cdab33a7e0dae0d9cfa869fda80ddc712221570f9f40a5878687'],
    [10_000, 'b9f7a8e75ef22a835685a52ccba7f7d6bdc99e34b010992cbc5864cd12be6892'],
  ])('writes the first %i published numbers as published', (count, digest) => {
    const hash = createHash('sha256');
    for (const { bits, value } of listEs6Numbers(count)) hash.update(`${bits},${canonicalize(value)}\n`);
    expect(hash.digest('hex')).toBe(digest);
  });
});
