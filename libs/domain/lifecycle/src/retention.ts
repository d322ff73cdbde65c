import type { EventType } from '@answer-evidence/contracts';
import { parseTimestamp } from '@answer-evidence/encoding';

type Extension = { readonly event_type: EventType; readonly payload: { readonly retain_until?: string | undefined } };

/**
 * Until when the contents of a record are kept, in microseconds: the latest of its own retention and of every
 * extension. Events that extend nothing do not matter, so the end of a retention never comes nearer.
 */
export function retentionEnd(retentionUntil: number, events: readonly Extension[]): number {
  return events.reduce((latest, { event_type: type, payload: { retain_until: until } }) => {
    if (type !== 'retention_extended' || until === undefined) return latest;
    return Math.max(latest, parseTimestamp(until));
  }, retentionUntil);
}
