import { recordCore, ServiceError } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { openEvent, openRecord, type PreparedEvent, type Write } from '@answer-evidence/ledger';
import type { StoredRecord, Workspace } from '@answer-evidence/ports';
import type { RecordItems, RecordRow } from '@answer-evidence/tables';
import type { EventPayload } from './event-payload.ts';

const sourceRefsOf = recordCore.pick({ source_refs: true });

/**
 * What a redaction erases: question, answer and corrected texts always, with their keys and HMAC bytes; the named items
 * with their salts. What stays disclosed is sealed again under a new key, so that the old one is gone from the
 * database. `issuedIds` may be named too: accesses that the record binds issued them, for source refs that the record
 * may not have. Throws `source_ref_not_found`, and then nothing is redacted.
 */
export function prepareErasure(
  workspace: Workspace,
  stored: StoredRecord,
  payload: EventPayload,
  issuedIds: readonly string[] = [],
): Omit<NonNullable<PreparedEvent['erasure']>, 'evidence'> {
  const known = sourceRefsOf.parse({ source_refs: parseJsonText(stored.record.source_refs_json) }).source_refs;
  const ids = known.map((ref) => ref.source_ref_id);
  const errors = (payload.redactSourceRefIds ?? []).flatMap((id, n) =>
    ids.includes(id) || issuedIds.includes(id)
      ? []
      : [{ pointer: `/payload/redact_source_ref_ids/${n}`, detail: 'the record has no such source ref' }],
  );
  if (errors.length > 0)
    throw new ServiceError('source_ref_not_found', 'the record has no such source ref', { errors });

  const writes: Write[] = [];
  if (stored.sealed !== undefined) {
    const { items } = openRecord(workspace.vault, stored.sealed);
    writes.push({ kind: 'erase_sealed', objectId: stored.record.id });
    const left = items === null ? null : withoutRedacted(items, ids, payload);
    if (left !== null) writes.push(sealItems(workspace, stored.record, stored.record.id, left));
  }
  for (const { event, sealed } of stored.events) {
    if (sealed === undefined || sealed.texts === null) continue;
    const { items } = openEvent(workspace.vault, sealed);
    writes.push({ kind: 'erase_sealed', objectId: event.id });
    if (items !== null) writes.push(sealItems(workspace, stored.record, event.id, items));
  }
  return { atSequence: stored.events.length, atExpiries: stored.expiries.length, writes };
}

function withoutRedacted(items: RecordItems, ids: readonly string[], payload: EventPayload): RecordItems | null {
  const redacted = new Set(payload.redactSourceRefIds ?? []);
  const left: RecordItems = {
    semantic_refs: payload.redactSemanticRefs === true ? items.semantic_refs.map(() => null) : items.semantic_refs,
    source_refs: items.source_refs.map((item, n) => (redacted.has(ids[n] ?? '') ? null : item)),
  };
  const isEmpty = [...left.semantic_refs, ...left.source_refs].every((item) => item === null);
  return isEmpty ? null : left;
}

function sealItems(workspace: Workspace, record: RecordRow, objectId: string, items: object): Write {
  const key = workspace.vault.createObjectKey(objectId);
  return {
    kind: 'insert',
    table: 'sealed_contents',
    row: {
      object_id: objectId,
      wrapped_key: key.wrapped,
      texts: null,
      items: key.seal('items', JSON.stringify(items)),
      due_at: record.retention_until,
    },
  };
}
