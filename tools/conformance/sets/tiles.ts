import { reseal, tilesOf } from '../reseal.ts';
import { give, type Open, type WholeCase } from './whole-case.ts';

const TILE = 'tile/entries/000.p/79';
const HASHES = 'tile/0/000.p/79';

/** Copies of the log by their tiles, and the outcome of `event_completeness`. */
export function listTiles(open: Open): readonly WholeCase[] {
  const world = reseal(open('plain'));
  const tiles = tilesOf(world.entries);
  const bytes = (path: string) => Buffer.from(tiles[path] ?? '', 'base64');
  const coded = (...parts: readonly Uint8Array[]) => Buffer.concat(parts).toString('base64');
  const [entries, hashes] = [bytes(TILE), bytes(HASHES)];
  const { [TILE]: _, ...withoutEntries } = tiles;
  const copies: readonly (readonly [name: string, log: Readonly<Record<string, string>>, outcome: string])[] = [
    ['as it is', tiles, 'PASS'],
    ['without the tile of hashes', { [TILE]: tiles[TILE] ?? '' }, 'PASS'],
    ['with the full tile alone', { 'tile/entries/000': coded(entries, Uint8Array.of(0, 1, 65)) }, 'PASS'],
    ['with more entries than are read', { [TILE]: coded(entries, Uint8Array.of(0, 1, 65)) }, 'PASS'],
    [
      'with a full tile that is another, beside the right one',
      { ...tiles, 'tile/entries/000': coded(entries.subarray(9)) },
      'PASS',
    ],
    ['with a partial tile of another width alone', { 'tile/entries/000.p/80': tiles[TILE] ?? '' }, 'SKIP'],
    ['with another way of writing its number', { 'tile/entries/0.p/79': tiles[TILE] ?? '' }, 'SKIP'],
    ['with an entry that is cut', { [TILE]: coded(entries.subarray(0, -1)) }, 'FAIL'],
    ['with an entry too few', { [TILE]: tilesOf(world.entries.slice(0, -1))['tile/entries/000.p/78'] ?? '' }, 'FAIL'],
    ['without entries', withoutEntries, 'SKIP'],
    ['without entries, of hashes that are cut', { [HASHES]: coded(hashes.subarray(0, -32)) }, 'FAIL'],
    ['without entries, of hashes that end inside of one', { [HASHES]: coded(hashes, Uint8Array.of(1)) }, 'FAIL'],
    ['without entries, of one hash more', { [HASHES]: coded(hashes, hashes.subarray(0, 32)) }, 'SKIP'],
    ['without entries, of other hashes', { [HASHES]: coded(hashes.subarray(32), hashes.subarray(0, 32)) }, 'FAIL'],
    ['of nothing', {}, 'SKIP'],
  ];
  return copies.map(([name, log, outcome]) => ({
    id: `tiles ${name}`,
    given: { ...give(world), log },
    expected: { outcomes: { event_completeness: outcome } },
  }));
}
