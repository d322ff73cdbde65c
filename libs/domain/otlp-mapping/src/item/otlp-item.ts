/** What an OTLP reader makes of a request, protobuf or JSON. All is untrusted but lengths of ids, ranges and limits. */

/**
 * An `AnyValue`. `null` is an empty one. An integer is a `number` while a double holds it exactly, and a `bigint`
 * beyond ±(2^53−1); a double may be NaN or infinite. Strings are well formed in what protobuf carried; JSON may have
 * brought lone surrogates and U+0000.
 */
export type AttributeValue =
  | null
  | string
  | boolean
  | number
  | bigint
  | Uint8Array
  | readonly AttributeValue[]
  | AttributeMap;

/** A `KeyValueList` as it was sent: in its order, and with keys that are there twice. */
export type AttributeMap = { readonly members: readonly Attribute[] };

/** A `KeyValue`. */
export type Attribute = { readonly key: string; readonly value: AttributeValue };

/** What a span or log record was made by. One object for all items of a `ResourceSpans` or `ResourceLogs`. */
export type OtlpResource = { readonly attributes: readonly Attribute[] };

/** The instrumentation that made an item; empty strings when it does not say. */
export type OtlpScope = { readonly name: string; readonly version: string };

type ItemFields = {
  /** The position in the request: spans or log records from 0 in order, including those that the reader refused. */
  readonly index: number;
  readonly resource: OtlpResource;
  readonly scope: OtlpScope;
  readonly attributes: readonly Attribute[];
};

/** Something that happened during a span. */
export type OtlpSpanEvent = {
  readonly name: string;
  /** Nanoseconds since 1970, 0 when unknown. */
  readonly timeUnixNano: bigint;
  readonly attributes: readonly Attribute[];
};

/** A span. Ids are lower-case hex, 32 and 16 digits, and not all zero. */
export type OtlpSpan = ItemFields & {
  readonly kind: 'span';
  readonly traceId: string;
  readonly spanId: string;
  /** Null for a root span. */
  readonly parentSpanId: string | null;
  /** The span says that its parent is in another process; false where it says nothing of it. */
  readonly parentIsRemote: boolean;
  readonly name: string;
  /** `SpanKind` of OTLP; 0 when it was not said. */
  readonly spanKind: number;
  /** Nanoseconds since 1970, 0 when unknown. */
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
  /** `StatusCode` of OTLP: 0 unset, 1 ok, 2 error. */
  readonly statusCode: number;
  readonly events: readonly OtlpSpanEvent[];
};

/** A log record. A missing, all-zero or wrong-length id is null: OTLP calls that "no trace", not an error. */
export type OtlpLogRecord = ItemFields & {
  readonly kind: 'log';
  readonly traceId: string | null;
  readonly spanId: string | null;
  /** Empty for a record that is no event. */
  readonly eventName: string;
  /** Nanoseconds since 1970: the time of the record, or else when it was observed; 0 when unknown. */
  readonly timeUnixNano: bigint;
  /** `SeverityNumber` of OTLP; 0 when it was not said. */
  readonly severityNumber: number;
  readonly body: AttributeValue;
};

/** A span or a log record. */
export type OtlpItem = OtlpSpan | OtlpLogRecord;

/** What a request is about. */
export type OtlpSignal = 'traces' | 'logs';

/** One item that is refused alone; the rest of the batch is kept. */
export type RejectedItem = {
  readonly index: number;
  readonly traceId: string | null;
  readonly spanId: string | null;
  /** A sentence that a developer can act on. It names attributes and limits and never a value that was sent. */
  readonly reason: string;
};

/** A request as read: the readable items and the refused ones, each in the order of the request. */
export type OtlpBatch = {
  readonly signal: OtlpSignal;
  readonly items: readonly OtlpItem[];
  readonly rejected: readonly RejectedItem[];
  /** What its sender should know though nothing was refused. */
  readonly warning?: string;
};
