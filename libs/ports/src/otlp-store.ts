import type { IgnoredFilters, UnattachedFilters, Within } from '@answer-evidence/contracts';
import type {
  OtlpFateRow,
  OtlpIgnoredRow,
  OtlpInboxRow,
  OtlpTracePartRow,
  OtlpTraceRow,
  OtlpUnattachedRow,
  OtlpWaitingRow,
  SealedRow,
} from '@answer-evidence/tables';
import type { FoundPage } from './leaf-page.ts';

/** A record as it is compared with an item that names its key. */
export type KeyedRecord = {
  readonly id: string;
  readonly applicationKey: string;
  readonly idempotencyKey: string;
  /** Of the request or item that made it. */
  readonly fingerprint: Uint8Array;
  readonly question: { readonly hash: string; readonly hashKeyId: string | null };
  readonly answer: { readonly hash: string; readonly hashKeyId: string | null };
  /** What is left of its texts; lists of items are left out. */
  readonly sealed: Pick<SealedRow, 'wrapped_key' | 'texts' | 'items'> | undefined;
};

/** What names a record: its application and its key there. */
type RecordKey = { readonly applicationKey: string; readonly idempotencyKey: string };

/** An item that may have a record: by its key, or else by the call that it shows. */
type RecordSearch = RecordKey & { readonly call?: Uint8Array | null };

/** An item by what tells it from others, empty strings where it names no trace or span. */
export type ItemPlace = RecordKey & { readonly traceId: string; readonly spanId: string };

/** What became of items, to be kept in one transaction. */
export type RoutedItems = {
  /** Kept unless the same item waits already. */
  readonly waiting: readonly OtlpWaitingRow[];
  /** Kept unless the same item is listed for the same reason; another reason replaces what was said before. */
  readonly unattached: readonly OtlpUnattachedRow[];
  /** Recorded or attached: whatever was said of them before is no longer so. */
  readonly settled: readonly ItemPlace[];
};

/** What is known of the items of a trace. Times in microseconds. */
export type FoundFates = {
  readonly records: readonly {
    readonly id: string;
    readonly application_key: string;
    readonly idempotency_key: string;
    readonly created_at: number;
  }[];
  readonly attached: readonly {
    readonly record_id: string;
    readonly application_key: string;
    readonly span_id: string | null;
    readonly attached_at: number;
  }[];
  readonly held: readonly Pick<OtlpTraceRow, 'application_key' | 'received_at'>[];
  readonly waiting: readonly Pick<OtlpWaitingRow, 'application_key' | 'span_id' | 'received_at'>[];
  readonly unattached: readonly OtlpUnattachedRow[];
  readonly leftOut: readonly OtlpFateRow[];
  /** Something that was accepted is not worked off yet: what is not known may be part of it. */
  readonly isPending: boolean;
};

/** How much there is to do. Times in microseconds. */
export type OtlpBacklog = {
  readonly batches: number;
  readonly items: number;
  readonly oldestReceivedAt: number | undefined;
  readonly waiting: number;
  /** Traces of which something waits to be decided, and when the first item of the oldest came. */
  readonly openTraces: number;
  readonly oldestOpenedAt: number | undefined;
};

/** What names a trace: trace ids of two applications have nothing to do with each other. */
export type TraceName = { readonly applicationKey: string; readonly traceId: string };

/** A trace with the part of it that a request brings. */
export type ArrivedTrace = { readonly trace: OtlpTraceRow; readonly part: OtlpTracePartRow };

/** What became of a trace of which parts were read. */
export type DecidedTrace = {
  /** As it was found. If more of it has come since, that stays due as it is. */
  readonly trace: OtlpTraceRow;
  /** Its parts as they are now, sealed anew. */
  readonly parts: readonly Pick<OtlpTracePartRow, 'id' | 'is_open' | 'wrapped_key' | 'items'>[];
  /** When it is decided next where some of its parts are open, and when it is forgotten where none is. */
  readonly dueAt: number;
  readonly forgottenAt: number;
};

/** About the most that is kept of one trace; one with more is decided at once. */
export const TRACE_BYTES_MAX = 4 * 1024 * 1024;
/** How long a trace is held of which more and more comes: a day, in microseconds. Then it is decided as it is. */
export const TRACE_AGE_MICROS_MAX = 86_400_000_000;

