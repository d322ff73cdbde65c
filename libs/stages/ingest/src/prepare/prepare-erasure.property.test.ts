import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openRecord, type Write } from '@answer-evidence/ledger';
import type { StoredRecord } from '@answer-evidence/ports';
import type { SealedRow } from '@answer-evidence/tables';
import { appendEvent, createRecord, openIngest } from '../fixtures/ingest.ts';
import { parseEventPayload } from './event-payload.ts';
import { prepareErasure } from './prepare-erasure.ts';

const IDS = ['a', 'b', 'c'] as const;
const redaction = fc.record({ sources: fc.subarray([...IDS]), semantic: fc.boolean() });

/** The forms in which texts and items are sealed, with an answer that is. */
const FORMS = [
  ['as one', 'Because.'],
  ['field by field', `Because. ${'It is long. '.repeat(400)}`],
] as const;

async function storeRecord(text: string = FORMS[0][1]) {
  const stage = await openIngest();
  const { id } = await createRecord(stage, {
    answer: { text },
    semantic_refs: [{ concept: 1 }, { concept: 2 }],
    source_refs: IDS.map((source_ref_id, n) => ({ source_ref_id, n })),
  });
  await appendEvent(stage, id, {
    event_type: 'correction_appended',
    reason: 'a reason',
    payload: { corrected_answer_text: 'No.', open: 'a payload' },
  });
  const stored = await stage.records.find(stage.workspace.id, id);
  if (stored === undefined) throw new Error('the record is stored');
  return { stored, workspace: stage.workspace };
}

/** The sealed contents after the writes, in their order. */
function applied(stored: StoredRecord, writes: readonly Write[]): StoredRecord {
  const sealed = new Map<string, SealedRow>();
  for (const row of [stored.sealed, ...stored.events.map((event) => event.sealed)])
    if (row !== undefined) sealed.set(row.object_id, row);
  for (const write of writes) {
    if (write.kind === 'erase_sealed') sealed.delete(write.objectId);
    else if (write.kind === 'insert' && write.table === 'sealed_contents') sealed.set(write.row.object_id, write.row);
    else throw new Error(`an erasure writes no ${write.kind}`);
  }
  return {
    ...stored,
    sealed: sealed.get(stored.record.id),
    events: stored.events.map((event) => ({ ...event, sealed: sealed.get(event.event.id) })),
  };
}

