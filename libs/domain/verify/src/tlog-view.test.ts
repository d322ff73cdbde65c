import { describe, expect, it } from '@jest/globals';
import { formatEntry } from '@answer-evidence/commitments';
import { concatBytes, utf8 } from '@answer-evidence/encoding';
import { appendLeaves, formatTilePath, leafHash } from '@answer-evidence/merkle';
import { createTlogView, type ReadTlog } from './tlog-view.ts';

const SIZE = 600;
const subjectOf = (n: number) => `00000000-0000-7000-8000-${String(n % 50).padStart(12, '0')}`;
const ENTRIES = Array.from({ length: SIZE }, (_, n) =>
  formatEntry({
    type: n % 50 === n ? 'answer_recorded' : 'lifecycle_event',
    id: `00000000-0000-7000-8000-${String(n).padStart(12, '1')}`,
    subject: subjectOf(n),
    seq: Math.floor(n / 50),
    hash: new Uint8Array(32).fill(n % 256),
    at: 1_800_000_000_000_000 + n,
  }),
);

function formatBundle(entries: readonly string[]): Uint8Array {
  const parts = entries.map((entry) => [entry.length >> 8, entry.length & 0xff, ...utf8(entry)]);
  return Uint8Array.from(parts.flat());
}

/** A mirror of the log as files: full bundles and tiles of leaf hashes, and the partial ones of `size`. */
function mirror(entries: readonly string[], size = entries.length): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (let from = 0; from < size; from += 256) {
    const width = Math.min(256, size - from);
    const part = entries.slice(from, from + width);
    files.set(formatTilePath('entries', from / 256, width), formatBundle(part));
    files.set(formatTilePath(0, from / 256, width), concatBytes(...part.map((entry) => leafHash(entry))));
  }
  return files;
}

const readerOf =
  (files: ReadonlyMap<string, Uint8Array>): ReadTlog =>
  (path) =>
    Promise.resolve(files.get(path));

function checkpointOf(entries: readonly string[]) {
  const { root } = appendLeaves(
    0,
    [],
    entries.map((entry) => leafHash(entry)),
  );
  return { origin: 'log.example/test', size: entries.length, root };
}

describe('a log in tlog-tiles', () => {
  it('gives every entry that names a subject, and no other', async () => {
    const view = createTlogView(readerOf(mirror(ENTRIES)), checkpointOf(ENTRIES));
    const found = await view.entriesNaming(subjectOf(7), SIZE);
    expect(found.map((leaf) => leaf.leaf_index)).toEqual(Array.from({ length: 12 }, (_, n) => 7 + n * 50));
    expect(found.every((leaf) => leaf.entry === ENTRIES[leaf.leaf_index])).toBe(true);
  });

  it.each([
    ['a hash too few', (tile: Uint8Array) => tile.slice(0, -32), 1],
    ['a part of a hash more', (tile: Uint8Array) => concatBytes(tile, new Uint8Array(5)), 1],
    ['a hash more', (tile: Uint8Array) => concatBytes(tile, new Uint8Array(32)), 0],
  ])('reads only whole hashes of a tile: %s', async (_, change, faults) => {
    const files = mirror(ENTRIES);
    files.delete(formatTilePath('entries', 2, SIZE - 512));
    const path = formatTilePath(0, 2, SIZE - 512);
    files.set(path, change(files.get(path) ?? new Uint8Array()));
    const reading = createTlogView(readerOf(files), checkpointOf(ENTRIES)).gapsBelow?.(SIZE);
    const found = await Promise.allSettled([reading]);
    expect(found.filter(({ status }) => status === 'rejected')).toHaveLength(faults);
  });

  it('re-computes the root of every earlier tree', async () => {
    const view = createTlogView(readerOf(mirror(ENTRIES)), checkpointOf(ENTRIES));
    for (const size of [1, 255, 256, 257, 600])
      expect(await view.rootAt?.(size)).toEqual(checkpointOf(ENTRIES.slice(0, size)).root);
    await expect(view.rootAt?.(601)).rejects.toThrow('smaller tree size');
  });

  it('reads an older checkpoint from a mirror that has grown since', async () => {
    const older = ENTRIES.slice(0, 300);
    const grown = mirror(ENTRIES, 512);
    const view = createTlogView(readerOf(grown), checkpointOf(older));
    expect(await view.entriesNaming(subjectOf(3), 300)).toHaveLength(6);
  });

  it.each<[string, Uint8Array, string]>([
    ['no text', Uint8Array.of(0xff, 0xfe), 'leaf 10 of the log is not UTF-8 text'],
    ['no entry', utf8('{}'), 'the entry of leaf 10 of the log is not the canonical text'],
    ['an entry after a byte order mark', utf8(`\ufeff${ENTRIES[10] ?? ''}`), 'the entry of leaf 10 of the log is not'],
    ['an entry with a space more', utf8(`${ENTRIES[10] ?? ''} `), 'the entry of leaf 10 of the log is not'],
  ])('names a leaf that is %s, whatever is asked for: it could be about anything', async (_, leaf, words) => {
    const entries = ENTRIES.map((entry) => utf8(entry)).with(10, leaf);
    const parts = entries.slice(0, 256).map((entry) => [entry.length >> 8, entry.length & 0xff, ...entry]);
    const files = mirror(ENTRIES).set('tile/entries/000', Uint8Array.from(parts.flat()));
    const { root } = appendLeaves(0, [], entries.map(leafHash));
    const view = createTlogView(readerOf(files), { origin: 'log.example/test', size: SIZE, root });
    await expect(view.entriesNaming(subjectOf(7), SIZE)).rejects.toThrow(words);
    expect(await view.rootAt?.(SIZE)).toEqual(root);
  });

  it('refuses a bundle that says of an entry that it is longer than what follows', async () => {
    const entry = utf8(ENTRIES[0] ?? '');
    const files = new Map([['tile/entries/000.p/1', Uint8Array.of(0xff, 0xff, ...entry)]]);
    const view = createTlogView(readerOf(files), checkpointOf(ENTRIES.slice(0, 1)));
    await expect(view.entriesNaming(subjectOf(0), 1)).rejects.toThrow('truncated inside an entry of bundle 0');
  });

  it('refuses a log in which an entry is left out or changed', async () => {
    const changed = ENTRIES.with(10, ENTRIES[11] ?? '');
    const shorter = [...ENTRIES.slice(0, 20), ...ENTRIES.slice(21), ENTRIES[20] ?? ''];
    for (const files of [mirror(changed), mirror(shorter)]) {
      const view = createTlogView(readerOf(files), checkpointOf(ENTRIES));
      await expect(view.entriesNaming(subjectOf(1), SIZE)).rejects.toThrow('log');
    }
  });
});

