import { type CommittedText, type Erasure, knownPayload, type Tombstone } from '@answer-evidence/contracts';
import { formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import type { ListedRecord } from '@answer-evidence/ports';

const MICROS_PER_DAY = 86_400_000_000;
/** The reason code in the tombstone of an item that expired. */
const EXPIRED = 'retention_expired';

/** What the redactions and expiries of a record have erased. */
export type Erased = {
  /** What became of a text that was stored under the leaf of that index. */
  stateOf(atCreation: CommittedText['text_state'], leafIndex: number): CommittedText['text_state'];
  /** Whether the retention of what is under the leaf of that index has ended, and all of it is gone. */
  isExpired(leafIndex: number): boolean;
  /** What stands in the place of the record's semantic refs, when they are gone. */
  readonly semanticRefs: Tombstone | undefined;
  /** What stands in the place of a source ref of the record that is gone. */
  sourceRef(sourceRefId: string): Tombstone | undefined;
  /** What stands in the place of the reason and open payload of an event of the record, when a redaction took them. */
  eventText(eventId: string): Tombstone | undefined;
  /** When the last of it happened, in microseconds. */
  readonly lastAt: number | undefined;
};

/** Reads it from the events and expiries; the first to erase something is what its tombstone names. */
export function erasedOf({ leaf, events, attached }: Pick<ListedRecord, 'leaf' | 'events' | 'attached'>): Erased {
  const { expiries } = attached;
  const redactions = events.filter(({ event }) => event.event_type === 'redacted');
  const [redaction] = redactions;
  const expiry = expiries.find((other) => other.leaf.leaf_index > leaf.leaf_index);
  const expired = expiry && tombstone(expiry.row.id, EXPIRED, expiry.leaf.at);
  let semantic: Tombstone | undefined;
  const sources = new Map<string, Tombstone>();
  const eventTexts = new Map<string, Tombstone>();
  for (const { event, leaf: at } of redactions) {
    const payload = knownPayload.parse(parseJsonText(event.payload_json));
    const grave = tombstone(event.id, payload.reason_code ?? null, at.at);
    for (const id of payload.redact_event_ids ?? []) if (!eventTexts.has(id)) eventTexts.set(id, grave);
    // What expired was gone when the redaction came.
    if (expiry !== undefined && at.leaf_index > expiry.leaf.leaf_index) continue;
    if (payload.redact_semantic_refs === true) semantic ??= grave;
    for (const id of payload.redact_source_ref_ids ?? []) if (!sources.has(id)) sources.set(id, grave);
  }
  return {
    stateOf(atCreation, leafIndex) {
      if (atCreation !== 'stored') return atCreation;
      const gone = expiries.find((other) => other.leaf.leaf_index > leafIndex)?.leaf.leaf_index ?? Infinity;
      if (redaction !== undefined && redaction.leaf.leaf_index < gone) return 'redacted';
      return gone === Infinity ? atCreation : 'expired';
    },
    isExpired: (leafIndex) => expiries.some((other) => other.leaf.leaf_index > leafIndex),
    semanticRefs: semantic ?? expired,
    sourceRef: (id) => sources.get(id) ?? expired,
    eventText: (eventId) => eventTexts.get(eventId),
    lastAt: [...redactions, ...expiries].map((erasing) => erasing.leaf.at).sort((a, b) => b - a)[0],
  };
}

function tombstone(eventId: string, reasonCode: string | null, at: number): Tombstone {
  return { event_id: eventId, reason_code: reasonCode, redacted_at: formatTimestamp(at) };
}

/** Where what was erased at that time still is, when backups are kept for so many days. */
export function describeErasure(at: number, backupDays: number): Erasure {
  return { online_at: formatTimestamp(at), backups_until: formatTimestamp(at + backupDays * MICROS_PER_DAY) };
}
