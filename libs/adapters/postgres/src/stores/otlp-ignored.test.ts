import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OtlpFateRow } from '@answer-evidence/tables';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { createIgnoredStore } from './otlp-ignored.ts';

/** What is kept of one sender. */
const SHARE = 20_000;

let log: TestLog;
beforeAll(async () => {
  log = await openTestLog();
});
afterAll(() => log.close());

const fateOf = (sender: string, at: number): OtlpFateRow => ({
  id: log.newId(),
  application_key: 'support-bot',
  trace_id: `${sender}-${at}`,
  scope_name: '',
  reason: 'unrelated',
  detail: '',
  sender,
  item_count: 1,
  first_seen_at: at,
  last_seen_at: at,
  span_ids: '',
});

/** Traces of a sender, one seen in each microsecond from 1 on, behind the back of the store. */
async function fill(sender: string, count: number): Promise<void> {
  await log.owner.query(
    `insert into answer_evidence.otlp_fates
       select $1, gen_random_uuid(), 'support-bot', $2::text || '-' || n, '', 'unrelated', '', $2, 1, n, n, ''
       from generate_series(1, $3::int) n`,
    [log.workspace.id, sender, count],
  );
}

async function kept(): Promise<unknown> {
  const { rows } = await log.owner.query(
    `select sender, count(*)::int as traces, min(last_seen_at)::int as oldest from answer_evidence.otlp_fates
       group by sender order by sender`,
  );
  return rows;
}

describe('traces of which it is known why they left no record', () => {
  it('make room for newer ones of their sender, its oldest first, and for nobody else', async () => {
    const { countIgnored } = createIgnoredStore(log.pool);
    await fill('greedy', SHARE);
    await fill('modest', 10);
    // The first of a process looks through all senders, and later ones through those that they are of.
    for (const [n, sender] of ['modest', 'greedy', 'greedy'].entries())
      await countIgnored(log.workspace.id, [], [fateOf(sender, SHARE + n)], 0);
    expect(await kept()).toEqual([
      { sender: 'greedy', traces: SHARE, oldest: 3 },
      { sender: 'modest', traces: 11, oldest: 1 },
    ]);
  }, 60_000);

  it('are a part of what a workspace may have where there are more than ten senders', async () => {
    // Another process: it looks through all senders.
    const { countIgnored } = createIgnoredStore(log.pool);
    for (let n = 0; n < 14; n++) await fill(`one of many ${n}`, 1);
    await countIgnored(log.workspace.id, [], [fateOf('modest', SHARE + 9)], 0);
    // 200,000 among sixteen.
    expect(await kept()).toContainEqual({ sender: 'greedy', traces: 12_500, oldest: SHARE + 2 - 12_500 + 1 });
    expect(await kept()).toContainEqual({ sender: 'modest', traces: 12, oldest: 1 });
  }, 60_000);
});
