import { openFileObjects } from '@answer-evidence/filesystem';
import type { Finding, ObjectStore } from '@answer-evidence/ports';
import { type BucketOptions, BucketRefusedError, openBucketObjects } from '@answer-evidence/s3';
import type { Config } from '../ground/config.ts';
import { objectsFolderOf } from '../ground/data-folders.ts';
import type { Report } from '../ground/report.ts';
import { StartError } from '../ground/start-error.ts';
import { bucketGrantOf } from './platform-grants.ts';

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
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket } = config;
  // The settings have both or none, and keys unless a platform gives them.
  if (endpoint === undefined || bucket === undefined) return undefined;
  const given = bucketGrantOf(config);
  const region = config.S3_REGION ?? REGION;
  const place = { endpoint, bucket, region, style: config.S3_URL_STYLE };
  if (given !== undefined) return { ...place, ...FROM_PLATFORM, grant: given };
  const keys = () => ({
    accessKey: config.S3_ACCESS_KEY ?? '',
    secretKey: config.S3_SECRET_KEY ?? '',
    sessionToken: config.S3_SESSION_TOKEN,
  });
  return { ...place, ...keys(), grant: () => Promise.resolve(keys()) };
}

/** Stand where a client wants keys that it then asks for. */
const FROM_PLATFORM = { accessKey: 'of-the-platform', secretKey: 'of-the-platform' };

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
