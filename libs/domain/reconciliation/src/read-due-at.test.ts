import { describe, expect, it } from '@jest/globals';
import { DUE_DAYS_MAX, ServiceError } from '@answer-evidence/contracts';
import { formatTimestamp, MICROS_PER_DAY, parseDateTime } from '@answer-evidence/encoding';
import { readDueAt } from './read-due-at.ts';

const requestedAt = parseDateTime('2026-11-20T09:00:00Z');
const nowMicros = parseDateTime('2026-11-29T09:00:00Z');
const latest = nowMicros + DUE_DAYS_MAX * MICROS_PER_DAY;

/** The time, or what is refused of it. */
function read(due: string | null | undefined) {
  try {
    return readDueAt(
      { action: 'assign', assignee_id: null, ...(due === undefined ? {} : { due_at: due }) },
      { requestedAt, nowMicros },
    );
  } catch (error) {
    if (error instanceof ServiceError) return error.errors;
    throw error;
  }
}

describe('by when a finding is due', () => {
  it('is a time from the request for the run on, in any form of RFC 3339', () => {
    expect(read('2026-12-05T23:59:59Z')).toBe(parseDateTime('2026-12-05T23:59:59Z'));
    expect(read('2026-12-06t00:59:59+01:00')).toBe(parseDateTime('2026-12-05T23:59:59Z'));
    expect(read('2026-11-20T09:00:00Z')).toBe(requestedAt);
    expect(read(formatTimestamp(latest))).toBe(latest);
  });

  it('tells no time from a step that says nothing of it', () => {
    expect(read(null)).toBeNull();
    expect(read(undefined)).toBeUndefined();
    expect(readDueAt({ action: 'reopen' }, { requestedAt, nowMicros })).toBeUndefined();
  });

  it.each([
    [
      'before the run',
      '2026-11-20T08:59:59.999999Z',
      /must be from 2026-11-20T09:00:00.000000Z, when the run was requested/,
    ],
    ['too late', formatTimestamp(latest + 1), / to .*, 3650 days from now$/],
    ['on a day that does not exist', '2026-02-30T00:00:00Z', /exist/],
  ])('is not %s', (_, due, detail) => {
    expect(read(due)).toEqual([{ pointer: '/due_at', detail: expect.stringMatching(detail) }]);
  });
});
