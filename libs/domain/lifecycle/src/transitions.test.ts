import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EVENT_TYPES, type EventType, RECORD_STATUSES, type RecordStatus } from '@answer-evidence/contracts';
import { nextStatus, replayStatus } from './transitions.ts';

/** From a status, by an event, to a status; null where the event is a conflict. */
const TABLE: readonly (readonly [RecordStatus, EventType, RecordStatus | null])[] = [
  ['recorded', 'correction_appended', 'corrected'],
  ['recorded', 'voided', 'voided'],
  ['recorded', 'redacted', 'redacted'],
  ['recorded', 'retention_extended', 'recorded'],
  ['corrected', 'correction_appended', 'corrected'],
  ['corrected', 'voided', 'voided'],
  ['corrected', 'redacted', 'redacted'],
  ['corrected', 'retention_extended', 'corrected'],
  ['voided', 'correction_appended', null],
  ['voided', 'voided', null],
  ['voided', 'redacted', 'redacted'],
  ['voided', 'retention_extended', 'voided'],
  ['redacted', 'correction_appended', null],
  ['redacted', 'voided', null],
  ['redacted', 'redacted', 'redacted'],
  ['redacted', 'retention_extended', 'redacted'],
];

const chains = fc.array(fc.constantFrom(...EVENT_TYPES), { maxLength: 8 });

describe('a transition', () => {
  it('is stated for every status and every event', () => {
    expect(TABLE.map(([from, event]) => `${from} ${event}`).sort()).toEqual(
      RECORD_STATUSES.flatMap((from) => EVENT_TYPES.map((event) => `${from} ${event}`)).sort(),
    );
  });

  it.each(TABLE)('from %s by %s leads to %s', (from, event, to) => {
    expect(nextStatus(from, event)).toBe(to);
  });
});

describe('a replay of events', () => {
  it('leads where the table leads step by step, and nowhere after a forbidden step', () => {
    const ends = new Set<RecordStatus | null>();
    fc.assert(
      fc.property(chains, (events) => {
        let status: RecordStatus | null = 'recorded';
        for (const event of events) {
          const row = TABLE.find(([from, by]) => from === status && by === event);
          status = row?.[2] ?? null;
          if (status === null) break;
        }
        expect(replayStatus(events)).toBe(status);
        ends.add(status);
      }),
      { numRuns: 500 },
    );
    expect(ends).toEqual(new Set([...RECORD_STATUSES, null]));
  });

  it('never leaves redacted, and redaction is open at every point', () => {
    fc.assert(
      fc.property(chains, (events) => {
        if (replayStatus(events) === null) return;
        expect(replayStatus([...events, 'redacted'])).toBe('redacted');
        expect(replayStatus([...events, 'redacted', 'correction_appended'])).toBeNull();
        expect(replayStatus([...events, 'redacted', 'voided'])).toBeNull();
      }),
    );
  });
});
