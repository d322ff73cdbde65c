import { connect as connectTls } from 'node:tls';
import type { Redis } from 'ioredis';
import { type Finding, judgeSurroundings } from '@answer-evidence/ports';
import { REDIS_CHECKS } from './redis-checks.ts';
import { parseRedisFacts } from './redis-facts.ts';

/** Redis answers, and must not be used as it is; the message says in one line what to do. */
export class RedisRefusedError extends Error {
  override readonly name = 'RedisRefusedError';
}

const TLS_LOOK_MS = 1_000;

/** What a certificate is refused for, which no later attempt will change. */
const OF_CERTIFICATES =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_\w+)$/;

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

/** An error of a connection that stays until somebody changes something; undefined for one that may pass. */
export function refusalOf(error: Error): RedisRefusedError | undefined {
  if (/^(WRONGPASS|NOAUTH|NOPERM)/.test(error.message))
    return new RedisRefusedError('Redis rejects the user or password; correct REDIS_URL');
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (OF_CERTIFICATES.test(code))
    return new RedisRefusedError(
      `the certificate of Redis is not trusted (${code}); name its authority's file in NODE_EXTRA_CA_CERTS, or ` +
        'correct the certificate',
    );
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return new RedisRefusedError('Redis does not speak TLS at this port; use redis:// in REDIS_URL, or its TLS port');
  return undefined;
}

/** Whether the server at a `redis:` URL speaks TLS, which only shows by asking: it breaks other connections. */
export async function asksForTls(url: string): Promise<boolean> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'redis:') return false;
  return new Promise((resolve) => {
    // Nothing is sent over it, so it does not matter who answers.
    const socket = connectTls({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? 6379 : Number(port),
      rejectUnauthorized: false,
    });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('secureConnect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    socket.setTimeout(TLS_LOOK_MS, () => end(false));
  });
}

/** The refusal of a Redis at a `redis:` URL that speaks TLS only. */
export function tlsOnly(): RedisRefusedError {
  return new RedisRefusedError('Redis speaks TLS at this port; use rediss:// in REDIS_URL');
}
