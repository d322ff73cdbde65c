import { describe, expect, it } from '@jest/globals';
import { concatBytes, utf8 } from '@answer-evidence/encoding';
import { appendLeaves, formatTilePath, leafHash, nodeFromTile, TILE_WIDTH } from '@answer-evidence/merkle';
import type { Checkpoint } from '@answer-evidence/note';
import { copyTiles, type TileFolder } from './copy-tiles.ts';
import type { ReadTlog } from './tlog-view.ts';

const ORIGIN = 'log.example/demo';

function entriesOf(size: number, name = 'entry'): readonly Uint8Array[] {
  return Array.from({ length: size }, (_, n) => utf8(`${name} ${n}`));
}

function checkpointOf(entries: readonly Uint8Array[]): Checkpoint {
  return { origin: ORIGIN, size: entries.length, root: appendLeaves(0, [], entries.map(leafHash)).root };
}

/** A log in memory with its full and last tiles. */
function tilesOf(entries: readonly Uint8Array[]): Map<string, Uint8Array> {
  const tiles = new Map<string, Uint8Array>();
  for (let from = 0; from < entries.length; from += TILE_WIDTH) {
    const own = entries.slice(from, from + TILE_WIDTH);
    const parts = own.flatMap((entry) => [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry]);
    tiles.set(formatTilePath('entries', from / TILE_WIDTH, own.length), concatBytes(...parts));
  }
  let hashes: readonly Uint8Array[] = entries.map(leafHash);
  for (let level = 0; hashes.length > 0; level++) {
    const above: Uint8Array[] = [];
    for (let from = 0; from < hashes.length; from += TILE_WIDTH) {
      const own = hashes.slice(from, from + TILE_WIDTH);
      tiles.set(formatTilePath(level, from / TILE_WIDTH, own.length), concatBytes(...own));
      if (own.length === TILE_WIDTH) above.push(nodeFromTile(own));
    }
    hashes = above;
  }
  return tiles;
}

/** A folder in memory; `writesMax` is how many writes it takes before the process is killed. */
function createFolder(writesMax = Number.POSITIVE_INFINITY) {
  const files = new Map<string, Uint8Array>();
  let writes = 0;
  const folder: TileFolder = {
    read: (path) => Promise.resolve(files.get(path)),
    write(path, bytes) {
      if (++writes > writesMax) return Promise.reject(new Error('killed'));
      files.set(path, bytes);
      return Promise.resolve();
    },
  };
  return { folder, files, allow: (more: number) => (writesMax = writes + more) };
}

function readFrom(tiles: ReadonlyMap<string, Uint8Array>, asked: string[] = []): ReadTlog {
  return (path) => {
    asked.push(path);
    return Promise.resolve(tiles.get(path));
  };
}

const copy = (entries: readonly Uint8Array[], folder: TileFolder, earlier?: Checkpoint) =>
  copyTiles({ from: readFrom(tilesOf(entries)), checkpoint: checkpointOf(entries), earlier, folder });

describe('copyTiles', () => {
  it.each([1, 255, 256, 257, 700, 66_000])('makes the very tiles of a log of %i leaves', async (size) => {
    const entries = entriesOf(size);
    const { folder, files } = createFolder();
    await copy(entries, folder);
    expect(files).toEqual(tilesOf(entries));
  });

  it('reads only what is new, and proves that it continues what it has', async () => {
    const [before, after] = [entriesOf(700), entriesOf(1100)];
    const { folder, files } = createFolder();
    await copy(before, folder);
    const asked: string[] = [];
    const from = readFrom(tilesOf(after), asked);
    await copyTiles({ from, checkpoint: checkpointOf(after), earlier: checkpointOf(before), folder });
    expect(asked.filter((path) => path.startsWith('tile/entries/'))).toEqual([
      'tile/entries/004.p/76',
      'tile/entries/002',
      'tile/entries/002',
      'tile/entries/003',
    ]);
    for (const [path, bytes] of tilesOf(after)) expect(files.get(path)).toEqual(bytes);
  });

  it('goes on wherever it was stopped', async () => {
    const entries = entriesOf(700);
    const whole = tilesOf(entries);
    for (let writes = 0; writes < whole.size; writes++) {
      const { folder, files, allow } = createFolder(writes);
      await expect(copy(entries, folder)).rejects.toThrow('killed');
      for (const [path, bytes] of files) expect(whole.get(path)).toEqual(bytes);
      allow(100);
      await copy(entries, folder);
      expect(files).toEqual(whole);
    }
  });

  it('replaces a tile of the folder that was damaged', async () => {
    const entries = entriesOf(700);
    const { folder, files } = createFolder();
    await copy(entries, folder);
    const whole = new Map(files);
    for (const path of whole.keys()) {
      files.set(path, utf8('damage'));
      await copy(entries, folder, checkpointOf(entries));
      expect(files).toEqual(whole);
    }
  });

  it('writes nothing of a log that does not lead to its root', async () => {
    const entries = entriesOf(700);
    for (const path of tilesOf(entries).keys()) {
      const tiles = tilesOf(entries);
      const bytes = tiles.get(path)?.slice() ?? new Uint8Array(1);
      const at = bytes.length - 1;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      tiles.set(path, bytes);
      const { folder, files } = createFolder();
      const copying = copyTiles({
        from: readFrom(tiles),
        checkpoint: checkpointOf(entries),
        earlier: undefined,
        folder,
      });
      // Hashes of level 0 are made anew from the entries, and those of the log are not read.
      if (path.startsWith('tile/0/')) await copying;
      else await expect(copying).rejects.toThrow('does not lead to the root');
      for (const [written, own] of files) expect(tilesOf(entries).get(written)).toEqual(own);
    }
  });

  it('refuses a log that was rolled back or has another history, and leaves the folder as it is', async () => {
    const { folder, files } = createFolder();
    await copy(entriesOf(700), folder);
    const whole = new Map(files);
    const earlier = checkpointOf(entriesOf(700));
    await expect(copy(entriesOf(699), folder, earlier)).rejects.toThrow('it was rolled back');
    await expect(copy(entriesOf(800, 'other'), folder, earlier)).rejects.toThrow('it signed two histories');
    const forked = [...entriesOf(600), ...entriesOf(200, 'other')];
    await expect(copy(forked, folder, earlier)).rejects.toThrow('it signed two histories');
    expect(files).toEqual(whole);
  });

  it('names a tile that the log lacks', async () => {
    const entries = entriesOf(700);
    const tiles = tilesOf(entries);
    tiles.delete('tile/entries/001');
    const { folder } = createFolder();
    const copying = copyTiles({ from: readFrom(tiles), checkpoint: checkpointOf(entries), earlier: undefined, folder });
    await expect(copying).rejects.toThrow('lacks tile/entries/001');
  });
});
