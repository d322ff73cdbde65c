import { open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './error-code.ts';
import { syncDirectory } from './write-file-atomically.ts';

/** A file to which lines are added. */
export type DurableLines = {
  /** Adds lines, makes the file when there is none, and returns when they are durable. */
  append(lines: readonly string[]): Promise<void>;
  exists(): Promise<boolean>;
  /** Every whole line; undefined when there is no file. */
  read(): Promise<readonly string[] | undefined>;
};

/** Lines in a file of mode 0600. Half a last line, left by a crash, is not read, and the next line starts anew. */
export function createDurableLines(path: string): DurableLines {
  return {
    async append(lines) {
      const file = await open(path, 'a+', 0o600);
      try {
        const { size } = await file.stat();
        const { buffer } = await file.read({ position: Math.max(0, size - 1), buffer: new Uint8Array(1) });
        const isTorn = size > 0 && buffer[0] !== 10;
        // A torn beginning becomes a line of its own that is no JSON and is passed over.
        // To the end: a single write may stop where the disk is full, and say so only by a number.
        if (lines.length > 0)
          await file.appendFile(`${isTorn ? '#\n' : ''}${lines.map((line) => `${line}\n`).join('')}`);
        await file.sync();
      } finally {
        await file.close();
      }
      await syncDirectory(dirname(path));
    },
    async exists() {
      try {
        await stat(path);
        return true;
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return false;
        throw error;
      }
    },
    async read() {
      try {
        const text = await readFile(path, 'utf8');
        return text
          .slice(0, text.lastIndexOf('\n') + 1)
          .split('\n')
          .filter((line) => line !== '' && !line.endsWith('#'));
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
  };
}
