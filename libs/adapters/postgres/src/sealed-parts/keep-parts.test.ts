import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { prepareAnswer } from '../../fixtures/answers.ts';
import { prepareChange } from '../../fixtures/changes.ts';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { vacuumErased } from '../vacuum-erased.ts';
import type { VacuumOutcome } from '../vacuum-outcome.ts';
import { isAnyPartLarge, keepSealedParts, type PartLimits } from './keep-parts.ts';
import { hasSpan, leastIdOf, listParts, spanOf } from './list-parts.ts';

const KIB = 1024;
const SMALL: PartLimits = {
  endBytes: 64 * KIB,
  partBytesMax: 192 * KIB,
  stepBytes: 128 * KIB,
  lockedBytesMax: Infinity,
};
const VACUUM = { tableBytesMax: Infinity, partBytesMax: Infinity, logBytesMax: 0, again: false };

let log: TestLog;
let ledger: ReturnType<TestLog['openLedger']>;
let answers = 0;

beforeEach(async () => {
  log = await openTestLog();
  ledger = log.openLedger();
});
afterEach(async () => {
  expect((await log.check()).findings).toEqual([]);
  await log.close();
});

/** Records with 1 KB each; the ids of all. */
async function append(count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  const one = (key: string) =>
    prepareAnswer(log, { question: `${key} ${'x'.repeat(KIB)}`, key, onId: (id) => void ids.push(id) });
  await Promise.all(Array.from({ length: count }, () => ledger.append(log.workspace.id, one(`answer-${answers++}`))));
  return ids;
}

const parts = () => listParts(log.owner);
const keep = (limits = SMALL) => keepSealedParts(log.url, limits);
const countIn = async (table: string) =>
  Number((await log.owner.query<{ count: string }>(`select count(*) from ${table}`)).rows[0]?.count);
const inodes = async () =>
  (
    await log.owner.query<{ name: string; node: string }>(
      `select relname as name, relfilenode::text as node from pg_class
         where relnamespace = 'answer_evidence_parts'::regnamespace and relkind = 'r' order by 1`,
    )
  ).rows;

/** Waits for the readers of other tests on this server, which hold the vacuum back. */
async function vacuumAll(): Promise<VacuumOutcome> {
  const outcome = await vacuumErased(log.url, VACUUM);
  if (outcome.kind !== 'held-back' && !(outcome.kind === 'done' && outcome.isSomeHeldBack)) return outcome;
  await new Promise(setImmediate);
  return await vacuumAll();
}

describe('the parts of sealed contents', () => {
  it('are one at first, of which nothing is to be done', async () => {
    expect(await parts()).toMatchObject([{ name: 'answer_evidence_parts.sealed_contents_0', from: null, to: null }]);
    expect(await isAnyPartLarge(log.pool, SMALL)).toBe(false);
    expect(await keep()).toEqual({ begun: 0, cutOff: 0, tooLarge: [], isBusy: false });
  });

  it('are divided where the first has become large, and have every row once, while records are made', async () => {
    await append(600);
    expect(await isAnyPartLarge(log.pool, SMALL)).toBe(true);
    const before = await countIn('answer_evidence.sealed_contents');
    const [outcome, made] = await Promise.all([keep(), append(60)]);
    expect(outcome).toMatchObject({ begun: 1, isBusy: false });
    expect(outcome.cutOff).toBeGreaterThan(2);
    expect(await countIn('answer_evidence.sealed_contents')).toBe(before + made.length);
    const all = await parts();
    for (const [n, part] of all.entries()) expect(part.from).toBe(all[n - 1]?.to ?? null);
    expect(all.at(-1)?.to).toBeNull();
  });

  it('are left as they are while somebody reads them for long, and divided by the next run', async () => {
    await append(400);
    const before = await countIn('answer_evidence.sealed_contents');
    // A reader holds the change up, until it gives up with what it has done.
    const reader = await log.owner.connect();
    await reader.query('begin');
    await reader.query('select count(*) from answer_evidence.sealed_contents');
    expect(await keep()).toMatchObject({ begun: 0, cutOff: 0, isBusy: true });
    await reader.query('commit');
    reader.release();
    expect(await keep()).toMatchObject({ begun: 1, isBusy: false });
    expect(await countIn('answer_evidence.sealed_contents')).toBe(before);
  });

  it('leave one alone that nobody may be made to wait for', async () => {
    await append(200);
    expect(await keep({ ...SMALL, lockedBytesMax: KIB })).toEqual({
      begun: 0,
      cutOff: 0,
      tooLarge: ['answer_evidence_parts.sealed_contents_0'],
      isBusy: false,
    });
  });

  it('are for nobody but their owner, also where row-level security is switched off for a session', async () => {
    await append(100);
    await keep();
    for (const { name } of await parts())
      await expect(log.pool.query(`select from ${name}`)).rejects.toMatchObject({ code: '42501' });
    await expect(log.pool.query('select object_id from answer_evidence.sealed_contents')).resolves.toMatchObject({
      rows: [],
    });
  });

  it('have no statistics of what is sealed', async () => {
    await append(300);
    await keep();
    await log.owner.query('analyze');
    const { rows } = await log.owner.query(
      `select 1 from pg_stats where tablename like 'sealed_contents%' and attname in ('wrapped_key', 'texts', 'items')`,
    );
    expect(rows).toEqual([]);
  });
});

describe('what was erased', () => {
  it('is taken out of the files of the parts that had it, and the others are left as they are', async () => {
    const ids = await append(300);
    await keep();
    await vacuumAll();
    const all = await parts();
    // Their spans are that of one test, so the parts are told apart by hand.
    const before = await inodes();
    const [first = ''] = ids.toSorted();
    await ledger.append(log.workspace.id, prepareChange(log, { recordId: first, type: 'redacted' }));
    const { rows } = await log.owner.query<{ sealed: readonly string[] }>(
      'select sealed from answer_evidence.erasures',
    );
    expect(rows.map((row) => row.sealed)).toEqual([[String(spanOf(first))]]);
    await log.owner.query('update answer_evidence.erasures set sealed = $1', [[spanOf(leastIdOf(1))]]);
    expect(await vacuumAll()).toMatchObject({ kind: 'done', notRewritten: [] });
    const after = await inodes();
    const changed = after.filter((one, n) => one.node !== before[n]?.node).map(({ name }) => name);
    expect(changed).toEqual(['sealed_contents_0']);
    expect(all.length).toBeGreaterThan(2);
  });

  it('is looked for in every part where a process of an earlier release erased it', async () => {
    await append(300);
    await keep();
    await vacuumAll();
    const before = await inodes();
    await log.owner.query('insert into answer_evidence.erasures (xid) values (pg_current_xact_id())');
    await vacuumAll();
    for (const [n, { node }] of (await inodes()).entries()) expect(node).not.toBe(before[n]?.node);
  });
});

it('a span has every id that is made within it, and a part those that it may have', () => {
  const id = '01a1f82f-1e80-7c52-ac95-1873d7f0df60';
  expect(spanOf(id)).toBe(Math.floor(0x01a1f82f1e80 / 2 ** 20));
  expect(leastIdOf(0x01a1f82f1e80) <= id).toBe(true);
  expect(leastIdOf(0x01a1f82f1e81) > id).toBe(true);
  const part = { name: '', bytes: 0, from: leastIdOf(5 * 2 ** 20), to: leastIdOf(7 * 2 ** 20 + 1) };
  expect([4, 5, 6, 7, 8].filter((span) => hasSpan(part, span))).toEqual([5, 6, 7]);
  expect(hasSpan({ ...part, from: null, to: null }, 0)).toBe(true);
});
