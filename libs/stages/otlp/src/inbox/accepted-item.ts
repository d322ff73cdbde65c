import { labelsOf, type TraceSignal } from '@answer-evidence/contracts';
import { concatBytes, parseJson, utf8 } from '@answer-evidence/encoding';
import type { ReadyRecord } from '@answer-evidence/ledger';
import type { ItemPlace, ObjectKey } from '@answer-evidence/ports';
import type { UnplacedRecord } from '@answer-evidence/tables';

/** One commitment that an item states, with what is left of its text. `salt` (hex) makes the key of a keyed one. */
export type Claim = {
  readonly hash: string;
  readonly hashKeyId: string | null;
  readonly text: string | null;
  readonly salt: string | null;
};

/**
 * An item that was accepted: judged and committed to while its texts are at hand, and no longer to be refused. A change
 * of settings after the acknowledgement does not affect it: its record names the older version of the settings.
 */
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
  /** A MAC of the call that it shows, which makes one record however often it is seen; null where it is one anyhow. */
  readonly call: Uint8Array | null;
  /** The record that it makes when there is none; its commitments are the item's. */
  readonly record: { readonly ready: ReadyRecord; readonly mac: Uint8Array } | null;
  /** What it states when it can make no record. */
  readonly claims: { readonly question: Claim | null; readonly answer: Claim | null };
};

/** As it stands in the JSON of a batch: a number is the size of bytes that stand behind it, in field order. */
type Packed = Omit<AcceptedItem, 'fingerprint' | 'call' | 'record'> & {
  readonly fingerprint: number;
  /** Missing in what was accepted by a service that did not tell calls apart. */
  readonly call?: number | null;
  readonly record: {
    readonly mac: number;
    readonly row: Omit<UnplacedRecord, 'nonce'>;
    readonly nonce: number;
    readonly hash: number | null;
    /** Missing in what was accepted by a service that counted the retention from its own clock. */
    readonly keptForMicros?: number;
    readonly sealed: {
      readonly key: number;
      readonly texts: number | null;
      readonly items: number | null;
      readonly dueAt: number;
    } | null;
  } | null;
};

/** An item ready to be put into a batch: its JSON, and its bytes. */
export type PackedItem = { readonly text: string; readonly bytes: readonly Uint8Array[] };

const SIZE_BYTES = 4;

/** What tells an item from others. */
export function placeOf({ applicationKey, idempotencyKey, traceId, spanId }: AcceptedItem): ItemPlace {
  return { applicationKey, idempotencyKey, traceId: traceId ?? '', spanId: spanId ?? '' };
}

/** The item as a batch holds it. */
export function packItem(item: AcceptedItem): PackedItem {
  const bytes: Uint8Array[] = [];
  function put(part: Uint8Array): number {
    bytes.push(part);
    return part.length;
  }
  const packed: Packed = {
    ...item,
    fingerprint: put(item.fingerprint),
    call: item.call && put(item.call),
    record: item.record && packRecord(item.record, put),
  };
  return { text: JSON.stringify(packed), bytes };
}

function packRecord(
  { ready, mac }: NonNullable<AcceptedItem['record']>,
  put: (part: Uint8Array) => number,
): Packed['record'] {
  const { nonce, ...row } = ready.row;
  const { sealed } = ready;
  return {
    mac: put(mac),
    row,
    nonce: put(nonce),
    ...(ready.keptForMicros === undefined
      ? { hash: put(ready.hash) }
      : { hash: null, keptForMicros: ready.keptForMicros }),
    sealed: sealed && {
      key: put(sealed.wrapped_key),
      texts: sealed.texts && put(sealed.texts),
      items: sealed.items && put(sealed.items),
      dueAt: sealed.due_at,
    },
  };
}

/**
 * Items as bytes, for sealing: size of the JSON (4 bytes, big-endian) ‖ JSON of all items ‖ the binary members of each.
 * As base64 they cost a fifth of the time of a record from a span.
 */
export function formatBatch(items: readonly PackedItem[]): Uint8Array {
  const json = utf8(`[${items.map(({ text }) => text).join(',')}]`);
  const size = new Uint8Array(SIZE_BYTES);
  new DataView(size.buffer).setUint32(0, json.length);
  return concatBytes(size, json, ...items.flatMap(({ bytes }) => bytes));
}

/** Opens a row's items. Throws `VaultError` when anything was altered. */
export function openItems(key: ObjectKey, sealed: Uint8Array): readonly AcceptedItem[] {
  const batch = key.openBytes('items', sealed);
  const jsonEnd = SIZE_BYTES + new DataView(batch.buffer, batch.byteOffset).getUint32(0);
  // What authenticates was written by this service, so its shape needs no check.
  const packed = parseJson(batch.subarray(SIZE_BYTES, jsonEnd)) as unknown as readonly Packed[];
  let at = jsonEnd;
  return packed.map((item) =>
    unpack(item, (sizeBytes) => {
      at += sizeBytes;
      return batch.subarray(at - sizeBytes, at);
    }),
  );
}

function unpack(
  { fingerprint, call = null, record, ...item }: Packed,
  take: (sizeBytes: number) => Uint8Array,
): AcceptedItem {
  return {
    ...item,
    fingerprint: take(fingerprint),
    call: call === null ? null : take(call),
    record: record && unpackRecord(record, take),
  };
}

function unpackRecord(
  { mac, row, nonce, hash, keptForMicros, sealed }: NonNullable<Packed['record']>,
  take: (sizeBytes: number) => Uint8Array,
): AcceptedItem['record'] {
  return {
    mac: take(mac),
    ready: {
      kind: 'ready',
      // A row that was accepted before a label existed does not have it.
      row: { ...row, ...labelsOf(row), nonce: take(nonce) },
      ...(hash === null ? { hash, keptForMicros: keptForMicros ?? 0 } : { hash: take(hash) }),
      sealed: sealed && {
        object_id: row.id,
        wrapped_key: take(sealed.key),
        texts: sealed.texts === null ? null : take(sealed.texts),
        items: sealed.items === null ? null : take(sealed.items),
        due_at: sealed.dueAt,
      },
    },
  };
}
