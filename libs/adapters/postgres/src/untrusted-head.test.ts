import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AppendOutcome } from '@answer-evidence/ports';
import { prepareAnswer } from '../fixtures/answers.ts';
import { prepareNote } from '../fixtures/changes.ts';
import { openTestLog, type TestLog } from '../fixtures/open-log.ts';
import { createLogStore, type PostgresLedger } from './index.ts';

let log: TestLog;
let stops: string[];

beforeEach(async () => {
  log = await openTestLog();
  stops = [];
});

afterEach(async () => {
  await log.close();
});

function openLedger(predict: boolean): PostgresLedger {
  return log.openLedger({ predict, onFatal: (error) => void stops.push(error.message) });
}

function append(ledger: PostgresLedger, question: string): Promise<AppendOutcome> {
  return ledger.append(log.workspace.id, prepareAnswer(log, { question }));
}

type Saved = { readonly head: Record<string, unknown> };

async function saveHead(): Promise<Saved> {
  const { rows } = await log.owner.query<Record<string, unknown>>('select * from answer_evidence.ledger_heads');
  return { head: rows[0] ?? {} };
}

/** Puts the database back to an earlier head, as a restore from a backup would, behind the back of every trigger. */
async function restore({ head }: Saved): Promise<void> {
  const client = await log.owner.connect();
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    await client.query(
      `update answer_evidence.ledger_heads
         set tree_size = $1, right_edge = $2, last_at = $3, settings_version = $4, mac = $5`,
      [head.tree_size, head.right_edge, head.last_at, head.settings_version, head.mac],
    );
    await client.query('delete from answer_evidence.ledger_leaves where leaf_index >= $1', [head.tree_size]);
    await client.query('delete from answer_evidence.ledger_commits where tree_size > $1', [head.tree_size]);
    await client.query('delete from answer_evidence.answer_records where leaf_index >= $1', [head.tree_size]);
    await client.query('commit');
  } finally {
    client.release();
  }
}

describe.each([true, false])('with predict %s, a ledger stops its process', (predict) => {
  it('and writes nothing more when the MAC of the head is wrong', async () => {
    const ledger = openLedger(predict);
    await append(ledger, 'good');
    // A bet that wins has compared the MAC with the one remembered, and replaces the whole row by what follows from
    // memory.
    const altered = predict ? 'mac = set_byte(mac, 0, (get_byte(mac, 0) + 1) % 256)' : 'last_at = last_at + 1';
    await log.owner.query(`update answer_evidence.ledger_heads set ${altered}`);
    const before = await saveHead();
    const together = await Promise.allSettled(Array.from({ length: 4 }, (_, n) => append(ledger, `bad ${n}`)));
    for (const outcome of together) expect(outcome).toMatchObject({ reason: { code: 'content_damaged' } });
    await expect(append(ledger, 'later')).rejects.toMatchObject({ code: 'content_damaged' });
    expect(stops).toEqual([expect.stringContaining('MAC of the ledger head is invalid')]);
    expect(await saveHead()).toEqual(before);
    await expect(createLogStore(log.pool, log.directory).snapshot(log.workspace.id)).rejects.toMatchObject({
      code: 'content_damaged',
      remedy: 'stop-process',
    });
  });

  it('when the head is missing', async () => {
    await log.owner.query('delete from answer_evidence.ledger_heads');
    await expect(append(openLedger(predict), 'lost')).rejects.toMatchObject({ code: 'content_damaged' });
    expect(stops).toEqual([expect.stringContaining('is missing')]);
  });

  it('when the head is older than one it has seen', async () => {
    const ledger = openLedger(predict);
    await append(ledger, 'first');
    const backup = await saveHead();
    await append(ledger, 'second');
    await restore(backup);
    await expect(append(ledger, 'third')).rejects.toMatchObject({ code: 'content_damaged' });
    expect(stops).toEqual([expect.stringContaining('went back from 5 to 4')]);
  });

  it('when the head is another one of the size that it has seen', async () => {
    const [ledger, other] = [openLedger(predict), openLedger(predict)];
    await append(ledger, 'first');
    const backup = await saveHead();
    await append(ledger, 'second');
    await restore(backup);
    await other.append(log.workspace.id, prepareNote(log));
    expect(stops).toEqual([]);
    await expect(append(ledger, 'third')).rejects.toMatchObject({ code: 'content_damaged' });
    expect(stops).toEqual([expect.stringContaining('another head of size 5')]);
  });
});
