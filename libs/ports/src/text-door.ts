import type { StoredRecord, StoredSealed } from './stores.ts';

/**
 * Whether the texts of a record leave with it, and what vouches for that. Every reply that carries a record, and every
 * bundle, is made with one, so that no route can forget to say it.
 */
export type TextDoor =
  /** No text leaves, but that of the event that the caller wrote a moment ago. */
  | { readonly texts: 'withheld'; readonly exceptEventId?: string | undefined }
  /** They leave. `vouchedBy`: the id of the entry that says so; null where the rule of the workspace asks for none. */
  | { readonly texts: 'shown'; readonly vouchedBy: string | null };

/** The record as it leaves by this door: withheld texts are as if they could not be opened; states and hashes stay. */
export function passDoor(stored: StoredRecord, door: TextDoor): StoredRecord {
  if (door.texts === 'shown') return stored;
  return {
    ...stored,
    sealed: stored.sealed && withhold(stored.sealed),
    events: stored.events.map((one) =>
      one.event.id === door.exceptEventId ? one : { ...one, sealed: one.sealed && withhold(one.sealed) },
    ),
  };
}

/** Short texts are sealed with the items, which stay, so no column can be left out instead. */
function withhold(sealed: StoredSealed): StoredSealed {
  return { ...sealed, texts: null, areTextsWithheld: true };
}

/** Whether the record may have texts, besides that of one event. Also true of texts that have expired. */
export function holdsTexts({ record, status, events }: StoredRecord, exceptEventId?: string): boolean {
  if (status === 'redacted') return false;
  if (record.question_text_state === 'stored' || record.answer_text_state === 'stored') return true;
  return events.some(({ event }) => event.event_type === 'correction_appended' && event.id !== exceptEventId);
}