describe('a copy of a log that lacks parts', () => {
  const viewWithout = (...paths: string[]) => {
    const files = mirror(ENTRIES);
    for (const path of paths) expect(files.delete(path)).toBe(true);
    return { files, view: createTlogView(readerOf(files), checkpointOf(ENTRIES)) };
  };

  it('names the bundle that is missing, and gives the entries that are there', async () => {
    const { view } = viewWithout('tile/entries/001');
    expect(await view.gapsBelow?.(SIZE)).toEqual([{ from: 256, to: 512, path: 'tile/entries/001' }]);
    expect(await view.gapsBelow?.(256)).toEqual([]);
    const found = await view.entriesNaming(subjectOf(7), SIZE);
    expect(found.map((leaf) => leaf.leaf_index)).toEqual([7, 57, 107, 157, 207, 557]);
    const entries = (await view.entriesBelow?.(300)) ?? [];
    expect(entries.slice(254, 258)).toEqual([ENTRIES[254], ENTRIES[255], undefined, undefined]);
  });

  it('lacks its end when it is older than the checkpoint', async () => {
    const view = createTlogView(readerOf(mirror(ENTRIES, 500)), checkpointOf(ENTRIES));
    expect(await view.gapsBelow?.(SIZE)).toEqual([
      { from: 256, to: 512, path: 'tile/entries/001' },
      { from: 512, to: 600, path: 'tile/entries/002.p/88' },
    ]);
  });

  it('still re-computes roots, by the hash tile of what is missing', async () => {
    const { view } = viewWithout('tile/entries/001');
    for (const size of [256, 300, 600])
      expect(await view.rootAt?.(size)).toEqual(checkpointOf(ENTRIES.slice(0, size)).root);
  });

  it('has no root beyond a tile that is missing too', async () => {
    const { view } = viewWithout('tile/entries/001', 'tile/0/001');
    expect(await view.rootAt?.(256)).toEqual(checkpointOf(ENTRIES.slice(0, 256)).root);
    expect(await view.rootAt?.(300)).toBeUndefined();
    expect(await view.entriesNaming(subjectOf(7), SIZE)).toHaveLength(6);
  });

  it('refuses what is there and does not lead to the root, or differs from its own hashes', async () => {
    const changed = mirror(ENTRIES.with(10, ENTRIES[11] ?? '')).get('tile/entries/000') ?? new Uint8Array();
    const partly = viewWithout('tile/entries/001');
    partly.files.set('tile/entries/000', changed);
    await expect(partly.view.entriesNaming(subjectOf(1), SIZE)).rejects.toThrow('do not produce the root');
    const hardly = viewWithout('tile/entries/001', 'tile/0/001');
    hardly.files.set('tile/entries/000', changed);
    await expect(hardly.view.entriesNaming(subjectOf(1), SIZE)).rejects.toThrow('hashes of bundle 0');
    const cut = viewWithout('tile/entries/001');
    cut.files.set('tile/0/001', new Uint8Array(255 * 32));
    await expect(cut.view.gapsBelow?.(SIZE)).rejects.toThrow('truncated inside tile/0/001');
  });
});
