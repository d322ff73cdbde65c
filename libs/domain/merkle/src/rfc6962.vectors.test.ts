import { describe, expect, it } from '@jest/globals';
import {
  appendLeaves,
  EMPTY_ROOT,
  frontierRoot,
  leafHash,
  nodeHash,
  verifyConsistency,
  verifyInclusion,
} from './index.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));

/** The reference inputs and roots of Certificate Transparency: transparency-dev/merkle, testonly/constants.go. */
const INPUTS = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const LEAVES = INPUTS.map((input) => leafHash(new Uint8Array(Buffer.from(input, 'hex'))));

/** transparency-dev/merkle, testdata/inclusion/{1,2,3,4}/happy-path.json. */
const INCLUSIONS: readonly (readonly [number, number, string, string, readonly string[]])[] = [
  [
    0,
    8,
    'XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=',
    'bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=',
    [
      'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=',
      'Xwg/ChozygdqlSeYMlgNs+DvRYS9/x9UyKNg9Q3jAx4=',
      'a0eq8p7jwq+a+Im8H7klTavTEXfxYjLdaqsDXKOb9uQ=',
    ],
  ],
  [
    5,
    8,
    'XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=',
    'QnGia+DYqE8L1UyMMC58s6O10fpngKQLzOKHNHfatlg=',
    [
      'vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=',
      'yoVOoSjtBQtBs1/8G4e46yveRh6eO1WW7Oa51ZdaCuA=',
      '037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=',
    ],
  ],
  [
    2,
    3,
    'rra8/idLcKFPsGel5VeCZNsPqbUa9eC6FZFY8yngbnc=',
    'ApjRIpBtz8EIkstTpzmS/FufST6kybrbJ7eRtBJ6f+c=',
    ['+sVCA+fMaWzw38tCySodnbr3CtnmIfS9jZhmLwDjwSU='],
  ],
  [
    1,
    5,
    'Tju7H3tHjc/nH7YxYxUZo7yhLJrvyhYSv85ME6hiZNQ=',
    'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=',
    [
      'bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=',
      'Xwg/ChozygdqlSeYMlgNs+DvRYS9/x9UyKNg9Q3jAx4=',
      'vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=',
    ],
  ],
];

/** transparency-dev/merkle, testdata/consistency/{1,2,3,4}/happy-path.json. */
const CONSISTENCIES: readonly (readonly [number, number, string, string, readonly string[]])[] = [
  [
    1,
    8,
    'bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=',
    'XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=',
    [
      'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=',
      'Xwg/ChozygdqlSeYMlgNs+DvRYS9/x9UyKNg9Q3jAx4=',
      'a0eq8p7jwq+a+Im8H7klTavTEXfxYjLdaqsDXKOb9uQ=',
    ],
  ],
  [
    6,
    8,
    'duZ9rbzfHhDht03cYIq9L5jfsW+851J3tSMqEn8gh+8=',
    'XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=',
    [
      'DrxdNDf74tsVi58Sah0RjjCBgQMdCpSfje3t68VY72o=',
      'yoVOoSjtBQtBs1/8G4e46yveRh6eO1WW7Oa51ZdaCuA=',
      '037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=',
    ],
  ],
  [
    2,
    5,
    '+sVCA+fMaWzw38tCySodnbr3CtnmIfS9jZhmLwDjwSU=',
    'Tju7H3tHjc/nH7YxYxUZo7yhLJrvyhYSv85ME6hiZNQ=',
    ['Xwg/ChozygdqlSeYMlgNs+DvRYS9/x9UyKNg9Q3jAx4=', 'vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms='],
  ],
  [
    6,
    7,
    'duZ9rbzfHhDht03cYIq9L5jfsW+851J3tSMqEn8gh+8=',
    '3bib5AOAnjJXUNPSY814kpwpQreUKjS3fhIslZSnTIw=',
    [
      'DrxdNDf74tsVi58Sah0RjjCBgQMdCpSfje3t68VY72o=',
      'sIaT7C5yFZcTBkHoIR5+7cy0wmQTlj7ubB4u0W/7Gl8=',
      '037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=',
    ],
  ],
];

