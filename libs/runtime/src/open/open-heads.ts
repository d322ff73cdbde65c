import { join } from 'node:path';
import { openHeadFiles } from '@answer-evidence/filesystem';
import type { HeadStore } from '@answer-evidence/ports';
import { type BucketOptions, openBucketHeadFiles } from '@answer-evidence/s3';
import { createHeadStore } from '@answer-evidence/stage-trust';
import type { Config } from '../ground/config.ts';
import { bucketOf, bucketStartError } from './open-object-store.ts';

/** Where heads are kept outside of the database; anyone who opened it closes it. */
type OpenedHeads = { readonly store: HeadStore; close(): void };

/** The place that `SERVICE_HEADS` names, or its default. Throws `StartError`. */
export async function openHeads(config: Config): Promise<OpenedHeads> {
  const place = placeOf(config);
  if (typeof place === 'string') return { store: createHeadStore(await openHeadFiles(place)), close: () => undefined };
  try {
    const files = await openBucketHeadFiles(place);
    return { store: createHeadStore(files), close: () => files.close() };
  } catch (error) {
    throw bucketStartError(error);
  }
}

/** The folder that heads are kept in; undefined where the bucket has them. */
export function headsFolderOf(config: Config): string | undefined {
  const place = placeOf(config);
  return typeof place === 'string' ? place : undefined;
}

function placeOf(config: Config): string | BucketOptions {
  const bucket = bucketOf(config);
  if (bucket !== undefined && (config.SERVICE_HEADS ?? 's3') === 's3') return bucket;
  return config.SERVICE_HEADS?.replace(/^folder:/, '') ?? join(config.SERVICE_DATA_DIR, 'heads');
}
