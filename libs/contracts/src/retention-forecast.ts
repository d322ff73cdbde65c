import * as z from 'zod';
import { timestamp } from './primitives.ts';

/** Months that a forecast of erasure shows, the present one first. */
export const FORECAST_MONTHS = 12;
/** Texts of one span are counted up to this number. */
export const FORECAST_COUNT_MAX = 10_000;

/** Texts whose time comes in one span; `relation` is `gte` where more than could be counted are. */
export const forecastSpan = z.strictObject({
  from: timestamp,
  /** The span ends before this time; null: it has no end. */
  before: timestamp.nullable(),
  texts: z.int().nonnegative(),
  relation: z.enum(['eq', 'gte']),
});
export type ForecastSpan = z.infer<typeof forecastSpan>;

/**
 * `GET /api/tenant/retention-forecast`: how many texts will be erased when, as their time stands now: the rest of this
 * month, each of the eleven that follow, and everything later. `overdue` are those that the next sweep erases
 * unless a hold covers them, `on_hold` those whose time has come and that a hold keeps.
 */
export const retentionForecast = z.strictObject({
  now: timestamp,
  overdue: z.strictObject({ texts: z.int().nonnegative(), relation: z.enum(['eq', 'gte']) }),
  on_hold: z.strictObject({ texts: z.int().nonnegative(), relation: z.enum(['eq', 'gte']) }),
  spans: z.array(forecastSpan).length(FORECAST_MONTHS + 1),
});
export type RetentionForecast = z.infer<typeof retentionForecast>;
