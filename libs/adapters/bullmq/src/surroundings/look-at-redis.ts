import type { Redis } from 'ioredis';
import { type Finding, judgeSurroundings } from '@answer-evidence/ports';
import { connectRedis, type RedisAccess } from '../connect-redis.ts';
import { type Endpoint, parseRedisAddress, type RedisAddress } from '../redis-address.ts';
import type { RedisTlsFiles } from '../redis-tls.ts';
import { examineRedis } from './examine-redis.ts';
import { lookAtSentinels } from './look-at-sentinels.ts';
import { RedisRefusedError, refusalOf, refusalOfSilent } from './refusals.ts';
import { SENTINEL_CHECKS } from './sentinel-checks.ts';

const LOOK_MS = 3_000;

/**
 * Resolves with what the checks came to, when Redis is usable. Rejects with `RedisRefusedError`, or with the last error
 * before that was known; a Redis that does not respond keeps it waiting.
 */
export async function lookAt(redis: Redis, url: string, access: RedisAccess = {}): Promise<readonly Finding[]> {
  const address = parseRedisAddress(url);
  const looking = findServer(address, access);
  // Both at once: what the first connection meets is an event, and would be missed.
  const [{ findings }] = await Promise.all([
    looking.then((found) => (assertUsable(found.findings), found)),
    untilReady(redis, tlsOf(address, access), looking),
  ]);
  return [...findings, ...assertUsable(await examineRedis(redis, url))];
}

/**
 * Every finding of a Redis, also of one that must not be used, over a connection of its own. Rejects with
 * `RedisRefusedError`, or with what kept the connection from being made.
 */
export async function inspectRedis(url: string, access: RedisAccess = {}): Promise<readonly Finding[]> {
  const address = parseRedisAddress(url);
  const looked = await findServer(address, access);
  if (looked.findings.some(({ outcome }) => outcome === 'FAIL')) return looked.findings;
  const once = { maxRetriesPerRequest: 0, commandTimeout: LOOK_MS, connectTimeout: LOOK_MS, retryStrategy: () => null };
  const redis = connectRedis(url, once, access);
  let last = new Error('Redis does not respond');
  redis.on('error', (error: Error) => (last = error));
  const ended = new Promise<never>((_resolve, reject) => redis.once('end', () => reject(last)));
  try {
    await Promise.race([untilReady(redis, tlsOf(address, access), Promise.resolve(looked)), ended]);
    return [...looked.findings, ...(await examineRedis(redis, url))];
  } catch (error) {
    if (error instanceof RedisRefusedError || looked.server === undefined) throw error;
    throw (await refusalOfSilent(looked.server, tlsOf(address, access))) ?? error;
  } finally {
    redis.disconnect();
  }
}

/** The server that is to be used, where it is known, and what the Sentinels that name it came to. */
type Looked = { readonly server: Endpoint | undefined; readonly findings: readonly Finding[] };

async function findServer(address: RedisAddress, access: RedisAccess): Promise<Looked> {
  const facts = await lookAtSentinels(address, access);
  if (facts === undefined) return { server: address.endpoints[0], findings: [] };
  const known = facts.answers.find((answer) => answer.kind === 'knows');
  return { server: known?.server, findings: judgeSurroundings(SENTINEL_CHECKS, facts) };
}

function assertUsable(findings: readonly Finding[]): readonly Finding[] {
  const refused = findings.find(({ outcome }) => outcome === 'FAIL');
  if (refused !== undefined) throw new RedisRefusedError(refused.text);
  return findings;
}

/** The files of connections to that address, if they are encrypted. */
function tlsOf({ isEncrypted }: RedisAddress, { tlsFiles = {} }: RedisAccess): RedisTlsFiles | undefined {
  return isEncrypted ? tlsFiles : undefined;
}

function untilReady(redis: Redis, tlsFiles: RedisTlsFiles | undefined, looking: Promise<Looked>): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    redis.once('ready', resolve);
    redis.on('error', (error: Error) => {
      const refusal = refusalOf(error);
      if (refusal !== undefined) reject(refusal);
    });
    redis.once('close', () => {
      looking
        .then(({ server }) => server && refusalOfSilent(server, tlsFiles))
        .then((refusal) => refusal && reject(refusal))
        .catch(reject);
    });
  });
}
