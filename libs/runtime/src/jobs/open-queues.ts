import { createHash } from 'node:crypto';
import { openPostgresQueues } from '@answer-evidence/bullmq';
import type { RedisTlsFiles } from '@answer-evidence/bullmq/redis-tls';
import type { QueueBackend, ShownQueues } from '@answer-evidence/ports';
import { sessionOf } from '@answer-evidence/postgres';
import type { Config } from '../ground/config.ts';
import { databaseStartError } from '../ground/database-start-error.ts';
import { StartError } from '../ground/start-error.ts';

/** The URL of the database's owner, and the one with which the queue logs in. */
type QueueDatabase = { readonly ownerUrl: string; readonly url: string };

/** Who hears of errors that nobody waits for, and of what the checks of Redis warn of. */
type QueueSinks = { readonly error: (error: Error) => void; readonly warning: (sentence: string) => void };

/** The files for encrypted connections to Redis, by the settings. */
export function redisTlsFilesOf(config: Config): RedisTlsFiles {
  return { ca: config.REDIS_TLS_CA_FILE, cert: config.REDIS_TLS_CERT_FILE, key: config.REDIS_TLS_KEY_FILE };
}

/** The queue of the settings: Redis (`REDIS_URL`), shared under `installation`, or PostgreSQL. Throws `StartError`. */
export async function openQueues(
  config: Config,
  database: QueueDatabase,
  installation: string,
  on: QueueSinks,
): Promise<QueueBackend & ShownQueues> {
  if (config.REDIS_URL === undefined)
    try {
      return await openPostgresQueues({
        ...database,
        onError: on.error,
        sessionOf,
      });
    } catch (error) {
      throw databaseStartError(error, config);
    }
  const { REDIS_URL: url } = config;
  const { openRedisQueues, RedisRefusedError } = await import('@answer-evidence/bullmq/redis');
  const tag = createHash('sha256').update(installation).digest('hex').slice(0, 12);
  try {
    return await openRedisQueues({
      url,
      currentUrl: () => config.REDIS_URL ?? url,
      tlsFiles: redisTlsFilesOf(config),
      prefix: `answer-evidence-${tag}`,
      onError: on.error,
      onFindings(findings) {
        for (const { outcome, text } of findings) if (outcome === 'WARN') on.warning(text);
      },
    });
  } catch (error) {
    if (error instanceof RedisRefusedError) throw new StartError(error.message, { cause: error });
    throw error;
  }
}
