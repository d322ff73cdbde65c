import type { Redis } from 'ioredis';
import { type Finding, judgeSurroundings } from '@answer-evidence/ports';
import { REDIS_CHECKS } from './redis-checks.ts';
import { parseRedisFacts } from './redis-facts.ts';
import { RedisRefusedError } from './refusals.ts';

/** Makes every check of a connection that is ready. Throws `RedisRefusedError` where the user may not run INFO. */
export async function examineRedis(redis: Redis, url: string): Promise<readonly Finding[]> {
  const info = await redis.info().catch((error: unknown) => {
    if (!(error instanceof Error) || !error.message.startsWith('NOPERM')) throw error;
    throw new RedisRefusedError('Redis does not show its maxmemory-policy to this user; allow the user to run INFO');
  });
  return judgeSurroundings(
    REDIS_CHECKS,
    parseRedisFacts({ url, info, snapshotRule: await readSnapshotRule(redis), skewMs: await readSkew(redis) }),
  );
}

/** Not every user may ask, and managed servers have no CONFIG. */
async function readSnapshotRule(redis: Redis): Promise<string | undefined> {
  const answer: unknown = await redis.config('GET', 'save').catch(() => undefined);
  return Array.isArray(answer) && typeof answer[1] === 'string' ? answer[1] : undefined;
}

async function readSkew(redis: Redis): Promise<number | undefined> {
  const askedAt = Date.now();
  const answer: unknown = await redis.time().catch(() => undefined);
  if (!Array.isArray(answer)) return undefined;
  const [seconds, micros] = answer.map(Number);
  if (seconds === undefined || micros === undefined || !Number.isFinite(seconds + micros)) return undefined;
  return seconds * 1_000 + micros / 1_000 - (askedAt + Date.now()) / 2;
}
