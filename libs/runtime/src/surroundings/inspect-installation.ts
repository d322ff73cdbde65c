import { placeOfRedis } from '@answer-evidence/bullmq/redis-address';
import { fault, type Finding, fine, skipped } from '@answer-evidence/ports';
import { assertSessionsStay, judgeSchema, openPool } from '@answer-evidence/postgres';
import { findRunningPostgres } from '@answer-evidence/postgres-embedded';
import { assertDataDir } from '../ground/assert-data-dir.ts';
import type { Config } from '../ground/config.ts';
import { databaseStartError, placeOfDatabase } from '../ground/database-start-error.ts';
import { redisTlsFilesOf } from '../jobs/open-queues.ts';
import { FolderWatch } from '../observability/folder-watch.ts';
import { demandOf, inspectDatabase } from '../open/check-database.ts';
import { findFleetingPlaces } from '../open/fleeting-places.ts';
import { embeddedDir } from '../open/open-database.ts';
import { openHeads } from '../open/open-heads.ts';
import { inspectObjectStore } from '../open/open-object-store.ts';
import { inspectCredentials } from './inspect-credentials.ts';
import { inspectIdentityProvider } from './inspect-identity-provider.ts';
import { inspectLogins } from './inspect-logins.ts';
import { findingOf, look, wordsOf } from './look.ts';
import { writtenFolders } from './written-folders.ts';

/** Looks at everything that an installation with these settings needs. Changes nothing but a probe in the bucket. */
export async function inspectInstallation(config: Config, processes: number): Promise<readonly Finding[]> {
  return [
    await look('data.folder', async () => {
      await assertDataDir(config);
      return fine(`${config.SERVICE_DATA_DIR} can be written to`);
    }),
    ...(await findFleetingPlaces(config)).map(({ name, text }) => findingOf(`lasts.${name}`, fault(text))),
    ...(await inspectCredentials(config)),
    ...(await inspectSpace(config)),
    ...(await inspectDatabaseOf(config, processes)),
    ...(await inspectQueue(config)),
    ...(await inspectBucket(config)),
    await look('heads.place', async () => {
      const heads = await openHeads(config);
      try {
        const ids = await heads.store.workspaceIds();
        return fine(`${heads.store.place} has the heads of ${ids.length} logs`);
      } finally {
        heads.close();
      }
    }),
    ...(await inspectIdentityProvider(config)),
  ];
}

async function inspectSpace(config: Config): Promise<readonly Finding[]> {
  const watch = new FolderWatch(writtenFolders(config));
  await watch.look();
  const short = watch.short.map(({ path }) => path);
  return [
    ...watch.spaces.map(({ folders, path, text }): Finding => ({
      name: `space.${folders[0] ?? ''}`,
      outcome: short.includes(path) ? 'WARN' : 'PASS',
      text,
    })),
    ...watch.silent.map((folder): Finding => ({
      name: `space.${folder}`,
      outcome: 'WARN',
      text: 'its file system does not respond; look at the server that it is mounted from',
    })),
  ];
}

async function inspectDatabaseOf(config: Config, processes: number): Promise<readonly Finding[]> {
  const url = config.DATABASE_URL ?? (await findRunningPostgres(embeddedDir(config)).catch(() => undefined))?.url;
  if (url === undefined)
    return [findingOf('database', skipped('the embedded PostgreSQL is not running; it starts with the service'))];
  const explain = (error: unknown) => databaseStartError(error, config);
  const place = placeOfDatabase(config);
  const owner = openPool({ url, role: 'owner', connectionsMax: 2, onError: () => undefined });
  try {
    const session = await look(
      'database.session',
      async () => {
        await assertSessionsStay(owner);
        return fine(`${place} gives connections the settings that they ask for`);
      },
      explain,
    );
    if (session.outcome === 'FAIL') return [session];
    const found = await inspectDatabase(owner, url, demandOf(config, processes));
    return [
      session,
      ...found.map((one) =>
        one.outcome === 'PASS' || one.outcome === 'SKIP' ? one : { ...one, text: `${place} ${one.text}` },
      ),
      await look('database.schema', () => judgeSchema(owner), explain),
      ...(await inspectLogins(config, url, owner, look, explain)),
    ];
  } catch (error) {
    return [findingOf('database', fault(wordsOf(explain(error))))];
  } finally {
    await owner.end();
  }
}

async function inspectQueue(config: Config): Promise<readonly Finding[]> {
  const { REDIS_URL: url } = config;
  if (url === undefined) return [findingOf('redis', skipped('REDIS_URL is not set; queues are in the database'))];
  const { inspectRedis } = await import('@answer-evidence/bullmq/redis');
  try {
    return await inspectRedis(url, { tlsFiles: redisTlsFilesOf(config) });
  } catch (error) {
    const isTold = error instanceof Error && error.name === 'RedisRefusedError';
    return [
      findingOf(
        'redis.connection',
        fault(isTold ? wordsOf(error) : `${placeOfRedis(url)} does not respond; start it or correct REDIS_URL`),
      ),
    ];
  }
}

async function inspectBucket(config: Config): Promise<readonly Finding[]> {
  if (config.S3_ENDPOINT === undefined)
    return [findingOf('bucket', skipped('S3_ENDPOINT is not set; evidence is in the data folder'))];
  try {
    const findings = await inspectObjectStore(config);
    return findings === undefined
      ? [
          findingOf(
            'bucket.usable',
            fault(`the object store at ${config.S3_ENDPOINT} does not respond; start it or correct S3_ENDPOINT`),
          ),
        ]
      : [findingOf('bucket.usable', fine('an object was written, read, listed and deleted')), ...findings];
  } catch (error) {
    return [findingOf('bucket.usable', fault(wordsOf(error)))];
  }
}
