import { describe, expect, it } from '@jest/globals';
import { utf8 } from '@answer-evidence/encoding';
import type { RecordItems, RecordTexts, SealedRow } from '@answer-evidence/tables';
import { idOf } from '../fixtures/rows.ts';
import { formatWhole, openEvent, openRecord, type SealedOpener } from './open-sealed.ts';

/** A vault that seals by naming object and field, so that a part in the wrong place does not open. */
const vault: SealedOpener = {
  openObjectKey(objectId, wrapped) {
    if (new TextDecoder().decode(wrapped) !== `key of ${objectId}`) throw new Error('the wrapping is another');
    return {
      isWhole: wholes.has(objectId),
      open(field, sealed) {
        const text = new TextDecoder().decode(sealed);
        const head = `${objectId} ${field} `;
        if (!text.startsWith(head)) throw new Error('does not authenticate');
        return text.slice(head.length);
      },
    };
  },
};

function seal(objectId: string, texts: object | null, items: object | null): SealedRow {
  const part = (field: string, value: object | null) =>
    value === null ? null : utf8(`${objectId} ${field} ${JSON.stringify(value)}`);
  return {
    object_id: objectId,
    wrapped_key: utf8(`key of ${objectId}`),
    texts: part('texts', texts),
    items: part('items', items),
    due_at: 0,
  };
}

const id = idOf(1);
const WHOLE_ID = idOf(3);
const wholes = new Set([WHOLE_ID]);
const texts: RecordTexts = { question: 'why \u{1F600}', answer: null, salt: 'ab'.repeat(32) };
const items: RecordItems = { semantic_refs: [{ salt: '00', item: { a: 1 } }, null], source_refs: [] };

describe('sealed contents', () => {
  it('open as what was sealed, each part on its own', () => {
    expect(openRecord(vault, seal(id, texts, items))).toEqual({ texts, items });
    expect(openRecord(vault, seal(id, texts, null))).toEqual({ texts, items: null });
    expect(openRecord(vault, seal(id, null, items))).toEqual({ texts: null, items });
    const event = { corrected_answer: 'better', salt: null };
    expect(openEvent(vault, seal(id, event, null))).toEqual({ texts: event, items: null });
  });

  it('open as what was sealed as one, of a key that says so', () => {
    const { field, text } = formatWhole(JSON.stringify(texts), JSON.stringify(items));
    const whole = { ...seal(WHOLE_ID, null, null), items: utf8(`${WHOLE_ID} ${field} ${text}`) };
    expect(openRecord(vault, whole)).toEqual({ texts, items });
    expect(openRecord(vault, { ...whole, items: null })).toEqual({ texts: null, items: null });
    expect(() => openRecord(vault, { ...whole, texts: whole.items })).toThrow('does not authenticate');
    const apart = seal(WHOLE_ID, texts, items);
    expect(() => openRecord(vault, { ...apart, texts: null })).toThrow('does not authenticate');
    expect(() => openRecord(vault, { ...seal(id, null, null), items: utf8(`${id} ${field} ${text}`) })).toThrow();
  });

  it('open without texts where those are withheld, whether they were sealed as one with the items or not', () => {
    const { field, text } = formatWhole(JSON.stringify(texts), JSON.stringify(items));
    const whole = { ...seal(WHOLE_ID, null, null), items: utf8(`${WHOLE_ID} ${field} ${text}`) };
    for (const sealed of [whole, seal(id, texts, items)])
      expect(openRecord(vault, { ...sealed, areTextsWithheld: true })).toEqual({ texts: null, items });
  });

  it('that are gone open as nothing', () => {
    expect(openRecord(vault, undefined)).toEqual({ texts: null, items: null });
    expect(openEvent(vault, undefined)).toEqual({ texts: null, items: null });
  });

  it('of another object, or with parts exchanged, do not open', () => {
    const row = seal(id, texts, items);
    expect(() => openRecord(vault, { ...row, object_id: idOf(2) })).toThrow('the wrapping is another');
    expect(() => openRecord(vault, { ...row, texts: row.items })).toThrow('does not authenticate');
  });
});
