import { openFileObjects } from '@answer-evidence/filesystem';
import type { Finding, ObjectStore } from '@answer-evidence/ports';
import { type BucketOptions, BucketRefusedError, openBucketObjects } from '@answer-evidence/s3';
import type { Config } from './config.ts';
import { objectsFolderOf } from './data-folders.ts';
import type { Report } from './report.ts';
import { StartError } from './start-error.ts';

const REGION = 'us-east-1';
/** How long somebody who asks waits for a store that accepts connections and says nothing. */
const INSPECT_MS = 5_000;

/** The object store of the settings; anyone who opened it closes it. */
type OpenedObjectStore = {
  readonly store: ObjectStore;
  /**
   * Tries it out, and reports what the checks warn of. Throws `StartError` for what a person has to fix; waits for a
   * bucket that does not answer.
   */
  check(report: Report): Promise<void>;
  close(): void;
};

/** The bucket of the settings, or undefined where they name none. */
export function bucketOf(config: Config): BucketOptions | undefined {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = config;
  // The settings have all four or none.
  if (endpoint === undefined || bucket === undefined || accessKey === undefined || secretKey === undefined)
    return undefined;
  const keys = () => ({
    accessKey: config.S3_ACCESS_KEY ?? accessKey,
    secretKey: config.S3_SECRET_KEY ?? secretKey,
  });
  const region = config.S3_REGION ?? REGION;
  return { endpoint, bucket, accessKey, secretKey, keys, region, style: config.S3_URL_STYLE };
}

/** The bucket that `S3_ENDPOINT` and the others name, or `objects/` in the data folder. Throws `StartError`. */
export async function openObjectStore(config: Config): Promise<OpenedObjectStore> {
  const options = bucketOf(config);
  if (options === undefined) {
    const store = await openFileObjects(objectsFolderOf(config));
    return { store, check: () => Promise.resolve(), close: () => undefined };
  }
  try {
    const { endpoint } = options;
    const store = await openBucketObjects(options);
    return {
      store,
      async check(report) {
        const state = await withStartErrors(() => store.check());
        if (state.kind === 'away') report(`the object store at ${endpoint} is unavailable; evidence waits for it`);
        else for (const { outcome, text } of state.findings) if (outcome === 'WARN') report(text);
      },
      close: () => store.close(),
    };
  } catch (error) {
    throw bucketStartError(error);
  }
}

/** What the checks of the bucket come to; undefined for a server that does not respond. Throws `StartError`. */
export async function inspectObjectStore(config: Config): Promise<readonly Finding[] | undefined> {
  const options = bucketOf(config);
  if (options === undefined) return [];
  return withStartErrors(async () => {
    const store = await openBucketObjects({ ...options, silenceMs: INSPECT_MS });
    try {
      const state = await store.check();
      return state.kind === 'away' ? undefined : state.findings;
    } finally {
      store.close();
    }
  });
}

async function withStartErrors<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw bucketStartError(error);
  }
}

/** A bucket that is set up wrongly, as an error of the start. What is something else comes back as it was. */
export function bucketStartError(error: unknown): unknown {
  return error instanceof BucketRefusedError ? new StartError(error.message, { cause: error }) : error;
}
