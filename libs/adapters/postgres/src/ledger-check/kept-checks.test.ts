import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { LedgerCheckReport } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { prepareAnswer } from '../../fixtures/answers.ts';
import { prepareChange } from '../../fixtures/changes.ts';
import { openOther } from '../../fixtures/fill-every-table.ts';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { checkStoredLedger, type RangeThreads, type StoredCheckOptions } from './check-stored-ledger.ts';
import { createKeptChecks } from './kept-checks.ts';

const BLOCK_LEAVES = 8;
const DAY_MICROS = 24 * 3_600 * 1_000_000;

let log: TestLog;
let ledger: ReturnType<TestLog['openLedger']>;
let answers = 0;
let now: number;

beforeEach(async () => {
  log = await openTestLog();
  ledger = log.openLedger();
  now = log.clock.nowMicros();
  await append(3 * BLOCK_LEAVES);
});
afterEach(() => log.close());

async function append(count: number): Promise<void> {
  const keys = Array.from({ length: count }, () => `answer-${answers++}`);
  const one = (key: string) => prepareAnswer(log, { question: key, key });
  await Promise.all(keys.map((key) => ledger.append(log.workspace.id, one(key))));
}

const check = (how: { readonly isSince?: boolean } & StoredCheckOptions = {}, of = log.workspace) =>
  checkStoredLedger(log.pool, of, () => Promise.resolve(), {
    blockLeaves: BLOCK_LEAVES,
    kept: { now: () => now, isSince: how.isSince ?? false },
    ...how,
  });

const since = (options: StoredCheckOptions = {}): Promise<LedgerCheckReport> => check({ isSince: true, ...options });

/** Threads that tell which ranges they are given, and find nothing. */
function counting(read: number[]): RangeThreads {
  return {
    atOnce: 1,
    leavesMin: 0,
    run({ from, to }) {
      read.push(from);
      return Promise.resolve({ from, to, total: 0, findings: [] });
    },
  };
}

/** As somebody who has the whole database in hands. */
async function vandalise(statement: string, values: readonly unknown[] = []): Promise<void> {
  const client = await log.owner.connect();
  await client.query('set session_replication_role = replica');
  try {
    await client.query(statement, [...values]);
  } finally {
    await client.query('set session_replication_role = origin');
    client.release();
  }
}

const rows = async () =>
  (await log.owner.query<{ name: string }>('select name from answer_evidence.ledger_checks order by 1')).rows.map(
    ({ name }) => name,
  );

describe('a check that goes on from the last one', () => {
  it('reads what came later only, says so, and says when a whole check last began', async () => {
    const whole = await check();
    expect(whole).toMatchObject({ outcome: 'PASS', entries_checked: whole.tree_size });
    expect(whole.since).toBeUndefined();
    expect(await rows()).toEqual(['statement']);
    await append(5);
    now += DAY_MICROS;
    const read: number[] = [];
    const next = await since({ threads: counting(read) });
    expect(read).toEqual([whole.tree_size]);
    expect(next).toMatchObject({
      outcome: 'PASS',
      tree_size: whole.tree_size + 5,
      entries_checked: 5,
      since: { tree_size: whole.tree_size, root_hash: whole.root_hash, not_looked_at: expect.any(String) },
    });
    expect(next.since?.checked_at).toBe(next.since?.whole_at);
    now += DAY_MICROS;
    const third = await since();
    expect(third).toMatchObject({ entries_checked: 0, since: { tree_size: next.tree_size } });
    expect(third.since?.whole_at).toBe(next.since?.whole_at);
    expect(third.since?.checked_at).not.toBe(next.since?.checked_at);
  });

  it('passes over an old part that was altered, which a whole check finds, and no statement stands then', async () => {
    await check();
    await append(2);
    await vandalise(`update answer_evidence.answer_records set environment = environment || 'x' where leaf_index = 5`);
    try {
      expect(await since()).toMatchObject({ outcome: 'PASS', entries_checked: 2 });
      expect(await check()).toMatchObject({ outcome: 'FAIL', findings: [{ check: 'record', leaf_index: 5 }] });
      expect(await rows()).toEqual([]);
      const again = await since();
      expect(again).toMatchObject({ outcome: 'FAIL', entries_checked: again.tree_size });
      expect(again.since).toBeUndefined();
    } finally {
      await vandalise(
        `update answer_evidence.answer_records set environment = left(environment, -1) where leaf_index = 5`,
      );
    }
    expect(await check()).toMatchObject({ outcome: 'PASS' });
  });

  it('finds what is wrong with what came later, and with an old record of which a later entry speaks', async () => {
    await check();
    const { rows: records } = await log.owner.query<{ id: string; leaf_index: string }>(
      'select id, leaf_index from answer_evidence.answer_records order by leaf_index limit 1',
    );
    const [old] = records;
    await ledger.append(log.workspace.id, prepareChange(log, { recordId: old?.id ?? '', type: 'voided' }));
    await vandalise(`update answer_evidence.answer_records set environment = environment || 'x' where id = $1`, [
      old?.id,
    ]);
    expect(await since()).toMatchObject({ outcome: 'FAIL', findings: [{ check: 'record' }, { check: 'status' }] });
    await vandalise(`update answer_evidence.answer_records set environment = left(environment, -1) where id = $1`, [
      old?.id,
    ]);
    expect(await check()).toMatchObject({ outcome: 'PASS' });
    await append(2);
    await vandalise(`update answer_evidence.ledger_leaves set leaf_hash = sha256('x')
      where leaf_index = (select max(leaf_index) from answer_evidence.ledger_leaves)`);
    expect(await since()).toMatchObject({ outcome: 'FAIL', since: expect.anything() });
  });
});

