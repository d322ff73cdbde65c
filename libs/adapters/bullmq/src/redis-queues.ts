import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Finding, QueueBackend, ShownQueues } from '@answer-evidence/ports';
import { createBullBackend, type QueueOptions } from './bullmq-backend.ts';
import { connectRedis, type RedisAccess } from './connect-redis.ts';
import { isSettledWithin } from './is-settled-within.ts';
import { lookAt } from './surroundings/look-at-redis.ts';
import { RedisRefusedError } from './surroundings/refusals.ts';

/** How long a start waits for Redis before it goes on without. */
const FIRST_LOOK_MS = 2_000;
/** A producer gives up soon: the outbox has the job. */
const COMMAND_MS = 3_000;
const RECONNECT_MS_MAX = 5_000;
/** How long an idle worker listens before it looks by itself: all that a wake-up which another worker got can cost. */
const LISTEN_SECONDS = 2;

/**
 * Opens a queue on Redis; all keys begin with `prefix`. A Redis that does not answer is no obstacle, now or later: what
 * needs it fails soon, and workers wait. Throws `RedisRefusedError` for one that fails a check which refuses, does not
 * let itself be checked, or refuses the password. `onFindings` gets what the checks came to, if Redis answers at once.
 */
export async function openRedisQueues(
  options: QueueOptions &
    RedisAccess & {
      readonly prefix: string;
      readonly onFindings?: (findings: readonly Finding[]) => void;
    },
): Promise<QueueBackend & ShownQueues> {
  const { url, prefix, onError } = options;
  const retryStrategy = (times: number): number => Math.min(200 * times, RECONNECT_MS_MAX);
  const producer = connectRedis(
    url,
    {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: COMMAND_MS,
      connectTimeout: FIRST_LOOK_MS,
      retryStrategy,
    },
    options,
  );
  producer.on('error', onError);
  let consumer: Redis | undefined;
  /** The connection of workers, whose commands wait until Redis is there. */
  function connectConsumer(): Redis {
    // Not `lazyConnect`: BullMQ would connect it, and take the first failure for the end.
    const redis = connectRedis(url, { maxRetriesPerRequest: null, retryStrategy }, options);
    redis.on('error', onError);
    return redis;
  }

  const backend = createBullBackend(
    {
      listenSeconds: LISTEN_SECONDS,
      assertReachable() {
        if (producer.status !== 'ready') throw new Error('Redis is unavailable');
      },
      createQueue: (name) => new Queue(name, { connection: producer, prefix, skipMetasUpdate: true }),
      createWorker(name, run, settings) {
        consumer ??= connectConsumer();
        return new Worker(name, run, { ...settings, connection: consumer, prefix });
      },
      close() {
        producer.disconnect();
        consumer?.disconnect();
        return Promise.resolve();
      },
    },
    options,
  );
  const looked = lookAt(producer, url, options);
  if (!(await isSettledWithin(looked, FIRST_LOOK_MS))) {
    looked.catch(onError);
    return backend;
  }
  try {
    const findings = await looked;
    options.onFindings?.(findings);
  } catch (error) {
    if (error instanceof RedisRefusedError) {
      await backend.close();
      throw error;
    }
    // It went away while it was looked at.
    onError(error instanceof Error ? error : new Error('Redis could not be checked'));
  }
  return backend;
}
