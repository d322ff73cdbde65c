import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { VersionedSettings } from '@answer-evidence/ledger';
import type { AppendResult } from '@answer-evidence/ports';
import { prepareAnswer } from '../fixtures/answers.ts';
import { prepareToken } from '../fixtures/changes.ts';
import { openTestLog, type TestLog } from '../fixtures/open-log.ts';

let log: TestLog;

beforeAll(async () => {
  log = await openTestLog();
});

afterAll(async () => {
  expect((await log.check()).findings).toEqual([]);
  await log.close();
});

function saidOf(result: AppendResult): unknown {
  return result.kind === 'failed' && result.error instanceof Error && 'code' in result.error
    ? result.error.code
    : result.kind;
}

describe('appendAll', () => {
  it.each([true, false])('decides each by itself, and says so in their order, with predict %s', async (predict) => {
    const ledger = log.openLedger({ predict });
    const settings = await ledger.settings(log.workspace.id);
    const answer = (question: string, key: string, under: VersionedSettings = settings) =>
      prepareAnswer(log, { question, key: `${key} ${predict}` })(under);
    const token = () => prepareToken(log, `many, predict ${predict}`, log.newId())();
    const commands = [
      answer('a', 'one'),
      answer('a', 'one'),
      answer('b', 'one'),
      answer('c', 'two', { ...settings, version: settings.version - 1 }),
      token(),
      token(),
      answer('d', 'three'),
    ];
    const results = await ledger.appendAll(log.workspace.id, commands);
    expect(results.map(saidOf)).toEqual([
      'appended',
      'replayed',
      'idempotency_payload_mismatch',
      'reprepare',
      'appended',
      'name_taken',
      'appended',
    ]);
    const leaves = results.flatMap((one) => (one.kind === 'appended' ? [one.entries[0].leafIndex] : []));
    expect(leaves).toEqual(leaves.toSorted((a, b) => a - b));
    for (const [n, one] of results.entries()) if ('command' in one) expect(one.command).toBe(commands[n]);
  });

  it('appends nothing of nothing', async () => {
    const before = (await log.check()).tree_size;
    expect(await log.openLedger().appendAll(log.workspace.id, [])).toEqual([]);
    expect((await log.check()).tree_size).toBe(before);
  });

  it('takes more than one transaction holds, each once', async () => {
    const ledger = log.openLedger();
    const settings = await ledger.settings(log.workspace.id);
    const commands = Array.from({ length: 300 }, (_, n) =>
      prepareAnswer(log, { question: `many ${n}`, key: `many ${n}` })(settings),
    );
    const [first, again] = await Promise.all([
      ledger.appendAll(log.workspace.id, commands),
      ledger.appendAll(log.workspace.id, commands),
    ]);
    expect(new Set(first.map(saidOf))).toEqual(new Set(['appended']));
    expect(new Set(again.map(saidOf))).toEqual(new Set(['replayed']));
  });
});
