import { formatTilePath, TILE_WIDTH } from '@answer-evidence/merkle';
import type { TileFolder } from '@answer-evidence/verify';
import type { Io } from '../io.ts';
import { findErrorCode } from '../system-error.ts';

/** A folder of this machine that a log is copied to. */
type LogFolder = TileFolder & {
  /** Removes partial tiles that neither of two sizes needs: what a reader of the one before has begun, it can end. */
  prune(earlierSize: number, size: number): Promise<void>;
};

/** What is written replaces a file whole, on the disk, for everybody to read. */
export function openLogFolder({ files, paths }: Io, folder: string): LogFolder {
  const at = (path: string) => paths.join(folder, path);

  async function list(path: string): Promise<readonly string[]> {
    try {
      return await files.list(at(path));
    } catch (error) {
      if (findErrorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }

  return {
    async read(path) {
      try {
        return await files.read(at(path));
      } catch (error) {
        if (findErrorCode(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    write: (path, bytes) => files.writeShared(at(path), bytes),
    async prune(earlierSize, size) {
      const needed = new Set([...listPartials(earlierSize), ...listPartials(size)]);
      for (const folderOf of new Set([...needed].map((path) => path.slice(0, path.lastIndexOf('/')))))
        for (const name of await list(folderOf))
          if (!needed.has(`${folderOf}/${name}`)) await files.remove(at(`${folderOf}/${name}`));
    },
  };
}

/** The partial tiles of a tree, which are the last ones of each level. */
function listPartials(size: number): readonly string[] {
  const paths: string[] = [];
  for (let [level, count] = [0, size]; count > 0; level++, count = Math.floor(count / TILE_WIDTH)) {
    const [index, width] = [Math.floor(count / TILE_WIDTH), count % TILE_WIDTH];
    if (width > 0) paths.push(formatTilePath(level, index, width));
    if (width > 0 && level === 0) paths.push(formatTilePath('entries', index, width));
  }
  return paths;
}
