import { describe, expect, it } from '@jest/globals';
import { retentionEnd } from './retention.ts';

const DAY = 86_400_000_000;
const NOON = Date.parse('2026-11-20T12:00:00Z') * 1000;
const extension = (time: string) => ({ event_type: 'retention_extended', payload: { retain_until: time } }) as const;

describe('the end of a retention', () => {
  it('is the record’s own without an extension', () => {
    expect(retentionEnd(NOON, [])).toBe(NOON);
    expect(retentionEnd(NOON, [{ event_type: 'retention_extended', payload: {} }])).toBe(NOON);
  });

  it('is the latest of all, in whatever order they were stated, and never earlier than the record’s own', () => {
    const later = extension('2026-11-22T12:00:00.000000Z');
    const earlier = extension('2026-11-19T12:00:00.000000Z');
    expect(retentionEnd(NOON, [later, earlier])).toBe(NOON + 2 * DAY);
    expect(retentionEnd(NOON, [earlier, later])).toBe(NOON + 2 * DAY);
    expect(retentionEnd(NOON, [earlier])).toBe(NOON);
  });

  it('is not moved by another event that has such a member', () => {
    const { payload } = extension('2026-11-22T12:00:00.000000Z');
    expect(retentionEnd(NOON, [{ event_type: 'voided', payload }])).toBe(NOON);
  });
});
