import type { StoredRecord } from './stores.ts';

/** The record as if no text of it could be opened, but of the event `exceptEventId`; states and hashes stay. */
export function withholdTexts(stored: StoredRecord, exceptEventId?: string): StoredRecord {
  return {
    ...stored,
    sealed: stored.sealed && { ...stored.sealed, texts: null },
    events: stored.events.map((one) =>
      one.event.id === exceptEventId ? one : { ...one, sealed: one.sealed && { ...one.sealed, texts: null } },
    ),
  };
}
