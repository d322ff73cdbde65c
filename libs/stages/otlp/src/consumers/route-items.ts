import type { UnattachedReason } from '@answer-evidence/contracts';
import { MICROS_PER_SECOND } from '@answer-evidence/encoding';
import { createTraceCommand, isSameFingerprint } from '@answer-evidence/ledger';
import {
  type ItemPlace,
  type KeyedRecord,
  newId,
  newNonce,
  type RoutedItems,
  type Workspace,
} from '@answer-evidence/ports';
import type { HashKeys } from '@answer-evidence/preparation';
import type { OtlpUnattachedRow, OtlpWaitingRow } from '@answer-evidence/tables';
import type { OtlpDeps } from '../deps.ts';
import { type AcceptedItem, formatBatch, packItem, placeOf } from '../inbox/accepted-item.ts';
import { appendRecords } from '../inbox/append-records.ts';
import { compareClaims } from './compare-claims.ts';

/** An item with when it was received, in microseconds. */
export type Received = { readonly item: AcceptedItem; readonly receivedAt: number };

/** What is done with an item that has no record and can make none. */
type Unrecorded = 'wait' | 'list';

type Deps = Pick<OtlpDeps, 'ledger' | 'otlp' | 'clock' | 'random' | 'otlpWaitSeconds'> & {
  readonly hashKeys: HashKeys;
};

/**
 * Records items, or attaches their traces to the records of their keys. What it has done is in the ledger when it
 * returns; the rest is in the routed, for the caller to keep. Items that were worked off before, in part or whole,
 * change nothing. Throws when one of them cannot be worked off now, after the others were.
 */
export async function routeItems(
  deps: Deps,
  workspace: Workspace,
  items: readonly Received[],
  unrecorded: Unrecorded,
): Promise<RoutedItems> {
  const waiting: OtlpWaitingRow[] = [];
  const unattached: OtlpUnattachedRow[] = [];
  const settled: ItemPlace[] = [];

  // What was sent before is found first: a transaction that meets one used key is refused as a whole.
  const before = await findRecords(items);
  const fresh = items.filter(({ item }) => !before.has(nameOf(item)));
  const created = await appendRecords(
    deps.ledger,
    workspace.id,
    fresh.map(({ item }) => item),
    null,
  );
  const fault = created.find(({ error }) => error !== undefined);
  if (fault !== undefined) throw fault.error;
  const isCreated = new Set(fresh.filter((_, n) => created[n]?.isRecorded));
  for (const { item } of isCreated) settled.push(placeOf(item));

  const left = items.filter((received) => !isCreated.has(received));
  const meanwhile = await findRecords(left.filter(({ item }) => !before.has(nameOf(item))));
  const records = new Map([...before, ...meanwhile]);
  await allSettled(
    left.map(async (received) => {
      const { item } = received;
      const record = records.get(nameOf(item));
      if (record === undefined) {
        if (unrecorded === 'wait' && item.traceId !== null) waiting.push(waitingRow(received));
        else unattached.push(unattachedRow(received, 'record_not_found', null));
      } else if (isSameFingerprint(record.fingerprint, item.fingerprint)) {
        // The very item that made the record, sent again.
        settled.push(placeOf(item));
      } else {
        const commitments = await compareClaims(workspace, deps.hashKeys, item, record);
        if (commitments === 'mismatch') unattached.push(unattachedRow(received, 'commitment_mismatch', record));
        else {
          if (item.traceId !== null) await attach(item, item.traceId, record, commitments);
          settled.push(placeOf(item));
        }
      }
    }),
  );
  return { waiting, unattached, settled };

  async function findRecords(of: readonly Received[]): Promise<ReadonlyMap<string, KeyedRecord>> {
    const found = await deps.otlp.findRecords(
      workspace.id,
      of.map(({ item }) => item),
    );
    return new Map(found.map((record) => [nameOf(record), record]));
  }

  async function attach(
    item: AcceptedItem,
    traceId: string,
    record: KeyedRecord,
    commitments: 'equal' | 'not_comparable' | 'absent',
  ): Promise<void> {
    const command = createTraceCommand({
      record_id: record.id,
      id: newId(deps),
      nonce: newNonce(deps),
      signal: item.signal,
      trace_id: traceId,
      span_id: item.spanId,
      started_at: item.startedAt,
      commitments,
      actor_json: item.actorJson,
    });
    await deps.ledger.append(workspace.id, () => command);
  }

  function waitingRow({ item, receivedAt }: Received): OtlpWaitingRow {
    const id = newId(deps);
    const key = workspace.vault.createObjectKey(id);
    const { applicationKey, idempotencyKey, traceId, spanId } = placeOf(item);
    return {
      id,
      application_key: applicationKey,
      idempotency_key: idempotencyKey,
      trace_id: traceId,
      span_id: spanId,
      received_at: receivedAt,
      due_at: receivedAt + deps.otlpWaitSeconds * MICROS_PER_SECOND,
      wrapped_key: key.wrapped,
      item: key.seal('items', formatBatch([packItem(item)])),
    };
  }

  function unattachedRow(received: Received, reason: UnattachedReason, record: KeyedRecord | null): OtlpUnattachedRow {
    return createUnattachedRow(deps, received, reason, record?.id ?? null);
  }
}

/** An item as the list of unattached traces has it. */
export function createUnattachedRow(
  deps: Pick<OtlpDeps, 'clock' | 'random'>,
  { item, receivedAt }: Received,
  reason: UnattachedReason,
  recordId: string | null,
): OtlpUnattachedRow {
  const { applicationKey, idempotencyKey, traceId, spanId } = placeOf(item);
  return {
    id: newId(deps),
    application_key: applicationKey,
    environment: item.environment,
    idempotency_key: idempotencyKey,
    signal: item.signal,
    trace_id: traceId,
    span_id: spanId,
    reason,
    record_id: recordId,
    received_at: receivedAt,
    unattached_at: deps.clock.nowMicros(),
  };
}

function nameOf({ applicationKey, idempotencyKey }: { applicationKey: string; idempotencyKey: string }): string {
  return `${applicationKey}\n${idempotencyKey}`;
}

/** Waits for all of them, then throws the first error. */
async function allSettled(promises: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(promises);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