/** Traces that are decided together, when all of what is above their items has come. */
export interface OtlpTraceStore {
  /** Those of the traces of which parts are kept, open or not. */
  findTraces(workspaceId: string, names: readonly TraceName[]): Promise<readonly TraceName[]>;
  /** How many traces are open, and about how much is kept of them. */
  traceUsage(workspaceId: string): Promise<{ readonly count: number; readonly sizeBytes: number }>;
  /** After a clock that stepped back: what came in its future came now, and is due `waitMicros` later at most. */
  pullInTraces(workspaceId: string, now: number, waitMicros: number): Promise<void>;
  /** Traces that are due, the longest due ones first, until they fill `bytesMax`; at least one, if there is any. */
  findDueTraces(workspaceId: string, now: number, bytesMax: number): Promise<readonly OtlpTraceRow[]>;
  /** Parts of these traces in the order in which they came, of each trace up to `bytesMax`; open ones go first. */
  findTraceParts(
    workspaceId: string,
    traces: readonly OtlpTraceRow[],
    bytesMax: number,
  ): Promise<readonly OtlpTracePartRow[]>;
  /**
   * Keeps what became of the traces and their items, and forgets decided parts that came before `partsKeptSince`. Once
   * more changes nothing.
   */
  finishTraces(
    workspaceId: string,
    decided: readonly DecidedTrace[],
    routed: RoutedItems,
    partsKeptSince: number,
  ): Promise<void>;
  /** Forgets traces of which nothing is open, unless more of them has come. */
  forgetTraces(workspaceId: string, traces: readonly OtlpTraceRow[]): Promise<void>;
}

/** What came over OTLP and is not (yet) in the ledger of one workspace. One transaction each; `ledger_unavailable`. */
export interface OtlpStore extends OtlpTraceStore {
  /**
   * Keeps batches, and asks for a job of the topic `otlp.attach` about each, and parts of traces that wait, when this
   * version of the settings is in force as it does so; else keeps nothing. When it returns they are durable. A part
   * that is there already is not kept again. After `ledger_unavailable` they may be kept or not.
   */
  accept(
    workspaceId: string,
    settingsVersion: number,
    batches: readonly OtlpInboxRow[],
    traces: readonly ArrivedTrace[],
  ): Promise<'accepted' | 'settings_changed'>;
  /** Items that were recorded without the inbox: whatever was said of them before is no longer so. */
  settle(workspaceId: string, settled: readonly ItemPlace[]): Promise<void>;
  findBatch(workspaceId: string, batchId: string): Promise<OtlpInboxRow | undefined>;
  /** Keeps what became of a batch's items and forgets the batch. Once more changes nothing. */
  finishBatch(workspaceId: string, batchId: string, routed: RoutedItems): Promise<void>;
  /** Ids of batches received before this time that no job is about any more, oldest first. */
  findAbandoned(workspaceId: string, receivedBefore: number, limit: number): Promise<readonly string[]>;
  /** The records of these keys or calls, as far as there are any, each by the key that was asked for. */
  findRecords(workspaceId: string, keys: readonly RecordSearch[]): Promise<readonly KeyedRecord[]>;
  /** At most `limit` waiting items whose record is there or whose time is up; fewer when large, but never none. */
  findRipe(workspaceId: string, nowMicros: number, limit: number): Promise<readonly OtlpWaitingRow[]>;
  /** Keeps what became of waiting items and forgets that they wait. Once more changes nothing. */
  finishWaiting(workspaceId: string, waitingIds: readonly string[], routed: RoutedItems): Promise<void>;
  /** Newest first. */
  listUnattached(
    workspaceId: string,
    filters: UnattachedFilters & Within,
    page: {
      readonly after?: { readonly unattachedAt: number; readonly id: string };
      readonly offset: number;
      readonly limit: number;
    },
  ): Promise<FoundPage<OtlpUnattachedRow>>;
  /** Forgets unattached traces that were listed before this time. */
  forgetUnattached(workspaceId: string, before: number): Promise<void>;
  /** Forgets of which calls records were made before this time. */
  forgetCalls(workspaceId: string, before: number): Promise<void>;
  /**
   * Adds to the counts of what is left out, each kind once, and to what is known by trace; forgets what was last seen
   * before this time, and the oldest traces of a sender that has more than its share.
   */
  countIgnored(
    workspaceId: string,
    counted: readonly OtlpIgnoredRow[],
    fates: readonly OtlpFateRow[],
    forgottenBefore: number,
  ): Promise<void>;
  /** What is known of the items of a trace; of one application where one is named. */
  findFates(workspaceId: string, traceId: string, applications: readonly string[] | undefined): Promise<FoundFates>;
  /** Last seen first. */
  listIgnored(
    workspaceId: string,
    filters: IgnoredFilters & Within,
    page: {
      readonly after?: { readonly lastSeenAt: number; readonly id: string };
      readonly offset: number;
      readonly limit: number;
    },
  ): Promise<FoundPage<OtlpIgnoredRow>>;
  backlog(workspaceId: string): Promise<OtlpBacklog>;
}
