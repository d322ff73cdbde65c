import { describe, expect, it } from '@jest/globals';
import { judgeSurroundings } from '@answer-evidence/ports';
import { REDIS_CHECKS } from './redis-checks.ts';
import { parseRedisFacts, type RedisFacts } from './redis-facts.ts';

const INFO = `# Server\r
redis_version:7.0.15\r
redis_mode:standalone\r
# Clients\r
connected_clients:3\r
maxclients:10000\r
# Memory\r
used_memory:1048576\r
maxmemory:0\r
maxmemory_policy:noeviction\r
# Persistence\r
rdb_last_bgsave_status:ok\r
aof_enabled:1\r
# Replication\r
role:master\r
# Cluster\r
cluster_enabled:0\r
`;
const GOOD = parseRedisFacts({ url: 'rediss://redis.example.com', info: INFO, snapshotRule: '', skewMs: 3 });

function judge(changes: Partial<RedisFacts>) {
  return judgeSurroundings(REDIS_CHECKS, { ...GOOD, ...changes });
}

describe('the checks of a Redis', () => {
  it('all pass for one that is set up as it should be', () => {
    expect(judge({}).filter(({ outcome }) => outcome !== 'PASS')).toEqual([]);
  });

  it.each<readonly [Partial<RedisFacts>, string, 'FAIL' | 'WARN', RegExp]>([
    [{ version: '5.0.14' }, 'redis.version', 'FAIL', /is version 5\.0\.14; upgrade it to 6\.2 or newer/],
    [{ version: '6.0.9' }, 'redis.version', 'FAIL', /upgrade it/],
    [{ mode: 'cluster' }, 'redis.mode', 'FAIL', /CROSSSLOT.*let REDIS_URL lead to a Redis without cluster mode/],
    [
      { mode: 'sentinel' },
      'redis.mode',
      'FAIL',
      /leads to a Sentinel.*write it as redis-sentinel:\/\/HOST:PORT.*sentinelMasterId=NAME/,
    ],
    [{ role: 'slave' }, 'redis.role', 'FAIL', /is a replica.*let REDIS_URL lead to the master/],
    [{ policy: 'allkeys-lru' }, 'redis.eviction', 'FAIL', /\(maxmemory-policy is allkeys-lru\); set it to noeviction/],
    [{ isAppending: false }, 'redis.persistence', 'WARN', /keeps nothing when it ends.*set appendonly to yes/],
    [
      { isAppending: false, snapshotRule: '60 1' },
      'redis.persistence',
      'WARN',
      /loses the jobs since its last snapshot/,
    ],
    [{ snapshot: 'err' }, 'redis.snapshot', 'WARN', /MISCONF.*free its disk/],
    [{ memoryUsed: 95, memoryMax: 100 }, 'redis.memory', 'WARN', /95 % of its maxmemory.*raise maxmemory/],
    [{ clients: 9_990 }, 'redis.connections', 'WARN', /9990 of 10000.*raise maxclients/],
    [{ isEncrypted: false }, 'redis.tls', 'WARN', /begin REDIS_URL with rediss instead of redis/],
    [{ skewMs: 3_600_000 }, 'redis.clock', 'WARN', /3600 s ahead of the clock of this machine/],
  ])('name what is wrong with %j', (changes, name, outcome, text) => {
    const found = judge(changes).filter((one) => one.outcome === 'FAIL' || one.outcome === 'WARN');
    expect(found).toEqual([{ name, outcome, text: expect.stringMatching(text) }]);
  });

  it('skip what a server does not show', () => {
    const found = judgeSurroundings(REDIS_CHECKS, parseRedisFacts({ url: 'redis://localhost', info: '' }));
    expect(new Set(found.map(({ outcome }) => outcome))).toEqual(new Set(['SKIP', 'PASS']));
  });

  it('tell a cluster by either line, whatever else it says', () => {
    expect(parseRedisFacts({ url: 'redis://x', info: 'cluster_enabled:1\r\nredis_mode:standalone' }).mode).toBe(
      'cluster',
    );
    expect(parseRedisFacts({ url: 'redis://x', info: 'redis_mode:sentinel' }).mode).toBe('sentinel');
  });
});
