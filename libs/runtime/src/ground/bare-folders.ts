import { tmpdir } from 'node:os';
import type { Config } from './config.ts';

/** A folder that a process writes to, and the setting that leads elsewhere. */
export type WrittenFolder = { readonly name: string; readonly path: string; readonly setting: string };

/** Those of every process, also of a witness. */
export function bareFolders(config: Pick<Config, 'SERVICE_DATA_DIR'>): readonly WrittenFolder[] {
  return [
    { name: 'data', path: config.SERVICE_DATA_DIR, setting: 'SERVICE_DATA_DIR' },
    { name: 'temporary', path: tmpdir(), setting: 'TMPDIR' },
  ];
}
