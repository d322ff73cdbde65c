import { type ProblemCode, recordCore, ServiceError } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { openRecord, type PreparedEvent, type Write } from '@answer-evidence/ledger';
import type { StoredRecord, Workspace } from '@answer-evidence/ports';
import type { RecordItems, RecordRow } from '@answer-evidence/tables';
import { claimedTimeOf } from '../resources/claimed-time-of.ts';
import type { EventPayload } from './event-payload.ts';

/** What a redaction erases of the record. */
export type PreparedErasure = NonNullable<PreparedEvent['erasure']> & {
  /** The events whose reason and open payload are gone from here on, in their order. */
  readonly eventIds: readonly string[];
};

const sourceRefsOf = recordCore.pick({ source_refs: true });

/**
 * What a redaction erases: question, answer and corrected texts always, with their keys and HMAC bytes; the reasons and
 * open payloads of all events so far, and the named items, with their salts. What stays disclosed is sealed again under
 * a new key, so that the old one is gone from the database. `issuedIds` may be named too: accesses that the record
 * binds issued them, for source refs that the record may not have. Throws `source_ref_not_found` and
 * `event_not_found`, and then nothing is redacted.
 */
export function prepareErasure(
  workspace: Workspace,
  stored: StoredRecord,
  payload: EventPayload,
  issuedIds: readonly string[] = [],
): PreparedErasure {
  const known = sourceRefsOf.parse({ source_refs: parseJsonText(stored.record.source_refs_json) }).source_refs;
  const ids = known.map((ref) => ref.source_ref_id);
  const refs = new Set([...ids, ...issuedIds]);
  refuseUnknown('source_ref_not_found', 'source ref', 'redact_source_ref_ids', payload.redactSourceRefIds, refs);
  const earlier = new Set(stored.events.map(({ event }) => event.id));
  refuseUnknown('event_not_found', 'event', 'redact_event_ids', payload.redactEventIds, earlier);

  const writes: Write[] = [];
  if (stored.sealed !== undefined) {
    const { items } = openRecord(workspace.vault, stored.sealed);
    writes.push({ kind: 'erase_sealed', objectId: stored.record.id });
    const left = items === null ? null : withoutRedacted(items, ids, payload);
    if (left !== null) for (const write of keepItems(workspace, stored.record, left)) writes.push(write);
  }
  const eventIds = new Set(payload.redactEventIds);
  for (const { event, sealed } of stored.events) {
    if (sealed === undefined) continue;
    writes.push({ kind: 'erase_sealed', objectId: event.id });
    if (sealed.items !== null) eventIds.add(event.id);
  }
  return {
    atSequence: stored.events.length,
    atExpiries: stored.attached.expiries.length,
    writes,
    eventIds: stored.events.flatMap(({ event: { id } }) => (eventIds.has(id) ? [id] : [])),
  };
}

function refuseUnknown(
  code: ProblemCode,
  what: string,
  member: string,
  named: readonly string[] | null,
  known: ReadonlySet<string>,
): void {
  const detail = `the record has no such ${what}; read the record for those that it has`;
  const errors = (named ?? []).flatMap((id, n) =>
    known.has(id) ? [] : [{ pointer: `/payload/${member}/${n}`, detail }],
  );
  if (errors.length > 0) throw new ServiceError(code, detail, { errors });
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

/** What stays of the items, sealed anew, and the time that they claim. */
function keepItems(workspace: Workspace, record: RecordRow, items: RecordItems): readonly Write[] {
  const { id, leaf_index, application_key } = record;
  const answeredAt = claimedTimeOf(items);
  const sealed = sealItems(workspace, record, items);
  if (answeredAt === undefined) return [sealed];
  const claim = { record_id: id, leaf_index, application_key, answered_at: answeredAt };
  return [sealed, { kind: 'insert', table: 'answered_claims', row: claim }];
}

function sealItems(workspace: Workspace, record: RecordRow, items: RecordItems): Write {
  const key = workspace.vault.createObjectKey(record.id);
  return {
    kind: 'insert',
    table: 'sealed_contents',
    row: {
      object_id: record.id,
      wrapped_key: key.wrapped,
      texts: null,
      items: key.seal('items', JSON.stringify(items)),
      due_at: record.retention_until,
    },
  };
}