describe('a statement', () => {
  it('that somebody altered counts for nothing', async () => {
    const { tree_size: size } = await check();
    await vandalise(
      `update answer_evidence.ledger_checks set content = replace(content, '"treeSize":${size}', '"treeSize":${size - 1}')`,
    );
    const report = await since();
    expect(report).toMatchObject({ outcome: 'PASS', entries_checked: size });
    expect(report.since).toBeUndefined();
  });

  it('that is older makes a check read more, and hides nothing', async () => {
    await check();
    await vandalise('create table older as table answer_evidence.ledger_checks');
    const { tree_size: older } = await since();
    await append(4);
    await since();
    await vandalise('update answer_evidence.ledger_checks c set content = o.content, mac = o.mac from older o');
    expect(await since()).toMatchObject({ outcome: 'PASS', entries_checked: 4, since: { tree_size: older } });
    await vandalise('drop table older');
  });

  it('of another workspace counts for nothing', async () => {
    const other = await log.directory.get(await openOther(log));
    await check();
    await vandalise(
      `insert into answer_evidence.ledger_checks select $1, name, content, mac from answer_evidence.ledger_checks`,
      [other.id],
    );
    const report = await check({ isSince: true }, other);
    expect(report).toMatchObject({ outcome: 'PASS', entries_checked: report.tree_size });
    expect(report.since).toBeUndefined();
  });

  it('of a log that is not this one any more is not gone on from', async () => {
    await check();
    await vandalise(
      'update answer_evidence.ledger_commits set root = sha256(root) where tree_size = (select max(tree_size) from answer_evidence.ledger_commits)',
    );
    const report = await since();
    expect(report).toMatchObject({ outcome: 'FAIL', findings: [{ check: 'commit' }] });
    expect(report.since).toBeUndefined();
  });
});

describe('a check that was killed', () => {
  it('is gone on with by the next one, which says what it took over', async () => {
    await leaveUnended();
    now += 1_000_000;
    const read: number[] = [];
    expect(await check({ threads: counting(read) })).toMatchObject({
      outcome: 'PASS',
      taken_over: { entries: 2 * BLOCK_LEAVES, begun_at: formatTimestamp(now - 1_000_000) },
    });
    expect(Math.min(...read)).toBe(2 * BLOCK_LEAVES);
    expect(await rows()).toEqual(['statement']);
  });

  it('is begun anew after a day', async () => {
    await leaveUnended();
    now += DAY_MICROS;
    const read: number[] = [];
    expect((await check({ threads: counting(read) })).taken_over).toBeUndefined();
    expect(Math.min(...read)).toBe(0);
  });

  it('is begun anew where the log does not hold the one that it saw', async () => {
    await leaveUnended({ rootHash: '00'.repeat(32) });
    const read: number[] = [];
    expect((await check({ threads: counting(read) })).taken_over).toBeUndefined();
    expect(Math.min(...read)).toBe(0);
  });

  it('has a block looked at again of which a later entry speaks, and nobody else says what was found in one', async () => {
    await leaveUnended();
    await append(1);
    const { rows: records } = await log.owner.query<{ id: string; leaf_index: number }>(
      `select id, leaf_index from answer_evidence.answer_records where leaf_index < ${BLOCK_LEAVES} limit 1`,
    );
    await ledger.append(log.workspace.id, prepareChange(log, { recordId: records[0]?.id ?? '', type: 'voided' }));
    await vandalise(`update answer_evidence.ledger_checks set content = replace(content, '"total":0', '"total":1')
      where name = 'block full ${BLOCK_LEAVES}'`);
    const read: number[] = [];
    const report = await check({ threads: counting(read) });
    expect(report.outcome).toBe('PASS');
    expect(read).toEqual(expect.arrayContaining([0, BLOCK_LEAVES]));
  });

  /** What one leaves that has found nothing in two blocks of the log as it is. */
  async function leaveUnended(other: { readonly rootHash?: string } = {}): Promise<void> {
    const { head, rootHash } = await readHead();
    const kept = await createKeptChecks(log.pool, log.workspace, () => now).open(undefined);
    await kept.progress.begin({ treeSize: head, rootHash, ...other }, false);
    for (const from of [0, BLOCK_LEAVES])
      await kept.progress.keep({ from, to: from + BLOCK_LEAVES, total: 0, findings: [] });
    kept.close();
  }

  async function readHead() {
    const { root_hash: rootHash, tree_size: head } = await log.check();
    return { head, rootHash };
  }
});

describe('two checks at once', () => {
  it('share the blocks, and both report the whole', async () => {
    await append(4 * BLOCK_LEAVES);
    const [reads, otherReads]: [number[], number[]] = [[], []];
    const isAlmostDone = Promise.withResolvers<void>();
    const isBegun = Promise.withResolvers<void>();
    const { tree_size: size } = await log.check();
    const one = check({
      threads: {
        ...counting(reads),
        async run(task) {
          isBegun.resolve();
          await isAlmostDone.promise;
          return counting(reads).run(task);
        },
      },
    });
    await isBegun.promise;
    const other = check({
      threads: {
        ...counting(otherReads),
        run(task) {
          if (task.to >= size) isAlmostDone.resolve();
          return counting(otherReads).run(task);
        },
      },
    });
    for (const report of await Promise.all([one, other]))
      expect(report).toMatchObject({ outcome: 'PASS', tree_size: size });
    expect(reads).toEqual([0]);
    expect(otherReads.filter((from) => from > 0)).toHaveLength(Math.ceil(size / BLOCK_LEAVES) - 1);
    expect((await one).taken_over?.entries).toBe(size - BLOCK_LEAVES);
    expect(await rows()).toEqual(['statement']);
  });
});
