import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { LedgerCheckReport } from '@answer-evidence/contracts';
import type { Workspace } from '@answer-evidence/ports';
import { checkStoredLedger, type RangeThreads } from '@answer-evidence/postgres';
import { parseConfig } from '../libs/runtime/src/ground/config.ts';
import { readMasterKey } from '../libs/runtime/src/open/open-master-vault.ts';
import { openCheckProgress } from '../libs/runtime/src/operator/check-progress.ts';
import { openRangeThreads } from '../libs/runtime/src/work/open-range-threads.ts';
import { openStoresOn } from '../tools/scenery/stores-on.ts';
import type { TestService } from '../tools/scenery/test-service.ts';
import { openRichWorkspace } from './support/rich-workspace.ts';

const MINUTES_MS = 60_000;
const THREADS = [1, 2, 3];

let service: TestService;
let opened: Awaited<ReturnType<typeof openStoresOn>>;
let owner: pg.Client;
let workspace: Workspace;
let threads: readonly Awaited<ReturnType<typeof openRangeThreads>>[];

beforeAll(async () => {
  ({ service } = await openRichWorkspace({ isTileFull: true }));
  await service.stop();
  opened = await openStoresOn(service);
  const { directory, urls } = opened.stores;
  const [first] = await directory.list();
  if (first === undefined) throw new Error('the service has a workspace');
  workspace = first;
  const { databaseUrl, dataDir } = service;
  const masterKey = await readMasterKey(parseConfig({ DATABASE_URL: databaseUrl, SERVICE_DATA_DIR: dataDir }), true);
  const place = { databaseUrl: urls.answer_evidence_app, masterKey, leavesMin: 0 };
  threads = THREADS.map((count) => openRangeThreads({ ...place, threads: count }));
  owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  await owner.query('set session_replication_role = replica');
}, MINUTES_MS);

afterAll(async () => {
  for (const one of threads) await one.close();
  await owner.end();
  await opened.stores.close();
  await service.close();
});

const check = (options: Parameters<typeof checkStoredLedger>[3] = {}): Promise<LedgerCheckReport> =>
  checkStoredLedger(opened.stores.pool, workspace, () => Promise.resolve(), options);

/** One alteration of each table that ranges are checked by, by a statement, and how it is undone. */
const ALTERATIONS: readonly string[] = [
  `update answer_evidence.answer_records set environment = environment || 'x' where leaf_index % 7 = 0`,
  `update answer_evidence.lifecycle_events set prev_event_hash = 'sha256:00'`,
  `update answer_evidence.record_states set status = 'voided'`,
  `update answer_evidence.sealed_contents set texts = items`,
  `delete from answer_evidence.idempotency_keys`,
  `update answer_evidence.ledger_leaves set subject = id where type = 'lifecycle_event'`,
  `update answer_evidence.evidence_assets set content_type = 'x/y'`,
  `delete from answer_evidence.trace_attachments`,
  `delete from answer_evidence.workspace_entries where type = 'token_issued'`,
];

/** What can be written: the database makes the other columns itself. */
const STORED_COLUMNS = `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
   where table_schema = 'answer_evidence' and table_name = $1 and is_generated = 'NEVER'`;

describe('a ledger check in threads', () => {
  it(
    'reports the same as in one piece, of a sound ledger and after every alteration',
    async () => {
      const whole = await check();
      expect([whole.outcome, whole.findings]).toEqual(['PASS', []]);
      expect(whole.tree_size).toBeGreaterThan(256);
      for (const one of threads) expect(await check({ threads: one })).toEqual(whole);
      for (const alteration of ALTERATIONS) {
        // The threads read what is committed, so it is undone from a copy.
        const [, table = ''] = /answer_evidence\.(\w+)/.exec(alteration) ?? [];
        await owner.query(`create temporary table kept as select * from answer_evidence.${table}`);
        await owner.query(alteration);
        try {
          const report = await check();
          expect([alteration, report.outcome]).toEqual([alteration, 'FAIL']);
          for (const one of threads) expect(await check({ threads: one })).toEqual(report);
        } finally {
          await owner.query(`delete from answer_evidence.${table}`);
          const { rows } = await owner.query<{ names: string }>(STORED_COLUMNS, [table]);
          const names = rows[0]?.names ?? '';
          await owner.query(`insert into answer_evidence.${table} (${names}) select ${names} from kept`);
          await owner.query('drop table kept');
        }
      }
      expect(await check({ threads: threads[1]! })).toEqual(whole);
    },
    3 * MINUTES_MS,
  );

  it('reads one state, however long it takes and whatever is written meanwhile', async () => {
    const [one] = threads;
    let altered = false;
    const late: RangeThreads = {
      ...one!,
      async run(task) {
        const isFirst = !altered;
        altered = true;
        if (isFirst) await owner.query(`update answer_evidence.answer_records set environment = environment || 'y'`);
        return one!.run(task);
      },
    };
    expect((await check({ threads: late })).outcome).toBe('PASS');
    expect((await check({ threads: one! })).outcome).toBe('FAIL');
    await owner.query(`update answer_evidence.answer_records set environment = left(environment, -1)`);
  });
});

describe('a ledger check that was interrupted', () => {
  it('goes on where it ended, trusts no line that the service did not write, and ends with no file', async () => {
    const folder = join(service.dataDir, 'progress');
    const whole = await check();
    const read: number[] = [];
    const counting = (fails: number): RangeThreads => ({
      ...threads[0]!,
      atOnce: 1,
      run(task) {
        if (read.length === fails) return Promise.reject(new Error('interrupted'));
        read.push(task.from);
        return threads[0]!.run(task);
      },
    });
    await check({ threads: counting(1), blockLeaves: 64, progress: await openCheckProgress(folder, workspace) });
    const [name = ''] = await readdir(folder);
    const file = join(folder, name);
    const lines = (await readFile(file, 'utf8')).split('\n');
    // A line that was cut off, and one that says of other ranges what nobody has found.
    await writeFile(file, `${lines.join('\n')}${lines[1]?.replace('"from":0', '"from":1')}\n${lines[1]?.slice(0, 80)}`);
    const progress = await openCheckProgress(folder, workspace);
    expect(progress.known).toBe(1);
    expect(await check({ threads: counting(Infinity), blockLeaves: 64, progress })).toEqual(whole);
    expect(new Set(read).size).toBe(read.length);
    await progress.end();
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('is gone on with after kill -9, and says what it took over', async () => {
    const { databaseUrl, dataDir } = service;
    const env = { ...process.env, DATABASE_URL: databaseUrl, SERVICE_DATA_DIR: dataDir };
    const killed = spawn(process.execPath, [join(import.meta.dirname, 'support/killed-check.ts')], { env });
    const [, signal] = await once(killed, 'close');
    expect(signal).toBe('SIGKILL');
    const kept = { now: () => opened.stores.clock.nowMicros(), isSince: false };
    const report = await check({ blockLeaves: 64, kept });
    expect(report).toMatchObject({ outcome: 'PASS', findings: [], entries_checked: report.tree_size });
    expect(report.taken_over?.entries).toBeGreaterThanOrEqual(64);
    const again = await check({ kept: { ...kept, isSince: true } });
    expect(again).toMatchObject({ entries_checked: 0, since: { tree_size: report.tree_size } });
  });
});
