import { fault, fine, isThisMachine, judgeClockSkew, skipped, type SurroundingCheck } from '@answer-evidence/ports';
import type { RedisFacts } from './redis-facts.ts';

/** The oldest with the commands that the scripts of BullMQ use. */
const VERSION_MIN = { major: 6, minor: 2 };
const MEMORY_SHARE_MAX = 0.9;
/** More than one process opens: a connection per topic, and a few beside. */
const CLIENTS_FREE_MIN = 20;

/** What is checked of a Redis over the first connection. */
export const REDIS_CHECKS: readonly SurroundingCheck<RedisFacts>[] = [
  {
    name: 'redis.version',
    severity: 'refuse',
    foundBy: 'INFO server: redis_version',
    judge({ version }) {
      const [, major = '', minor = '0'] = /^(\d+)(?:\.(\d+))?/.exec(version ?? '') ?? [];
      if (version === undefined || major === '') return skipped('Redis does not tell its version');
      const isNew =
        Number(major) > VERSION_MIN.major ||
        (Number(major) === VERSION_MIN.major && Number(minor) >= VERSION_MIN.minor) ||
        // A version without its second part is of no use for a comparison.
        (Number(major) === VERSION_MIN.major && !version.includes('.'));
      return isNew
        ? fine(`Redis ${version}`)
        : fault(`Redis is version ${version}; upgrade it to ${VERSION_MIN.major}.${VERSION_MIN.minor} or newer`);
    },
  },
  {
    name: 'redis.mode',
    severity: 'refuse',
    foundBy: 'INFO: redis_mode, cluster_enabled',
    judge({ mode }) {
      if (mode === 'cluster')
        return fault(
          'Redis is a cluster, where one command cannot use keys of several slots (CROSSSLOT); let REDIS_URL lead to a ' +
            'Redis without cluster mode, or to the Sentinels of one',
        );
      if (mode === 'sentinel')
        return fault(
          'REDIS_URL leads to a Sentinel, which holds no data; write it as ' +
            'redis-sentinel://HOST:PORT,HOST:PORT?sentinelMasterId=NAME',
        );
      return fine('one server, no cluster');
    },
  },
  {
    name: 'redis.role',
    severity: 'refuse',
    foundBy: 'INFO replication: role',
    judge({ role }) {
      if (role === undefined) return skipped('Redis does not tell its role');
      return role === 'master'
        ? fine('master')
        : fault('Redis is a replica, which accepts no writes; let REDIS_URL lead to the master');
    },
  },
  {
    name: 'redis.eviction',
    severity: 'refuse',
    foundBy: 'INFO memory: maxmemory_policy',
    judge({ policy }) {
      if (policy === undefined) return skipped('Redis does not show its maxmemory-policy');
      return policy === 'noeviction'
        ? fine('maxmemory-policy is noeviction')
        : fault(`Redis drops jobs when its memory is full (maxmemory-policy is ${policy}); set it to noeviction`);
    },
  },
  {
    name: 'redis.persistence',
    severity: 'warn',
    foundBy: 'INFO persistence: aof_enabled; CONFIG GET save',
    judge({ isAppending, snapshotRule }) {
      if (isAppending === undefined) return skipped('Redis does not show its persistence');
      if (isAppending) return fine('appendonly is on');
      const advice = 'set appendonly to yes';
      return snapshotRule === undefined || snapshotRule !== ''
        ? fault(
            `Redis loses the jobs since its last snapshot when it ends; they start again after 2 minutes: ${advice}`,
          )
        : fault(`Redis keeps nothing when it ends; jobs start again from the database after 2 minutes: ${advice}`);
    },
  },
  {
    name: 'redis.snapshot',
    severity: 'warn',
    foundBy: 'INFO persistence: rdb_last_bgsave_status',
    judge({ snapshot }) {
      if (snapshot === undefined) return skipped('Redis does not show its snapshots');
      return snapshot === 'ok'
        ? fine('the last snapshot succeeded')
        : fault(
            'the last snapshot of Redis failed, and it may refuse writes until one succeeds (MISCONF); free its disk, ' +
              'and read its log',
          );
    },
  },
  {
    name: 'redis.memory',
    severity: 'warn',
    foundBy: 'INFO memory: used_memory, maxmemory',
    judge({ memoryUsed, memoryMax }) {
      if (memoryUsed === undefined || memoryMax === undefined) return skipped('Redis does not show its memory');
      if (memoryMax === 0) return fine('no maxmemory');
      const percent = Math.round((memoryUsed / memoryMax) * 100);
      return memoryUsed <= memoryMax * MEMORY_SHARE_MAX
        ? fine(`${percent} % of maxmemory is used`)
        : fault(`Redis has used ${percent} % of its maxmemory and refuses jobs when it is full (OOM); raise maxmemory`);
    },
  },
  {
    name: 'redis.connections',
    severity: 'warn',
    foundBy: 'INFO clients: connected_clients, maxclients',
    judge({ clients, clientsMax }) {
      if (clients === undefined || clientsMax === undefined) return skipped('Redis does not show its clients');
      return clientsMax - clients >= CLIENTS_FREE_MIN
        ? fine(`${clients} of ${clientsMax} connections are in use`)
        : fault(`Redis has ${clients} of ${clientsMax} connections in use; raise maxclients`);
    },
  },
  {
    name: 'redis.tls',
    severity: 'warn',
    foundBy: 'the scheme of REDIS_URL',
    judge({ isEncrypted, host }) {
      if (isEncrypted) return fine('the connection is encrypted');
      if (isThisMachine(host)) return skipped('is on this machine');
      return fault('Redis is reached without TLS; begin REDIS_URL with rediss instead of redis');
    },
  },
  {
    name: 'redis.clock',
    severity: 'warn',
    foundBy: 'TIME',
    judge: ({ skewMs }) => judgeClockSkew(skewMs, 'Redis'),
  },
];
