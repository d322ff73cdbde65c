import { describe, expect, it } from '@jest/globals';
import { DEFAULT_TRUST_POLICY } from '@answer-evidence/contracts';
import type { StoredAnchor, VersionedTrustPolicy } from '@answer-evidence/ports';
import { anchorStateOf, nextAttemptAt } from './anchor-state.ts';
import { type Candidate, planRound, type RoundState } from './plan-round.ts';

const SECOND = 1_000_000;
const START = 1_000_000 * SECOND;
const ANCHOR = { id: 'tsa', type: 'file' } as const;

function policy(version = 1): VersionedTrustPolicy {
  const values = { ...DEFAULT_TRUST_POLICY, anchors: [ANCHOR], anchor_interval_seconds: 100 };
  return { version, values, updatedAt: START };
}

function stored(treeSize: number, createdAt: number, outcomes: readonly ('confirmed' | 'failed')[] = []): StoredAnchor {
  const mac = new Uint8Array(32);
  return {
    anchor: {
      id: `anchor-${treeSize}`,
      tree_size: treeSize,
      anchor_id: 'tsa',
      type: 'file',
      policy_version: 1,
      created_at: createdAt,
      mac,
      covered: null,
      kept: null,
    },
    attempts: outcomes.map((outcome, n) => ({
      anchor: `anchor-${treeSize}`,
      attempt: n + 1,
      at: createdAt + n * SECOND,
      outcome,
      detail: '',
      anchored_at: null,
      artefact: null,
      mac,
      ends_at: null,
    })),
  };
}

const candidate = (treeSize: number, quorumReached: boolean | null = null): Candidate => ({ treeSize, quorumReached });

function plan(state: Partial<RoundState>): number | undefined {
  const whole = {
    policy: policy(),
    newest: [],
    candidates: [],
    waitingSince: START,
    nowMicros: START,
    hurry: false,
    ...state,
  };
  return planRound(whole)?.treeSize;
}

describe('a round of anchors', () => {
  it('begins with the newest published checkpoint when no witness is asked for', () => {
    expect(plan({ candidates: [candidate(9), candidate(5)] })).toBe(9);
    expect(plan({ candidates: [] })).toBeUndefined();
  });

  it('does not begin without anchors in the policy', () => {
    const nothing = { version: 1, values: DEFAULT_TRUST_POLICY, updatedAt: START };
    expect(plan({ policy: nothing, candidates: [candidate(9)], hurry: true })).toBeUndefined();
  });

  it('waits for the interval, and never takes a tree that is not larger', () => {
    const newest = [stored(5, START)];
    const candidates = [candidate(9), candidate(5)];
    expect(plan({ newest, candidates, nowMicros: START + 99 * SECOND })).toBeUndefined();
    expect(plan({ newest, candidates, nowMicros: START + 100 * SECOND })).toBe(9);
    expect(plan({ newest: [stored(9, START)], candidates, nowMicros: START + 500 * SECOND })).toBeUndefined();
    expect(plan({ newest: [stored(9, START)], candidates, hurry: true })).toBeUndefined();
  });

  it('does not wait when it is asked for, or when the policy has changed since', () => {
    const newest = [stored(5, START)];
    const candidates = [candidate(9)];
    expect(plan({ newest, candidates, hurry: true })).toBe(9);
    expect(plan({ newest, candidates, policy: policy(2) })).toBe(9);
  });

  it('takes the newest cosigned checkpoint, and one without the quorum only after a minute or in a hurry', () => {
    const candidates = [candidate(9, false), candidate(7, true)];
    expect(plan({ candidates })).toBe(7);
    const uncosigned = [candidate(9, false), candidate(7, false)];
    const waitingSince = START + 10 * SECOND;
    expect(plan({ candidates: uncosigned, waitingSince, nowMicros: START + 69 * SECOND })).toBeUndefined();
    expect(plan({ candidates: uncosigned, waitingSince, nowMicros: START + 70 * SECOND })).toBe(9);
    expect(plan({ candidates: uncosigned, hurry: true })).toBe(9);
  });
});

describe('a round of anchors, after a clock that was an hour ahead', () => {
  const nowMicros = START - 3600 * SECOND;

  it('begins though the round before, or the policy, is of that clock', () => {
    expect(plan({ newest: [stored(5, START)], candidates: [candidate(9), candidate(5)], nowMicros })).toBe(9);
    expect(plan({ candidates: [candidate(9)], nowMicros })).toBe(9);
  });

  it('is not kept waiting for witnesses by a checkpoint that was published by that clock', () => {
    expect(plan({ candidates: [candidate(9, false)], nowMicros })).toBe(9);
  });
});

describe('an anchor', () => {
  const now = { newestSize: 9, anchorIds: new Set(['tsa']) };

  it('is pending until it is confirmed, and failed when a larger tree took its place or the policy dropped it', () => {
    expect(anchorStateOf(stored(9, START, ['failed']), now)).toBe('pending');
    expect(anchorStateOf(stored(9, START, ['failed', 'confirmed']), now)).toBe('confirmed');
    expect(anchorStateOf(stored(5, START, ['failed']), now)).toBe('failed');
    expect(anchorStateOf(stored(5, START, ['confirmed']), now)).toBe('confirmed');
    expect(anchorStateOf(stored(9, START), { ...now, anchorIds: new Set() })).toBe('failed');
  });

  it('is tried at once, and after each failure twice as long after the last, up to an hour', () => {
    const pauses = Array.from({ length: 12 }, (_, failures) => {
      const one = stored(
        9,
        START,
        Array.from({ length: failures }, () => 'failed' as const),
      );
      return (nextAttemptAt(one, START) - (one.attempts.at(-1)?.at ?? START)) / SECOND;
    });
    expect(pauses).toEqual([0, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600, 3600]);
  });

  it('is tried at once when a clock an hour ahead made it or tried it last', () => {
    const now = START - 3600 * SECOND;
    for (const one of [stored(9, START), stored(9, START, ['failed'])])
      expect(nextAttemptAt(one, now)).toBeLessThanOrEqual(now);
  });
});
