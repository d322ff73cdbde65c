import { parseJsonText } from '@answer-evidence/encoding';
import type { EventItems, EventTexts, RecordItems, RecordTexts, SealedRow } from '@answer-evidence/tables';

/** Opens the key of a stored object; that or what it opens throws when anything was altered. */
export type SealedOpener = {
  openObjectKey(objectId: string, wrapped: Uint8Array): { open(field: string, sealed: Uint8Array): string };
};

/** The part of sealed contents that is opened. */
type Sealed = Pick<SealedRow, 'object_id' | 'wrapped_key' | 'texts' | 'items'>;

/** What is still disclosed of an object; null where there is nothing. */
export type Opened<Texts, Items> = { readonly texts: Texts | null; readonly items: Items | null };

/** Opens what is left of a record. Throws when it was altered. */
export function openRecord(vault: SealedOpener, sealed: Sealed | undefined): Opened<RecordTexts, RecordItems> {
  return open(vault, sealed) as Opened<RecordTexts, RecordItems>;
}

/** Opens what is left of an event. Throws when it was altered. */
export function openEvent(vault: SealedOpener, sealed: Sealed | undefined): Opened<EventTexts, EventItems> {
  return open(vault, sealed) as Opened<EventTexts, EventItems>;
}

// What authenticates was written by this service, so its shape needs no check.
function open(vault: SealedOpener, sealed: Sealed | undefined): Opened<unknown, unknown> {
  if (sealed === undefined) return { texts: null, items: null };
  const key = vault.openObjectKey(sealed.object_id, sealed.wrapped_key);
  return {
    texts: sealed.texts === null ? null : parseJsonText(key.open('texts', sealed.texts)),
    items: sealed.items === null ? null : parseJsonText(key.open('items', sealed.items)),
  };
}
