import { createHash } from 'node:crypto';
import { openPostgresQueues, openRedisQueues, RedisRefusedError } from '@answer-evidence/bullmq';
import type { QueueBackend } from '@answer-evidence/ports';
import { assertSession } from '@answer-evidence/postgres';
import type { Config } from '../start/config.ts';
import { databaseStartError } from '../start/database-start-error.ts';
import { StartError } from '../start/start-error.ts';

/** The URL of the database's owner, and the one with which the queue logs in. */
type QueueDatabase = { readonly ownerUrl: string; readonly url: string };

/** The queue of the settings: Redis (`REDIS_URL`), shared under `installation`, or PostgreSQL. Throws `StartError`. */
export async function openQueues(
  config: Config,
  database: QueueDatabase,
  installation: string,
  onError: (error: Error) => void,
): Promise<QueueBackend> {
  if (config.REDIS_URL === undefined)
    try {
      return await openPostgresQueues({
        ...database,
        onError,
        assertSession: (client, settings) => assertSession(client, settings, 'answer_evidence_relay'),
      });
    } catch (error) {
      throw databaseStartError(error, config);
    }
  const tag = createHash('sha256').update(installation).digest('hex').slice(0, 12);
  try {
    return await openRedisQueues({ url: config.REDIS_URL, prefix: `answer-evidence-${tag}`, onError });
  } catch (error) {
    if (error instanceof RedisRefusedError) throw new StartError(error.message, { cause: error });
    throw error;
  }
}
