import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '@answer-evidence/digest';
import type { CheckpointStore } from '../checkpoint-store.ts';
import { writeDurably } from './write-durably.ts';

/**
 * A store in a folder, with one file per log: `<hex SHA-256 of the origin>.checkpoint`, the signed note as it is. A
 * saved note is on the disk when `save` returns. The folder is made when it is missing. Give each process its own. What
 * was signed in a refused response is beside them, in `mismatch-<16 hex digits>.json`.
 */
export function createFileStore(folder: string): CheckpointStore {
  const pathOf = (origin: string) => join(folder, `${sha256Hex(origin)}.checkpoint`);
  const write = async (path: string, text: string) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeDurably(path, text);
  };
  return {
    async load(origin) {
      try {
        return await readFile(pathOf(origin), 'utf8');
      } catch (error) {
        if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      }
    },
    save: (origin, note) => write(pathOf(origin), note),
    keepMismatch(evidence) {
      const text = `${JSON.stringify(evidence, undefined, 2)}\n`;
      return write(join(folder, `mismatch-${sha256Hex(text).slice(0, 16)}.json`), text);
    },
  };
}
