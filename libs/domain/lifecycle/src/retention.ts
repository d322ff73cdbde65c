import { type EventType, RETENTION_DAYS_MAX, ServiceError } from '@answer-evidence/contracts';
import { MICROS_PER_DAY, parseTimestamp } from '@answer-evidence/encoding';

type Extension = { readonly event_type: EventType; readonly payload: { readonly retain_until?: string | undefined } };

/** Until when contents are kept (µs): the latest of the record's retention and its extensions; never earlier. */
export function retentionEnd(retentionUntil: number, events: readonly Extension[]): number {
  return events.reduce((latest, { event_type: type, payload: { retain_until: until } }) => {
    if (type !== 'retention_extended' || until === undefined) return latest;
    return Math.max(latest, parseTimestamp(until));
  }, retentionUntil);
}

/**
 * Why a retention that a caller named cannot be taken by an entry of this time, or undefined. It is judged by the time
 * of the entry and not by a clock, so that nothing is kept until before it was recorded. `floorDays` is what the
 * workspace keeps at least. Times in microseconds.
 */
export function refuseRetention(
  untilMicros: number,
  at: number,
  pointer: string,
  floorDays = 0,
): ServiceError | undefined {
  const isLongEnough = untilMicros > at && untilMicros >= at + floorDays * MICROS_PER_DAY;
  if (isLongEnough && untilMicros <= at + RETENTION_DAYS_MAX * MICROS_PER_DAY) return undefined;
  const least = floorDays === 0 ? 'in the future' : `at least ${floorDays} days ahead, which this workspace keeps,`;
  const detail = `must be ${least}${floorDays === 0 ? ', ' : ' and '}at most ${RETENTION_DAYS_MAX} days ahead`;
  return new ServiceError('retention_out_of_range', detail, { errors: [{ pointer, detail }] });
}
