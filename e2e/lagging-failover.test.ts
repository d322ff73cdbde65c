import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FailoverPlace, type FailoverRound, openFailoverPlace } from './support/failover-rounds.ts';

const ROUNDS = 50;
const BEHIND_MS_MAX = 3_000;

/** From none to all of three seconds behind, in each of the four ways in turn. */
const rounds = Array.from({ length: ROUNDS }, (_, n): FailoverRound => ({
  // Most of them within the second that no head covers.
  behindMs: n % 3 === 2 ? Math.round((n / ROUNDS) * BEHIND_MS_MAX) : (n * 37) % 700,
  service: n % 2 === 0 ? 'running' : 'killed',
  form: n % 4 < 2 ? 'one process' : 'split',
  failovers: n % 7 === 6 ? 2 : 1,
}));

let place: FailoverPlace;
const totals = { acknowledged: 0, lost: 0, ready: 0, refused: 0 };
beforeAll(async () => {
  place = await openFailoverPlace();
}, 120_000);
afterAll(() => place.close(), 60_000);

describe(`${ROUNDS} failovers in a row to a standby that may lack what was acknowledged`, () => {
  it.each(rounds)(
    'sign no two trees of one size: $behindMs ms behind, $service, $form',
    async (round) => {
      const outcome = await place.run(round);
      totals.acknowledged += outcome.acknowledged;
      totals.lost += outcome.lost;
      totals[outcome.start] += 1;
      expect(outcome.acknowledged).toBeGreaterThan(0);
    },
    180_000,
  );

  it('leave one whole ledger, after starts of both kinds', async () => {
    process.stderr.write(`${JSON.stringify(totals)}\n`);
    expect(totals.lost).toBeGreaterThan(0);
    expect(Math.min(totals.ready, totals.refused)).toBeGreaterThan(0);
    expect(await place.check()).toContain('PASS');
  }, 120_000);
});
