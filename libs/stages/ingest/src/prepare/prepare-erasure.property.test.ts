import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openEvent, openRecord, type Write } from '@answer-evidence/ledger';
import type { StoredRecord } from '@answer-evidence/ports';
import type { SealedRow } from '@answer-evidence/tables';
import { appendEvent, createFakeIngest, createRecord } from '../fixtures/ingest.ts';
import { parseEventPayload } from './event-payload.ts';
import { prepareErasure } from './prepare-erasure.ts';

const IDS = ['a', 'b', 'c'] as const;
const redaction = fc.record({ sources: fc.subarray([...IDS]), semantic: fc.boolean() });

async function storeRecord() {
  const stage = createFakeIngest();
  const { id } = await createRecord(stage, {
    semantic_refs: [{ concept: 1 }, { concept: 2 }],
    source_refs: IDS.map((source_ref_id, n) => ({ source_ref_id, n })),
  });
  await appendEvent(stage, id, {
    event_type: 'correction_appended',
    reason: 'kept',
    payload: { corrected_answer_text: 'No.', open: 'kept' },
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
  it('erases over any redactions in a row exactly what they name, and every text with the first', async () => {
    const { stored: original, workspace } = await storeRecord();
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
          const { atSequence, writes } = prepareErasure(workspace, stored, payload);
          expect(atSequence).toBe(1);
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
          const event = openEvent(workspace.vault, stored.events[0]?.sealed);
          expect(event.texts).toBeNull();
          expect(event.items).toMatchObject({ reason: { item: 'kept' }, payload_rest: { item: { open: 'kept' } } });
        }
      }),
      { numRuns: 40 },
    );
  });

  it('leaves nothing under the old keys: what stays is sealed anew under another', async () => {
    const { stored, workspace } = await storeRecord();
    const after = applied(
      stored,
      prepareErasure(workspace, stored, parseEventPayload({ event_type: 'redacted' })).writes,
    );
    expect(after.sealed?.wrapped_key).not.toEqual(stored.sealed?.wrapped_key);
    expect(after.events[0]?.sealed?.wrapped_key).not.toEqual(stored.events[0]?.sealed?.wrapped_key);
    const { object_id: id, wrapped_key: oldKey, texts: oldTexts } = stored.sealed ?? { object_id: '' };
    if (oldKey === undefined || oldTexts === undefined || oldTexts === null) throw new Error('texts were sealed');
    const newKey = workspace.vault.openObjectKey(id, after.sealed?.wrapped_key ?? new Uint8Array());
    expect(workspace.vault.openObjectKey(id, oldKey).open('texts', oldTexts)).toContain('Because.');
    expect(() => newKey.open('texts', oldTexts)).toThrow();
  });

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

  it('touches no event that has no text', async () => {
    const stage = createFakeIngest();
    const { id } = await createRecord(stage);
    await appendEvent(stage, id, { event_type: 'retention_extended', reason: 'kept' });
    const stored = await stage.records.find(stage.workspace.id, id);
    if (stored === undefined) throw new Error('the record is stored');
    const { writes } = prepareErasure(stage.workspace, stored, parseEventPayload({ event_type: 'redacted' }));
    expect(writes).toEqual([{ kind: 'erase_sealed', objectId: id }]);
  });
});
