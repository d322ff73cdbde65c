import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StoredDamageError } from '@answer-evidence/ports';
import { prepareNote } from '../fixtures/changes.ts';
import { openTestLog, type TestLog } from '../fixtures/open-log.ts';

/** One leaf less than fills a tile. */
const ALMOST = 255;

let log: TestLog;
beforeAll(async () => {
  log = await openTestLog();
  const ledger = log.openLedger();
  const { head } = await log.logs.snapshot(log.workspace.id);
  const missing = ALMOST - head.tree_size;
  await Promise.all(Array.from({ length: missing }, () => ledger.append(log.workspace.id, prepareNote(log))));
  await log.owner.query('create table sound as table answer_evidence.ledger_leaves');
});
afterAll(() => log.close());

/** As somebody who has the whole database in hands. */
async function vandalise(...statements: readonly string[]): Promise<void> {
  await log.owner.query('set session_replication_role = replica');
  for (const statement of statements) await log.owner.query(statement);
  await log.owner.query('set session_replication_role = origin');
}

describe('a tile that becomes full over leaves that were changed', () => {
  it.each([
    [
      'a hash that was flipped',
      `update answer_evidence.ledger_leaves set leaf_hash = sha256('x') where leaf_index = 100`,
    ],
    ['a hash that was cut', `update answer_evidence.ledger_leaves set leaf_hash = '\\x00' where leaf_index = 100`],
    ['a leaf that is gone', `delete from answer_evidence.ledger_leaves where leaf_index = 100`],
  ])('is never written over %s', async (_, damage) => {
    await vandalise(damage);
    // It has the leaves from the database, as after a start.
    const append = () => log.openLedger().append(log.workspace.id, prepareNote(log));
    await expect(append()).rejects.toThrow(StoredDamageError);
    expect((await log.owner.query('select 1 from answer_evidence.ledger_tiles')).rows).toEqual([]);
    expect((await log.logs.snapshot(log.workspace.id)).head.tree_size).toBe(ALMOST);
    await vandalise(
      'delete from answer_evidence.ledger_leaves',
      'insert into answer_evidence.ledger_leaves select * from sound',
    );
    expect((await log.check()).findings).toEqual([]);
  });

  it('is written once they are restored', async () => {
    expect((await log.openLedger().append(log.workspace.id, prepareNote(log))).kind).toBe('appended');
    expect((await log.owner.query('select 1 from answer_evidence.ledger_tiles')).rows).toHaveLength(1);
    expect((await log.check()).findings).toEqual([]);
  });
});
