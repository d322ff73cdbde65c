import { join } from 'node:path';
import type { Config } from './config.ts';

/** Where evidence is without a bucket. */
export function objectsFolderOf(config: Pick<Config, 'SERVICE_DATA_DIR'>): string {
  return join(config.SERVICE_DATA_DIR, 'objects');
}

/** Where the file anchor writes. */
export function anchorsFolderOf(config: Pick<Config, 'SERVICE_DATA_DIR'>): string {
  return join(config.SERVICE_DATA_DIR, 'anchors');
}