describe('the reference tree', () => {
  it('has the published root at every size', () => {
    expect(hex(EMPTY_ROOT)).toBe(ROOTS[0]);
    expect(hex(frontierRoot([]))).toBe(ROOTS[0]);
    LEAVES.forEach((_, i) => {
      expect(hex(appendLeaves(0, [], LEAVES.slice(0, i + 1)).root)).toBe(ROOTS[i + 1]);
    });
  });

  it('hashes a text entry as its UTF-8 bytes', () => {
    expect(leafHash('é')).toEqual(leafHash(Uint8Array.of(0xc3, 0xa9)));
  });

  it('keeps leaves and nodes apart', () => {
    const [a, b] = [leafHash('a'), leafHash('b')];
    expect(nodeHash(a, b)).not.toEqual(leafHash(Uint8Array.of(...a, ...b)));
  });
});

describe('the published proofs', () => {
  it.each(INCLUSIONS)('verify: leaf %i of %i', (index, size, root, leaf, proof) => {
    const hashes = proof.map(bytes);
    expect(() => verifyInclusion(index, size, bytes(leaf), hashes, bytes(root))).not.toThrow();
    expect(appendLeaves(0, [], LEAVES.slice(0, size)).proofOf(index)).toEqual(hashes);
  });

  it.each(INCLUSIONS)('fail in each of the published alterations: leaf %i of %i', (index, size, root, leaf, proof) => {
    const attempt = (i: number, n: number, hashes: readonly Uint8Array[], to = root) =>
      verifyInclusion(i, n, bytes(leaf), hashes, bytes(to));
    const hashes = proof.map(bytes);
    const garbage = new Uint8Array(32);
    for (const altered of [index + 1, index - 1, index ^ 2]) expect(() => attempt(altered, size, hashes)).toThrow();
    for (const altered of [size * 2, Math.floor(size / 2)]) expect(() => attempt(index, altered, hashes)).toThrow();
    for (const altered of [
      [garbage, ...hashes],
      [...hashes, garbage],
      [bytes(root), ...hashes],
      [...hashes, bytes(root)],
      hashes.slice(1),
      hashes.slice(0, -1),
      [],
    ]) {
      expect(() => attempt(index, size, altered)).toThrow();
    }
    expect(() => attempt(index, size, hashes, '')).toThrow('32 bytes');
    expect(() => attempt(index, size, hashes, leaf)).toThrow('another root');
  });

  it.each(CONSISTENCIES)('verify: size %i to %i', (size1, size2, root1, root2, proof) => {
    expect(() => verifyConsistency(size1, size2, bytes(root1), bytes(root2), proof.map(bytes))).not.toThrow();
  });

  it.each(CONSISTENCIES)('fail in each of the published alterations: size %i to %i', (size1, size2, r1, r2, proof) => {
    const [root1, root2, hashes] = [bytes(r1), bytes(r2), proof.map(bytes)];
    const garbage = new Uint8Array(32);
    for (const altered of [size1 - 1, size1 + 1, size1 ^ 2]) {
      expect(() => verifyConsistency(altered, size2, root1, root2, hashes)).toThrow();
    }
    for (const altered of [size2 * 2, Math.floor(size2 / 2)]) {
      expect(() => verifyConsistency(size1, altered, root1, root2, hashes)).toThrow();
    }
    expect(() => verifyConsistency(size1, size2, root2, root1, hashes)).toThrow();
    expect(() => verifyConsistency(size1, size2, garbage, root2, hashes)).toThrow();
    expect(() => verifyConsistency(size1, size2, root1, garbage, hashes)).toThrow();
    for (const extra of [garbage, root1, root2]) {
      expect(() => verifyConsistency(size1, size2, root1, root2, [extra, ...hashes])).toThrow();
      expect(() => verifyConsistency(size1, size2, root1, root2, [...hashes, extra])).toThrow();
    }
    expect(() => verifyConsistency(size1, size2, root1, root2, hashes.slice(0, -1))).toThrow();
    expect(() => verifyConsistency(size1, size2, root1, root2, [])).toThrow();
  });
});
