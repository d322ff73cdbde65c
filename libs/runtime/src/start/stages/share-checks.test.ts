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
    const whole = { isSince: false };
    const asked = [check(one, whole), check(one, whole), check(other, whole), check(one, whole)];
    expect(running.map(({ id }) => id)).toEqual([one.id, other.id]);
    for (const { end } of running) end(report);
    const reports = await Promise.all(asked);
    expect(reports[1]).toBe(reports[0]);
    expect(reports).toEqual([report, report, report, report]);
  });

  it('of one that goes on from the last check get no report of one that begins at leaf 0', () => {
    const { check, running } = openChecks();
    void check(one, { isSince: false });
    void check(one, { isSince: true });
    void check(one, { isSince: true });
    expect(running).toHaveLength(2);
  });

  it('run anew for who asks later, after a failure as well', async () => {
    const { check, running } = openChecks();
    const failing = [check(one, { isSince: false }), check(one, { isSince: false })];
    running[0]?.fail(new Error('the database is unavailable'));
    for (const asked of failing) await expect(asked).rejects.toThrow('the database is unavailable');
    const later = check(one, { isSince: false });
    expect(running).toHaveLength(2);
    running[1]?.end(report);
    await expect(later).resolves.toBe(report);
    void check(one, { isSince: false });
    expect(running).toHaveLength(3);
  });
});
