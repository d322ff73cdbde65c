import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FailoverPlace, type FailoverRound, openFailoverPlace } from './support/failover-rounds.ts';

const ROUNDS = Number(process.env['FAILOVER_ROUNDS'] ?? 50);
const [LEAST_BEHIND_MS = 0, MOST_BEHIND_MS = LEAST_BEHIND_MS] = (process.env['FAILOVER_BEHIND_MS'] ?? '0-5000')
  .split('-')
  .map(Number);

function behindMsOf(n: number): number {
  // Most of them within the second that no head covers.
  if (LEAST_BEHIND_MS === 0 && n % 3 !== 2) return (n * 37) % 700;
  return Math.round(LEAST_BEHIND_MS + (n / Math.max(1, ROUNDS - 1)) * (MOST_BEHIND_MS - LEAST_BEHIND_MS));
}

/** Each of the four ways in turn, and each of them also with two failovers. */
const rounds = Array.from({ length: ROUNDS }, (_, n): FailoverRound => ({
  behindMs: behindMsOf(n),
  service: n % 2 === 0 ? 'running' : 'killed',
  form: n % 4 < 2 ? 'one process' : 'split',
  failovers: n % 5 === 1 || n % 5 === 4 ? 2 : 1,
}));

let place: FailoverPlace;
const totals = { acknowledged: 0, lost: 0, ready: 0, refused: 0 };
beforeAll(async () => {
  place = await openFailoverPlace();
}, 120_000);
afterAll(() => place.close(), 60_000);

describe(`${ROUNDS} failovers in a row to a standby that may lack what was acknowledged`, () => {
  it.each(rounds)(
    'sign no two trees of one size: $behindMs ms behind, $service, $form, $failovers in a row',
    async (round) => {
      const outcome = await place.run(round);
      totals.acknowledged += outcome.acknowledged;
      totals.lost += outcome.lost;
      totals[outcome.start] += 1;
      process.stderr.write(`${JSON.stringify({ ...round, ...outcome })}\n`);
      expect(outcome.acknowledged).toBeGreaterThan(0);
    },
    180_000,
  );

  it('leave one whole ledger, after starts of both kinds', async () => {
    process.stderr.write(`${JSON.stringify(totals)}\n`);
    expect(totals.lost).toBeGreaterThan(0);
    // Far behind, each start is refused.
    expect(Math.min(LEAST_BEHIND_MS === 0 ? totals.ready : totals.lost, totals.refused)).toBeGreaterThan(0);
    expect(await place.check()).toContain('PASS');
  }, 120_000);
});
