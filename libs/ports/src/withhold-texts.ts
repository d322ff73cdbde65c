import type { StoredRecord, StoredSealed } from './stores.ts';

/** The record as if no text of it could be opened, but of the event `exceptEventId`; states and hashes stay. */
export function withholdTexts(stored: StoredRecord, exceptEventId?: string): StoredRecord {
  return {
    ...stored,
    sealed: stored.sealed && withhold(stored.sealed),
    events: stored.events.map((one) =>
      one.event.id === exceptEventId ? one : { ...one, sealed: one.sealed && withhold(one.sealed) },
    ),
  };
}

/** Short texts are sealed with the items, which stay, so no column can be left out instead. */
function withhold(sealed: StoredSealed): StoredSealed {
  return { ...sealed, texts: null, areTextsWithheld: true };
}
