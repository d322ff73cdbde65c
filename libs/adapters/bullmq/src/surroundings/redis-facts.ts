import { isThisMachine } from '@answer-evidence/ports';
import { parseRedisAddress } from '../redis-address.ts';

/** What a Redis says of itself. A part that it does not show is undefined. */
export type RedisFacts = {
  readonly version: string | undefined;
  /** `standalone`, `cluster` or `sentinel`. */
  readonly mode: string;
  /** `master` or `slave`. */
  readonly role: string | undefined;
  readonly policy: string | undefined;
  readonly memoryUsed: number | undefined;
  /** 0: no limit. */
  readonly memoryMax: number | undefined;
  readonly isAppending: boolean | undefined;
  /** Of the last snapshot; `ok` or `err`. */
  readonly snapshot: string | undefined;
  /** When snapshots are made; empty: never. Undefined where the user may not ask. */
  readonly snapshotRule: string | undefined;
  readonly clients: number | undefined;
  readonly clientsMax: number | undefined;
  /** Empty: this machine. */
  readonly host: string;
  readonly isEncrypted: boolean;
  readonly skewMs: number | undefined;
};

/** What was asked of the server, as it came back. */
type RedisAnswers = {
  readonly url: string;
  /** The answer to INFO. */
  readonly info: string;
  /** The value of `CONFIG GET save`. */
  readonly snapshotRule?: string | undefined;
  readonly skewMs?: number | undefined;
};

/** Reads the facts from the text of INFO, in which each line is a name, a colon and a value. */
export function parseRedisFacts({ url, info, snapshotRule, skewMs }: RedisAnswers): RedisFacts {
  const values = new Map(
    info.split(/\r?\n/).flatMap((line) => {
      const at = line.indexOf(':');
      return at < 1 || line.startsWith('#') ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
    }),
  );
  const numberOf = (name: string): number | undefined => {
    const text = values.get(name);
    return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
  };
  const { endpoints, isEncrypted } = parseRedisAddress(url);
  const hosts = endpoints.map(({ host }) => host);
  const appending = values.get('aof_enabled');
  return {
    version: values.get('redis_version'),
    mode: values.get('cluster_enabled') === '1' ? 'cluster' : (values.get('redis_mode') ?? 'standalone'),
    role: values.get('role'),
    policy: values.get('maxmemory_policy'),
    memoryUsed: numberOf('used_memory'),
    memoryMax: numberOf('maxmemory'),
    isAppending: appending === undefined ? undefined : appending === '1',
    snapshot: values.get('rdb_last_bgsave_status'),
    snapshotRule,
    clients: numberOf('connected_clients'),
    clientsMax: numberOf('maxclients'),
    host: hosts.find((host) => !isThisMachine(host)) ?? '',
    isEncrypted,
    skewMs,
  };
}
