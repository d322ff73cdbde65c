import { describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { ServerWatch } from './server-watch.ts';

const BEFORE = { systemIdentifier: '7', timeline: 1, synchronousStandbys: '', startedAt: '100' };
const PROMOTED = { ...BEFORE, timeline: 2 };

/** What a server says of itself, with so much of its write-ahead log on its disk. */
function rowOf({ systemIdentifier, timeline, startedAt, synchronousStandbys }: typeof BEFORE, flushed: number) {
  return {
    identifier: systemIdentifier,
    walFile: `${String(timeline).padStart(8, '0')}0000000000000001`,
    flushed: String(flushed),
    startedAt,
    standbys: synchronousStandbys,
  };
}

type Row = ReturnType<typeof rowOf>;

/** Connections whose answer comes when it is given. */
function openAsked() {
  const answers: ((row: Row) => void)[] = [];
  const query = () =>
    new Promise((resolve) => {
      answers.push((row) => resolve({ rows: [row] }));
    });
  return { pool: { query } as unknown as pg.Pool, answers };
}

function openWatch() {
  const watch = new ServerWatch();
  const heard: string[] = [];
  watch.listen({
    onOther: ({ timeline }) => void heard.push(`timeline ${timeline}`),
    onWentBack: ({ message }) => void heard.push(message),
  });
  const { pool, answers } = openAsked();
  const answer = async (asked: Promise<void>, row: Row): Promise<void> => {
    answers.shift()?.(row);
    await asked;
  };
  return { watch, heard, pool, answer };
}

describe('the watch of a server', () => {
  it('says that the log of the one that was admitted went back', async () => {
    const { watch, heard, pool, answer } = openWatch();
    await answer(watch.ask(pool), rowOf(BEFORE, 200));
    await expect(answer(watch.ask(pool), rowOf(BEFORE, 199))).rejects.toThrow('went back by 1 bytes');
    expect(heard).toEqual([expect.stringContaining('went back by 1 bytes')]);
  });

  it('compares no log with that of the server before, also where it was asked before another one was admitted', async () => {
    const { watch, heard, pool, answer } = openWatch();
    await answer(watch.ask(pool), rowOf(BEFORE, 200));
    const asked = [watch.ask(pool), watch.ask(pool)] as const;
    await expect(answer(asked[0], rowOf(PROMOTED, 150))).rejects.toThrow('another server');
    watch.admit(PROMOTED);
    await answer(asked[1], rowOf(PROMOTED, 150));
    expect(heard).toEqual(['timeline 2']);
    await expect(answer(watch.ask(pool), rowOf(PROMOTED, 149))).rejects.toThrow('went back by 1 bytes');
  });
});
