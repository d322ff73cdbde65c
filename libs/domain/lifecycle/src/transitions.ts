import { EVENT_TYPES, type EventType, type RecordStatus } from '@answer-evidence/contracts';

/**
 * The status after each event, by the status before it; null if the event is not allowed. A voided or redacted record
 * is never corrected again. A redaction is always allowed, because erasing must always be possible.
 */
const TRANSITIONS: Readonly<Record<RecordStatus, Readonly<Record<EventType, RecordStatus | null>>>> = {
  recorded: {
    correction_appended: 'corrected',
    voided: 'voided',
    redacted: 'redacted',
    retention_extended: 'recorded',
  },
  corrected: {
    correction_appended: 'corrected',
    voided: 'voided',
    redacted: 'redacted',
    retention_extended: 'corrected',
  },
  voided: { correction_appended: null, voided: null, redacted: 'redacted', retention_extended: 'voided' },
  redacted: { correction_appended: null, voided: null, redacted: 'redacted', retention_extended: 'redacted' },
};

/** The status after an event, or null when the event is not allowed in this status. */
export function nextStatus(status: RecordStatus, event: EventType): RecordStatus | null {
  return TRANSITIONS[status][event];
}

/** The events that a record of this status takes. */
export function eventsTakenBy(status: RecordStatus): readonly EventType[] {
  return EVENT_TYPES.filter((event) => nextStatus(status, event) !== null);
}

/** The status that a sequence of events leads to from `recorded`, or null when one of them was not allowed. */
export function replayStatus(events: readonly EventType[]): RecordStatus | null {
  let status: RecordStatus = 'recorded';
  for (const event of events) {
    const next = nextStatus(status, event);
    if (next === null) return null;
    status = next;
  }
  return status;
}