function refusalOf(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

describe('prepareErasure', () => {
  it.each(FORMS)(
    'erases, of contents sealed %s, what redactions name, and texts and reasons with the first',
    async (_, text) => {
      const { stored: original, workspace } = await storeRecord(text);
      const before = openRecord(workspace.vault, original.sealed).items;
      fc.assert(
        fc.property(fc.array(redaction, { minLength: 1, maxLength: 3 }), (redactions) => {
          let stored = original;
          const gone = new Set<string>();
          let semanticGone = false;
          for (const { sources, semantic } of redactions) {
            const payload = parseEventPayload({
              event_type: 'redacted',
              payload: { redact_source_ref_ids: sources, redact_semantic_refs: semantic },
            });
            const { atSequence, writes, eventIds } = prepareErasure(workspace, stored, payload);
            expect(atSequence).toBe(1);
            expect(eventIds).toEqual(
              stored.events.flatMap(({ event, sealed }) => (sealed === undefined ? [] : [event.id])),
            );
            stored = applied(stored, writes);
            sources.forEach((id) => gone.add(id));
            semanticGone ||= semantic;
            const { texts, items } = openRecord(workspace.vault, stored.sealed);
            expect(texts).toBeNull();
            if (gone.size === IDS.length && semanticGone) expect(stored.sealed).toBeUndefined();
            else
              expect(items).toEqual({
                semantic_refs: semanticGone ? [null, null] : before?.semantic_refs,
                source_refs: IDS.map((id, n) => (gone.has(id) ? null : before?.source_refs[n])),
              });
            expect(stored.events.map(({ sealed }) => sealed)).toEqual([undefined]);
          }
        }),
        { numRuns: 40 },
      );
    },
  );

  it.each(FORMS)(
    'leaves nothing under the old keys, of contents sealed %s: what stays is sealed anew',
    async (_, text) => {
      const isShort = text.length < 100;
      const { stored, workspace } = await storeRecord(text);
      const after = applied(
        stored,
        prepareErasure(workspace, stored, parseEventPayload({ event_type: 'redacted' })).writes,
      );
      expect(after.sealed?.wrapped_key).not.toEqual(stored.sealed?.wrapped_key);
      const {
        object_id: id,
        wrapped_key: oldKey,
        ...old
      } = stored.sealed ?? { object_id: '', texts: null, items: null };
      const field = isShort ? 'whole' : 'texts';
      const oldContent = isShort ? old.items : old.texts;
      if (oldKey === undefined || oldContent === null) throw new Error('texts were sealed');
      const newKey = workspace.vault.openObjectKey(id, after.sealed?.wrapped_key ?? new Uint8Array());
      expect(workspace.vault.openObjectKey(id, oldKey).open(field, oldContent)).toContain('Because.');
      expect(() => newKey.open(field, oldContent)).toThrow();
      const left = after.sealed?.items ?? null;
      if (left === null) throw new Error('items stay');
      expect(newKey.isWhole).toBe(false);
      expect(newKey.open('items', left)).not.toContain('Because.');
    },
  );

  it('refuses unknown ids by their place, and then erases nothing at all', async () => {
    const { stored, workspace } = await storeRecord();
    const payload = parseEventPayload({
      event_type: 'redacted',
      payload: { redact_source_ref_ids: ['a', 'x', 'b', 'A'] },
    });
    expect(refusalOf(() => prepareErasure(workspace, stored, payload))).toMatchObject({
      code: 'source_ref_not_found',
      errors: [{ pointer: '/payload/redact_source_ref_ids/1' }, { pointer: '/payload/redact_source_ref_ids/3' }],
    });
  });

  it('names the events that lose a reason or an open payload, and those that the caller names, in their order', async () => {
    const stage = await openIngest();
    const { id } = await createRecord(stage);
    const extend = async (more: object) => {
      const { events = [] } = await appendEvent(stage, id, { event_type: 'retention_extended', ...more });
      return events.at(-1)?.id ?? '';
    };
    const bare = await extend({});
    const unnamed = await extend({ payload: { reason_code: 'audit' } });
    const reason = await extend({ reason: 'a reason' });
    const open = await extend({ payload: { open: 'a payload' } });
    const stored = await stage.records.find(stage.workspace.id, id);
    if (stored === undefined) throw new Error('the record is stored');
    const payload = { redact_event_ids: [open, bare.toUpperCase(), bare] };
    const redaction = parseEventPayload({ event_type: 'redacted', payload });
    const { writes, eventIds } = prepareErasure(stage.workspace, stored, redaction);
    expect(eventIds).toEqual([bare, reason, open]);
    expect(eventIds).not.toContain(unnamed);
    expect(writes).toEqual([id, reason, open].map((objectId) => ({ kind: 'erase_sealed', objectId })));
  });

  it('refuses an event that the record does not have, by its place, and then erases nothing at all', async () => {
    const { stored, workspace } = await storeRecord();
    const [known] = stored.events;
    const other = '018f0000-0000-7000-8000-0000000000ab';
    const redact_event_ids = [known?.event.id ?? '', known?.event.id ?? '', other, stored.record.id];
    const payload = parseEventPayload({ event_type: 'redacted', payload: { redact_event_ids } });
    expect(refusalOf(() => prepareErasure(workspace, stored, payload))).toMatchObject({
      code: 'event_not_found',
      errors: [{ pointer: '/payload/redact_event_ids/2' }, { pointer: '/payload/redact_event_ids/3' }],
    });
  });
});
