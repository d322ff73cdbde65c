import { Redis } from 'ioredis';
import type { RedisAccess } from '../connect-redis.ts';
import { type Endpoint, formatEndpoint, type RedisAddress } from '../redis-address.ts';
import { readRedisTls, type RedisTlsFiles } from '../redis-tls.ts';
import { refusalOf, refusalOfSilent } from './refusals.ts';
import type { SentinelAnswer, SentinelFacts } from './sentinel-checks.ts';

/** Shorter than the first look at Redis, of which it is a part. */
const LOOK_MS = 1_000;

/**
 * Asks each Sentinel of the address what it knows of the master. Rejects with `RedisRefusedError` for one that speaks
 * another protocol, or has a certificate that is not trusted.
 */
export async function lookAtSentinels(
  { endpoints, sentinel, isEncrypted }: RedisAddress,
  { tlsFiles = {} }: RedisAccess,
): Promise<SentinelFacts | undefined> {
  if (sentinel === undefined) return undefined;
  const answers = await Promise.all(
    endpoints.map(async (endpoint) => {
      const client = new Redis({
        ...endpoint,
        ...(sentinel.username === undefined ? {} : { username: sentinel.username }),
        ...(sentinel.password === undefined ? {} : { password: sentinel.password }),
        ...(isEncrypted ? { tls: readRedisTls(tlsFiles) } : {}),
        connectTimeout: LOOK_MS,
        commandTimeout: LOOK_MS,
        enableReadyCheck: false,
        maxRetriesPerRequest: 0,
        retryStrategy: () => null,
      });
      let last: Error | undefined;
      client.on('error', (error: Error) => (last = error));
      try {
        return parseAnswer(endpoint, await client.call('SENTINEL', 'MASTER', sentinel.master));
      } catch (error) {
        return await judgeFailure(endpoint, isEncrypted ? tlsFiles : undefined, last ?? error);
      } finally {
        client.disconnect();
      }
    }),
  );
  return { master: sentinel.master, answers };
}

/** The reply is a list of names and values in turn. */
function parseAnswer(endpoint: Endpoint, reply: unknown): SentinelAnswer {
  const words = Array.isArray(reply) ? reply.map(String) : [];
  const valueOf = (name: string) => words[words.indexOf(name) + 1] ?? '';
  return {
    place: formatEndpoint(endpoint),
    kind: 'knows',
    sentinels: Number(valueOf('num-other-sentinels')) + 1,
    quorum: Number(valueOf('quorum')),
    replicas: Number(valueOf('num-slaves')),
    server: { host: valueOf('ip'), port: Number(valueOf('port')) },
  };
}

async function judgeFailure(
  endpoint: Endpoint,
  files: RedisTlsFiles | undefined,
  error: unknown,
): Promise<SentinelAnswer> {
  const place = formatEndpoint(endpoint);
  if (!(error instanceof Error)) return { place, kind: 'silent' };
  if (/^(WRONGPASS|NOAUTH|NOPERM)/.test(error.message)) return { place, kind: 'rejects-credentials' };
  if (/^ERR No such master/i.test(error.message)) return { place, kind: 'knows-no-such-master' };
  if (/^ERR unknown command/i.test(error.message)) return { place, kind: 'is-no-sentinel' };
  const refusal = refusalOf(error) ?? (await refusalOfSilent(endpoint, files));
  if (refusal !== undefined) throw refusal;
  return { place, kind: 'silent' };
}
