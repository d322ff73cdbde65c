import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatTilePath, leafHash, MerkleError, nodeFromTile, nodeHash, parseTilePath, tileOf } from './index.ts';

describe('tileOf', () => {
  it('finds each node in the one tile that covers it', () => {
    expect(tileOf({ level: 0, index: 0 })).toEqual({ level: 0, index: 0, firstHash: 0, hashes: 1 });
    expect(tileOf({ level: 3, index: 33 })).toEqual({ level: 0, index: 1, firstHash: 8, hashes: 8 });
    expect(tileOf({ level: 7, index: 1 })).toEqual({ level: 0, index: 0, firstHash: 128, hashes: 128 });
    expect(tileOf({ level: 8, index: 257 })).toEqual({ level: 1, index: 1, firstHash: 1, hashes: 1 });
    expect(tileOf({ level: 17, index: 3 })).toEqual({ level: 2, index: 0, firstHash: 6, hashes: 2 });
  });

  it('covers the leaves of the node and no others', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.nat(1000), (level, index) => {
        const tile = tileOf({ level, index });
        const leavesPerHash = 2 ** (8 * tile.level);
        expect((tile.index * 256 + tile.firstHash) * leavesPerHash).toBe(index * 2 ** level);
        expect(tile.hashes * leavesPerHash).toBe(2 ** level);
        expect(tile.firstHash + tile.hashes).toBeLessThanOrEqual(256);
      }),
    );
  });
});

describe('nodeFromTile', () => {
  const [a, b, c, d] = [leafHash('a'), leafHash('b'), leafHash('c'), leafHash('d')];

  it('folds a power of two of hashes', () => {
    expect(nodeFromTile([a])).toEqual(a);
    expect(nodeFromTile([a, b, c, d])).toEqual(nodeHash(nodeHash(a, b), nodeHash(c, d)));
  });

  it('refuses any other number of hashes', () => {
    for (const hashes of [[], [a, b, c], [a, b, c, d, a, b]]) expect(() => nodeFromTile(hashes)).toThrow(MerkleError);
  });
});

describe('tile paths', () => {
  it('are those of the specification', () => {
    expect(formatTilePath(0, 1_234_067)).toBe('tile/0/x001/x234/067');
    expect(formatTilePath(0, 273, 112)).toBe('tile/0/273.p/112');
    expect(formatTilePath(2, 0, 1)).toBe('tile/2/000.p/1');
    expect(formatTilePath('entries', 1000)).toBe('tile/entries/x001/000');
  });

  it('read back as what was written', () => {
    const level = fc.oneof(fc.constant('entries' as const), fc.nat(63));
    fc.assert(
      fc.property(level, fc.maxSafeNat(), fc.integer({ min: 1, max: 256 }), (l, index, width) => {
        expect(parseTilePath(formatTilePath(l, index, width))).toEqual({ level: l, index, width });
      }),
    );
  });

  it.each([
    'tile/0/67',
    'tile/0/0067',
    'tile/0/x000/067',
    'tile/0/001/067',
    'tile/0/x001/x067',
    'tile/00/067',
    'tile/64/067',
    'tile/-1/067',
    'tile/data/067',
    'tile/0/067.p/0',
    'tile/0/067.p/256',
    'tile/0/067.p/017',
    'tile/0/067.p/17/',
    '/tile/0/067',
    'tile/0/067\n',
    'tile/0/x009/x007/x199/x254/x740/992',
    'tile/0/../067',
  ])('refuses %j', (path) => {
    expect(() => parseTilePath(path)).toThrow(MerkleError);
  });

  it('are refused for an impossible level, index or width', () => {
    expect(() => formatTilePath(64, 0)).toThrow(MerkleError);
    expect(() => formatTilePath(0, -1)).toThrow(MerkleError);
    expect(() => formatTilePath(0, 0, 257)).toThrow(MerkleError);
    expect(() => formatTilePath(0, 0, 0)).toThrow(MerkleError);
  });
});
