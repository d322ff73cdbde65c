import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FailoverPlace, type FailoverRound, openFailoverPlace } from './support/failover-rounds.ts';

let place: FailoverPlace;
beforeAll(async () => {
  place = await openFailoverPlace();
}, 120_000);
afterAll(() => place.close(), 60_000);

/** Both ways to fork a log, in each form, one after the other: so each database but the first was promoted itself. */
const ROUNDS: readonly FailoverRound[] = [
  { behindMs: 200, service: 'running', form: 'one process' },
  { behindMs: 300, service: 'killed', form: 'one process' },
  { behindMs: 300, service: 'killed', form: 'split' },
  { behindMs: 1_500, service: 'running', form: 'split' },
  { behindMs: 250, service: 'running', form: 'split', failovers: 2 },
  { behindMs: 350, service: 'killed', form: 'one process', failovers: 2 },
];

describe('a failover to a standby that lacks what was acknowledged', () => {
  it.each(ROUNDS)(
    'never signs two trees of one size: $behindMs ms behind, $service, $form',
    async (round) => {
      const outcome = await place.run(round);
      expect(outcome.acknowledged).toBeGreaterThan(0);
      process.stderr.write(`${JSON.stringify({ ...round, ...outcome })}\n`);
      expect(outcome.lost).toBeGreaterThan(0);
    },
    120_000,
  );

  it('leaves one whole ledger', async () => {
    expect(await place.check()).toContain('PASS');
  }, 60_000);
});
