import { reseal } from '../reseal.ts';
import { ALL, give, type Open, type WholeCase } from './whole-case.ts';

const NO_TIMES = [
  '2026-02-30T00:00:00.000000Z',
  '2026-13-01T00:00:00.000000Z',
  '2026-01-01T24:00:00.000000Z',
  '2026-12-31T23:59:60.000000Z',
  '2026-01-01T00:60:00.000000Z',
  '0000-01-01T00:00:00.000000Z',
  '9999-12-31T23:59:59.999999Z',
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.000000+00:00',
] as const;
const TIMES = ['2028-02-29T00:00:00.000000Z', '2255-06-05T23:47:34.740991Z', '1970-01-01T00:00:00.000000Z'] as const;

/** Times inside of cores exist in the calendar. */
export function listCalendars(open: Open): readonly WholeCase[] {
  return [...NO_TIMES, ...TIMES].map((time) => ({
    id: `calendar plain: retention_until ${time}`,
    given: give(reseal(open('plain'), { before: ({ bundle }) => (bundle.record.core.retention_until = time) })),
    expected: { fails: (TIMES as readonly string[]).includes(time) ? [] : [ALL] },
  }));
}
