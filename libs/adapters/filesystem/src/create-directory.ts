import { chmod, mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { syncDirectory } from './write-file-atomically.ts';

/** Makes a directory and its missing parents durably, each with exactly `mode`. An existing one keeps its mode. */
export async function createDirectory(directory: string, mode: number): Promise<void> {
  const path = resolve(directory);
  const first = await mkdir(path, { recursive: true, mode });
  if (first === undefined) return;
  for (let made = path; ; made = dirname(made)) {
    await chmod(made, mode);
    await syncDirectory(dirname(made));
    if (made === resolve(first)) return;
  }
}
