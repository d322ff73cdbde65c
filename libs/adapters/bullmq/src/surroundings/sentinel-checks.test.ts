import { describe, expect, it } from '@jest/globals';
import { judgeSurroundings } from '@answer-evidence/ports';
import { SENTINEL_CHECKS, type SentinelAnswer } from './sentinel-checks.ts';

const KNOWS = {
  place: 'one:26379',
  kind: 'knows',
  sentinels: 3,
  quorum: 2,
  replicas: 1,
  server: { host: '10.0.0.1', port: 6379 },
} as const;

function judge(...answers: readonly SentinelAnswer[]) {
  return judgeSurroundings(SENTINEL_CHECKS, { master: 'ledger', answers });
}

describe('the checks of the Sentinels', () => {
  it('all pass where a failover can happen', () => {
    expect(judge(KNOWS, KNOWS, KNOWS).map(({ outcome }) => outcome)).toEqual(['PASS', 'PASS']);
  });

  it.each<readonly [SentinelAnswer, 'FAIL' | 'WARN', RegExp]>([
    [{ place: 'two:1', kind: 'is-no-sentinel' }, 'FAIL', /server at two:1 in REDIS_URL is not a Sentinel/],
    [{ place: 'two:1', kind: 'rejects-credentials' }, 'FAIL', /correct sentinelUsername and sentinelPassword/],
    [{ place: 'two:1', kind: 'knows-no-such-master' }, 'FAIL', /no master "ledger"; correct sentinelMasterId/],
    [{ place: 'two:1', kind: 'silent' }, 'WARN', /no response from the Sentinel at two:1; start it or remove it/],
  ])('name what is wrong with one of them: %j', (answer, outcome, text) => {
    const found = judge(KNOWS, answer).filter((one) => one.outcome === 'FAIL' || one.outcome === 'WARN');
    expect(found).toEqual([expect.objectContaining({ outcome, text: expect.stringMatching(text) })]);
  });

  it.each([
    [{ sentinels: 2 }, /2 Sentinels watch Redis, too few to agree on a failover; run 3/],
    [{ quorum: 4 }, /4 Sentinels must agree on a failover, but there are 3; lower the quorum/],
    [{ replicas: 0 }, /has no replica, so nothing can take over; add one/],
  ])('warn where no failover could happen: %j', (changes, text) => {
    expect(judge({ ...KNOWS, ...changes })[1]).toMatchObject({ outcome: 'WARN', text: expect.stringMatching(text) });
  });

  it('say nothing of Sentinels that are all unavailable', () => {
    expect(judge({ place: 'one:1', kind: 'silent' }).map(({ outcome }) => outcome)).toEqual(['SKIP', 'SKIP']);
  });
});
