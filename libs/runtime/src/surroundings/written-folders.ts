import { bareFolders, type WrittenFolder } from '../ground/bare-folders.ts';
import type { Config } from '../ground/config.ts';
import { anchorsFolderOf, objectsFolderOf } from '../ground/data-folders.ts';
import { embeddedDir } from '../open/open-database.ts';
import { headsFolderOf } from '../open/open-heads.ts';
import { bucketOf } from '../open/open-object-store.ts';

/** All folders that a process with these settings writes to. Several may be on one file system, or be made later. */
export function writtenFolders(config: Config): readonly WrittenFolder[] {
  const heads = headsFolderOf(config);
  return [
    ...bareFolders(config),
    // Queues are in the database, or in a Redis, whose folder is its own.
    ...(config.DATABASE_URL === undefined
      ? [{ name: 'database', path: embeddedDir(config), setting: 'DATABASE_URL' }]
      : []),
    ...(bucketOf(config) === undefined
      ? [{ name: 'evidence', path: objectsFolderOf(config), setting: 'S3_ENDPOINT' }]
      : []),
    ...(heads === undefined ? [] : [{ name: 'heads', path: heads, setting: 'SERVICE_HEADS' }]),
    { name: 'anchors', path: anchorsFolderOf(config), setting: 'SERVICE_DATA_DIR' },
  ];
}
