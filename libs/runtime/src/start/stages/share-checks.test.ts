import { describe, expect, it } from '@jest/globals';
import type { LedgerCheckReport } from '@answer-evidence/contracts';
import { createFakeWorkspace } from '@answer-evidence/testing';
import { shareChecks } from './share-checks.ts';

const { workspace: one } = createFakeWorkspace();
const other = { ...one, id: '0199f3c2-0000-7000-8000-00000000000b' };

/** Checks that end when they are told to. */
function openChecks() {
  const running: { id: string; end: (report: LedgerCheckReport) => void; fail: (error: Error) => void }[] = [];
  const check = shareChecks(
    ({ id }) => new Promise((resolve, reject) => void running.push({ id, end: resolve, fail: reject })),
  );
  return { check, running };
}

const report = {} as LedgerCheckReport;

describe('ledger checks', () => {
  it('of one workspace are one at a time, and anyone who asks meanwhile gets the same report', async () => {
    const { check, running } = openChecks();
    const asked = [check(one), check(one), check(other), check(one)];
    expect(running.map(({ id }) => id)).toEqual([one.id, other.id]);
    for (const { end } of running) end(report);
    const reports = await Promise.all(asked);
    expect(reports[1]).toBe(reports[0]);
    expect(reports).toEqual([report, report, report, report]);
  });

  it('run anew for who asks later, after a failure as well', async () => {
    const { check, running } = openChecks();
    const failing = [check(one), check(one)];
    running[0]?.fail(new Error('the database is unavailable'));
    for (const asked of failing) await expect(asked).rejects.toThrow('the database is unavailable');
    const later = check(one);
    expect(running).toHaveLength(2);
    running[1]?.end(report);
    await expect(later).resolves.toBe(report);
    void check(one);
    expect(running).toHaveLength(3);
  });
});
