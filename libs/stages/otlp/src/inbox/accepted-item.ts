import type { RecordRow, SealedRow, TraceSignal } from '@answer-evidence/contracts';
import { formatBase64, formatHex, parseBase64, parseHex, parseJsonText } from '@answer-evidence/encoding';
import type { ReadyRecord } from '@answer-evidence/ledger';
import type { ItemPlace, ObjectKey } from '@answer-evidence/ports';

/** One commitment that an item states, with what is left of its text. `salt` (hex) makes the key of a keyed one. */
export type Claim = {
  readonly hash: string;
  readonly hashKeyId: string | null;
  readonly text: string | null;
  readonly salt: string | null;
};

/** An item that was accepted: judged and committed to, and no longer to be refused. */
export type AcceptedItem = {
  readonly applicationKey: string;
  readonly environment: string;
  readonly idempotencyKey: string;
  readonly signal: TraceSignal;
  readonly traceId: string | null;
  readonly spanId: string | null;
  /** Microseconds. */
  readonly startedAt: number | null;
  /** JCS of the actor. */
  readonly actorJson: string;
  /** Of the item as it was mapped: the same one again has the same. */
  readonly fingerprint: Uint8Array;
  /** The record that it makes when there is none; its commitments are the item's. */
  readonly record: { readonly ready: ReadyRecord; readonly mac: Uint8Array } | null;
  /** What it states when it can make no record. */
  readonly claims: { readonly question: Claim | null; readonly answer: Claim | null };
};

type Packed = Omit<AcceptedItem, 'fingerprint' | 'record'> & {
  readonly fingerprint: string;
  readonly record: {
    readonly row: Omit<RecordRow, 'leaf_index' | 'nonce'>;
    readonly nonce: string;
    readonly hash: string;
    readonly mac: string;
    readonly sealed: {
      readonly key: string;
      readonly texts: string | null;
      readonly items: string | null;
      readonly dueAt: number;
    } | null;
  } | null;
};

/** What tells an item from others. */
export function placeOf({ applicationKey, idempotencyKey, traceId, spanId }: AcceptedItem): ItemPlace {
  return { applicationKey, idempotencyKey, traceId: traceId ?? '', spanId: spanId ?? '' };
}

/** The item as text, for sealing. */
export function formatItem(item: AcceptedItem): string {
  const { record } = item;
  const packed: Packed = {
    ...item,
    fingerprint: formatHex(item.fingerprint),
    record: record && {
      row: withoutNonce(record.ready.row),
      nonce: formatHex(record.ready.row.nonce),
      hash: formatHex(record.ready.hash),
      mac: formatHex(record.mac),
      sealed: record.ready.sealed && packSealed(record.ready.sealed),
    },
  };
  return JSON.stringify(packed);
}

function withoutNonce({ nonce: _, ...row }: Omit<RecordRow, 'leaf_index'>): Omit<RecordRow, 'leaf_index' | 'nonce'> {
  return row;
}

function packSealed({ wrapped_key: key, texts, items, due_at: dueAt }: SealedRow) {
  return {
    key: formatBase64(key),
    texts: texts && formatBase64(texts),
    items: items && formatBase64(items),
    dueAt,
  };
}

/** Opens a row's items. Throws `VaultError` when anything was altered. */
export function openItems(key: ObjectKey, sealed: Uint8Array): readonly AcceptedItem[] {
  // What authenticates was written by this service, so its shape needs no check.
  const packed = parseJsonText(key.open('items', sealed)) as unknown as readonly Packed[];
  return packed.map(unpack);
}

function unpack({ fingerprint, record, ...item }: Packed): AcceptedItem {
  return {
    ...item,
    fingerprint: parseHex(fingerprint),
    record: record && {
      mac: parseHex(record.mac),
      ready: {
        kind: 'ready',
        row: { ...record.row, nonce: parseHex(record.nonce) },
        hash: parseHex(record.hash),
        sealed: record.sealed && {
          object_id: record.row.id,
          wrapped_key: parseBase64(record.sealed.key),
          texts: record.sealed.texts === null ? null : parseBase64(record.sealed.texts),
          items: record.sealed.items === null ? null : parseBase64(record.sealed.items),
          due_at: record.sealed.dueAt,
        },
      },
    },
  };
}
