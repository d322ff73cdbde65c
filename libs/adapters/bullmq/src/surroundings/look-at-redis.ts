import { Redis } from 'ioredis';
import type { Finding } from '@answer-evidence/ports';
import { asksForTls, examineRedis, RedisRefusedError, refusalOf, tlsOnly } from './examine-redis.ts';

const LOOK_MS = 3_000;

/**
 * Resolves with what the checks came to, when Redis is usable. Rejects with `RedisRefusedError`, or with the last error
 * before that was known; a Redis that does not respond keeps it waiting.
 */
export async function lookAt(redis: Redis, url: string): Promise<readonly Finding[]> {
  await untilReady(redis, url);
  const findings = await examineRedis(redis, url);
  const refused = findings.find(({ outcome }) => outcome === 'FAIL');
  if (refused !== undefined) throw new RedisRefusedError(refused.text);
  return findings;
}

/**
 * Every finding of a Redis, also of one that must not be used, over a connection of its own. Rejects with
 * `RedisRefusedError`, or with what kept the connection from being made.
 */
export async function inspectRedis(url: string): Promise<readonly Finding[]> {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 0,
    commandTimeout: LOOK_MS,
    connectTimeout: LOOK_MS,
    retryStrategy: () => null,
  });
  let last = new Error('Redis does not respond');
  redis.on('error', (error: Error) => (last = error));
  const ended = new Promise<never>((_resolve, reject) => redis.once('end', () => reject(last)));
  try {
    await Promise.race([untilReady(redis, url), ended]);
    return await examineRedis(redis, url);
  } catch (error) {
    if (!(error instanceof RedisRefusedError) && (await asksForTls(url))) throw tlsOnly();
    throw error;
  } finally {
    redis.disconnect();
  }
}

function untilReady(redis: Redis, url: string): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    redis.once('ready', resolve);
    redis.on('error', (error: Error) => {
      const refusal = refusalOf(error);
      if (refusal !== undefined) reject(refusal);
    });
    // A server that speaks TLS only ends the connection without a word.
    redis.once('close', () => {
      void asksForTls(url).then((asks) => {
        if (asks) reject(tlsOnly());
      });
    });
  });
}
