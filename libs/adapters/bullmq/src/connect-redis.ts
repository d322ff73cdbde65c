import { Socket } from 'node:net';
import { Redis, type RedisOptions, SentinelConnector } from 'ioredis';
import { parseRedisAddress } from './redis-address.ts';
import { readRedisTls, type RedisTlsFiles } from './redis-tls.ts';

/** How long a Sentinel may take to accept a connection, and to say who the master is. */
const SENTINEL_MS = 2_000;
/**
 * After how long a server that owes an answer counts as dead. Longer than a worker listens at once (10 s at most). A
 * host that fails says nothing, and TCP alone would wait a quarter of an hour for it.
 */
const SILENCE_MS = 15_000;
const SENTINEL_RETRY_MS_MAX = 10_000;

/**
 * ioredis gives a connection up for ever when it is told of a failover, or to reconnect, just while it asks the
 * Sentinels. It gets a socket that has closed instead, after which it tries again unless it was closed by its owner.
 */
class LastingConnector extends SentinelConnector {
  override async connect(report: Parameters<SentinelConnector['connect']>[0]) {
    try {
      return await super.connect(report);
    } catch (error) {
      if (this.connecting) throw error;
      return new Socket().destroy();
    }
  }
}

/** What may change while connections to one place are made. */
export type RedisAccess = {
  /** Gives the URL for each connection anew, where its passwords may change. */
  readonly currentUrl?: (() => string) | undefined;
  /** Are read for each connection anew. */
  readonly tlsFiles?: RedisTlsFiles | undefined;
};

/**
 * A connection to the server of a `REDIS_URL`. Where that names Sentinels, each attempt asks them anew for the master,
 * and the connection ends when they name another one, also if the old one is hung and keeps it open. Each attempt after
 * the first has the names and passwords that `currentUrl` says then.
 */
export function connectRedis(
  url: string,
  options: RedisOptions,
  { currentUrl = () => url, tlsFiles = {} }: RedisAccess = {},
): Redis {
  const { retryStrategy } = options;
  const common: RedisOptions = {
    socketTimeout: SILENCE_MS,
    // A server that became a replica refuses writes from then on, and its address may lead to another one now.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    ...options,
    ...(retryStrategy === undefined || retryStrategy === null
      ? {}
      : {
          // A copy of this connection, such as BullMQ makes for each worker, has options of its own.
          retryStrategy(this: RedisOptions, times: number) {
            takeCredentials(this, currentUrl(), tlsFiles);
            return retryStrategy(times);
          },
        }),
  };
  const { sentinel, endpoints, isEncrypted, username, password, database } = parseRedisAddress(url);
  const tls = isEncrypted ? readRedisTls(tlsFiles) : undefined;
  if (sentinel === undefined) return new Redis(url, tls === undefined ? common : { ...common, tls });
  const behindSentinels: RedisOptions = {
    ...common,
    Connector: LastingConnector as NonNullable<RedisOptions['Connector']>,
    sentinels: endpoints.map(({ host, port }) => ({ host, port })),
    name: sentinel.master,
    role: 'master',
    failoverDetector: true,
    db: database,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(sentinel.username === undefined ? {} : { sentinelUsername: sentinel.username }),
    ...(sentinel.password === undefined ? {} : { sentinelPassword: sentinel.password }),
    ...(tls === undefined ? {} : { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
    connectTimeout: Math.min(options.connectTimeout ?? SENTINEL_MS, SENTINEL_MS),
    sentinelCommandTimeout: SENTINEL_MS,
    sentinelRetryStrategy: retryStrategy ?? (() => null),
    sentinelReconnectStrategy: (times) => Math.min(1_000 * times, SENTINEL_RETRY_MS_MAX),
  };
  return new Redis(behindSentinels);
}

function takeCredentials(options: RedisOptions, url: string, tlsFiles: RedisTlsFiles): void {
  const { username, password, sentinel } = parseRedisAddress(url);
  options.username = username;
  options.password = password;
  options.sentinelUsername = sentinel?.username;
  options.sentinelPassword = sentinel?.password;
  if (options.tls !== undefined) Object.assign(options.tls, freshTls(tlsFiles));
  if (options.sentinelTLS !== undefined) Object.assign(options.sentinelTLS, freshTls(tlsFiles));
}

/** A file that is being replaced is not there for a moment: the one before goes on. */
function freshTls(files: RedisTlsFiles) {
  try {
    return readRedisTls(files);
  } catch {
    return {};
  }
}
