import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { QueueBackend } from '@answer-evidence/ports';
import { createBullBackend, type QueueOptions } from './bullmq-backend.ts';
import { isSettledWithin } from './is-settled-within.ts';

/** Redis answers, and must not be used as it is; the message says in one line what to do. */
export class RedisRefusedError extends Error {
  override readonly name = 'RedisRefusedError';
}

/** How long a start waits for Redis before it goes on without. */
const FIRST_LOOK_MS = 2_000;
/** A producer gives up soon: the outbox has the job. */
const COMMAND_MS = 3_000;
const RECONNECT_MS_MAX = 5_000;

/**
 * Opens a queue on Redis; all keys begin with `prefix`. A Redis that does not answer is no obstacle, now or later: what
 * needs it fails soon, and workers wait. Throws `RedisRefusedError` for one that would drop jobs when its memory is
 * full, does not let that be seen, or refuses the password.
 */
export async function openRedisQueues(options: QueueOptions & { readonly prefix: string }): Promise<QueueBackend> {
  const { url, prefix, onError } = options;
  const retryStrategy = (times: number): number => Math.min(200 * times, RECONNECT_MS_MAX);
  const producer = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_MS,
    connectTimeout: FIRST_LOOK_MS,
    retryStrategy,
  });
  producer.on('error', onError);
  let consumer: Redis | undefined;
  /** The connection of workers, whose commands wait until Redis is there. */
  function connectConsumer(): Redis {
    // Not `lazyConnect`: BullMQ would connect it, and take the first failure for the end.
    const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy });
    redis.on('error', onError);
    return redis;
  }

  const backend = createBullBackend(
    {
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
  const looked = lookAt(producer);
  if (!(await isSettledWithin(looked, FIRST_LOOK_MS))) {
    looked.catch(onError);
    return backend;
  }
  try {
    await looked;
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

/** Resolves when Redis is usable; rejects with `RedisRefusedError`, or with the last error before that was known. */
async function lookAt(redis: Redis): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    redis.once('ready', resolve);
    redis.on('error', (error: Error) => {
      if (/^(WRONGPASS|NOAUTH|NOPERM)/.test(error.message))
        reject(new RedisRefusedError('Redis rejects the user or password; correct REDIS_URL'));
    });
  });
  const info = await redis.info('memory').catch((error: unknown) => {
    if (!(error instanceof Error) || !error.message.startsWith('NOPERM')) throw error;
    throw new RedisRefusedError('Redis does not show its maxmemory-policy to this user; allow the user to run INFO');
  });
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
  if (policy !== undefined && policy !== 'noeviction')
    throw new RedisRefusedError(
      `Redis drops jobs when its memory is full (maxmemory-policy is ${policy}); set it to noeviction`,
    );
}
