import { existsSync } from 'node:fs';
import type { Workspace } from '@answer-evidence/ports';
import { createOriginalsReader } from '@answer-evidence/postgres';
import { checkOriginals } from '@answer-evidence/stage-evidence';
import type { Config } from '../ground/config.ts';
import { objectsFolderOf } from '../ground/data-folders.ts';
import { bucketOf, openObjectStore } from './open-object-store.ts';
import type { BareStores } from './open-stores.ts';

type Options = Parameters<typeof checkOriginals>[2];

/** Reads the originals of evidence for a ledger check; anyone who opened it closes it. */
export type OriginalsCheck = {
  /** How many a workspace has. */
  count(workspaceId: string): Promise<number>;
  check(workspace: Workspace, options: Options): ReturnType<typeof checkOriginals>;
  close(): void;
};

/** Undefined where this process has no object store: neither a bucket, nor a folder in which something was stored. */
export async function openOriginalsCheck(
  config: Config,
  { pool, turn }: Pick<BareStores, 'pool' | 'turn'>,
): Promise<OriginalsCheck | undefined> {
  if (bucketOf(config) === undefined && !existsSync(objectsFolderOf(config))) return undefined;
  const objects = await openObjectStore(config);
  const originals = createOriginalsReader(pool);
  return {
    count: (workspaceId) => originals.count(workspaceId),
    check: (workspace, options) => checkOriginals({ objects: objects.store, originals, turn }, workspace, options),
    close: () => objects.close(),
  };
}
