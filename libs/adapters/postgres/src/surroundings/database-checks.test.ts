import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { judgeSurroundings } from '@answer-evidence/ports';
import { openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import { openPool } from '../pool.ts';
import { DATABASE_CHECKS } from './database-checks.ts';
import { type DatabaseFacts, readDatabaseFacts } from './read-database-facts.ts';

const DEMAND = { perProcess: 45, processes: 5 };

const GOOD: DatabaseFacts = {
  version: '18.4',
  versionNumber: 180_004,
  isStandby: false,
  isReadOnly: false,
  encoding: 'UTF8',
  fsync: 'on',
  fullPageWrites: 'on',
  connectionsMax: 297,
  connectionsLimit: undefined,
  connectionsInUse: 6,
  standbys: 0,
  synchronousStandbys: '',
  isEncrypted: true,
  host: 'db.example.com',
  user: 'owner',
  database: 'evidence',
  mayCreate: true,
  isOwner: true,
  skewMs: 12,
};

function judge(changes: Partial<DatabaseFacts>, demand = DEMAND) {
  return judgeSurroundings(DATABASE_CHECKS, { facts: { ...GOOD, ...changes }, demand });
}

describe('the checks of a database', () => {
  it('all pass for one that is set up as it should be', () => {
    expect(judge({}).filter(({ outcome }) => outcome !== 'PASS')).toEqual([]);
  });

  it.each<readonly [Partial<DatabaseFacts>, string, 'FAIL' | 'WARN', RegExp]>([
    [
      { version: '14.12', versionNumber: 140_012 },
      'database.version',
      'FAIL',
      /is PostgreSQL 14\.12; upgrade it to 15/,
    ],
    [{ isStandby: true, isReadOnly: true }, 'database.primary', 'FAIL', /is a standby.*let DATABASE_URL lead to the/],
    [
      { isReadOnly: true },
      'database.writable',
      'FAIL',
      /run: alter database "evidence" reset default_transaction_read/,
    ],
    [{ encoding: 'LATIN1' }, 'database.encoding', 'FAIL', /"evidence" in LATIN1; make one in UTF8: create database/],
    [{ isOwner: false, mayCreate: false }, 'database.rights', 'FAIL', /grant create on database "evidence" to "owner"/],
    [{ fsync: 'off' }, 'database.durable', 'WARN', /has fsync off.*switch it on/],
    [{ fullPageWrites: 'off' }, 'database.durable', 'WARN', /has full_page_writes off/],
    [{ standbys: 1 }, 'database.standbys', 'WARN', /a standby and no synchronous one.*set synchronous_standby_names/],
    [{ isEncrypted: false }, 'database.tls', 'WARN', /without TLS; add sslmode=verify-full/],
    [{ connectionsMax: 97 }, 'database.connections', 'WARN', /permits 97.*fewer than 225.*raise max_connections/],
    [{ connectionsLimit: 50 }, 'database.connections', 'WARN', /permits 50 .*raise the connection limit of the role/],
    [{ connectionsInUse: 290 }, 'database.free-connections', 'WARN', /has 7 of 297 connections free/],
    [{ skewMs: -60_000 }, 'database.clock', 'WARN', /60 s behind the clock of this machine; set both by NTP/],
  ])('name what is wrong with %j', (changes, name, outcome, text) => {
    const found = judge(changes).filter((one) => one.outcome === 'FAIL' || one.outcome === 'WARN');
    expect(found).toEqual([{ name, outcome, text: expect.stringMatching(text) }]);
  });

  it('accept standbys for which commits wait', () => {
    const found = judge({ standbys: 2, synchronousStandbys: 'ANY 1 (pg1, pg2)' });
    expect(found.find(({ name }) => name === 'database.standbys')?.outcome).toBe('PASS');
  });

  it('ask for no TLS on the way to this machine', () => {
    for (const host of ['127.0.0.1', 'localhost', '::1', '/run/postgresql'])
      expect(judge({ isEncrypted: false, host }).find(({ name }) => name === 'database.tls')?.outcome).toBe('SKIP');
  });

  it('each say how the same is found by hand, under a name of their own', () => {
    expect(new Set(DATABASE_CHECKS.map(({ name }) => name)).size).toBe(DATABASE_CHECKS.length);
    for (const { foundBy } of DATABASE_CHECKS) expect(foundBy).toMatch(/^(show|select) /);
  });
});

describe('the facts of a real database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  it('are read in one statement, and the checks refuse nothing', async () => {
    const owner = openPool({ url: database.url, role: 'owner', connectionsMax: 1, onError: () => undefined });
    try {
      const facts = await readDatabaseFacts(owner, database.url, () => Date.now());
      expect(facts).toMatchObject({ isStandby: false, isReadOnly: false, encoding: 'UTF8', host: '127.0.0.1' });
      expect(facts.versionNumber).toBeGreaterThanOrEqual(150_000);
      expect(facts.connectionsInUse).toBeGreaterThan(0);
      expect(Math.abs(facts.skewMs)).toBeLessThan(5_000);
      const found = judgeSurroundings(DATABASE_CHECKS, { facts, demand: { perProcess: 1, processes: 1 } });
      // The server of the tests does without fsync.
      expect(found.filter(({ outcome }) => outcome === 'FAIL' || outcome === 'WARN').map(({ name }) => name)).toEqual([
        'database.durable',
      ]);
    } finally {
      await owner.end();
    }
  });
});
