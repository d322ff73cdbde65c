import { parseJsonText } from '@answer-evidence/encoding';
import type { EventItems, EventTexts, RecordItems, RecordTexts, SealedRow } from '@answer-evidence/tables';

/** Opens the key of a stored object; that or what it opens throws when anything was altered. */
export type SealedOpener = {
  openObjectKey(
    objectId: string,
    wrapped: Uint8Array,
  ): { readonly isWhole: boolean; open(field: string, sealed: Uint8Array): string };
};

/** The opened part of sealed contents. Texts may be sealed with the items, so withholding them is said apart. */
type Sealed = Pick<SealedRow, 'object_id' | 'wrapped_key' | 'texts' | 'items'> & {
  readonly areTextsWithheld?: boolean;
};

/** What is still disclosed of an object; null where there is nothing. */
export type Opened<Texts, Items> = { readonly texts: Texts | null; readonly items: Items | null };

/** The field of texts and items that are sealed as one; what is sealed stands in the column of the items. */
const WHOLE = 'whole';

/** The text that is sealed of texts and items as one, both as JSON. */
export function formatWhole(textsJson: string, itemsJson: string): { readonly field: string; readonly text: string } {
  return { field: WHOLE, text: `{"texts":${textsJson},"items":${itemsJson}}` };
}

/** Opens what is left of a record. Throws when it was altered. */
export function openRecord(vault: SealedOpener, sealed: Sealed | undefined): Opened<RecordTexts, RecordItems> {
  return openSealed(vault, sealed) as Opened<RecordTexts, RecordItems>;
}

/** Opens what is left of an event. Throws when it was altered. */
export function openEvent(vault: SealedOpener, sealed: Sealed | undefined): Opened<EventTexts, EventItems> {
  return openSealed(vault, sealed) as Opened<EventTexts, EventItems>;
}

/**
 * Opens what is left of any object. What authenticates was written by this service, so its shape needs no check. Throws
 * when it was altered.
 */
export function openSealed(vault: SealedOpener, sealed: Sealed | undefined): Opened<unknown, unknown> {
  if (sealed === undefined) return { texts: null, items: null };
  const opened = openAll(vault, sealed);
  return sealed.areTextsWithheld === true ? { ...opened, texts: null } : opened;
}

function openAll(vault: SealedOpener, sealed: Sealed): Opened<unknown, unknown> {
  const key = vault.openObjectKey(sealed.object_id, sealed.wrapped_key);
  // Beside a whole nothing was ever sealed as texts, so this throws for whatever stands there.
  const texts = sealed.texts === null ? null : parseJsonText(key.open('texts', sealed.texts));
  if (sealed.items === null) return { texts, items: null };
  if (key.isWhole) return parseJsonText(key.open(WHOLE, sealed.items)) as Opened<unknown, unknown>;
  return { texts, items: parseJsonText(key.open('items', sealed.items)) };
}
