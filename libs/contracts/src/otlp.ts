import * as z from 'zod';

/*
 * OTLP 1.11 over HTTP in its JSON form, for the API description: what is sent, as far as the service reads it. Requests
 * are read by a reader of their own, which rejects a bad item alone; other members are ignored, and each may be null.
 */

const digits = z.string().regex(/^-?[0-9]{1,20}$/);
const nanos = z.union([digits, z.int().nonnegative()]).nullish();
const text = z.string().nullish();
const enumNumber = z
  .int()
  .min(-(2 ** 31))
  .max(2 ** 31 - 1)
  .nullish();
const traceId = z.string().regex(/^[0-9a-fA-F]{32}$/);
const spanId = z.string().regex(/^[0-9a-fA-F]{16}$/);

/** A value of an attribute: at most one member. */
export const otlpAnyValue = z.looseObject({
  stringValue: text,
  boolValue: z.boolean().nullish(),
  intValue: z.union([digits, z.int()]).nullish(),
  doubleValue: z.union([z.number(), z.string()]).nullish(),
  bytesValue: z.string().meta({ contentEncoding: 'base64' }).nullish(),
  get arrayValue() {
    return z.looseObject({ values: z.array(otlpAnyValue).nullish() }).nullish();
  },
  get kvlistValue() {
    return z.looseObject({ values: z.array(otlpKeyValue).nullish() }).nullish();
  },
});

/** An attribute. */
export const otlpKeyValue = z.looseObject({
  key: z.string(),
  get value() {
    return otlpAnyValue.nullish();
  },
});

const attributes = z.array(otlpKeyValue).nullish();

/** What sent the items below it; `service.name` among its attributes says which application. */
export const otlpResource = z.looseObject({ attributes });
/** The instrumentation that made the items below it. */
export const otlpScope = z.looseObject({ name: text, version: text, attributes });

/** An event of a span. */
export const otlpSpanEvent = z.looseObject({ timeUnixNano: nanos, name: text, attributes });

/** A span. */
export const otlpSpan = z.looseObject({
  traceId,
  spanId,
  parentSpanId: z
    .string()
    .regex(/^([0-9a-fA-F]{16})?$/)
    .nullish(),
  name: text,
  kind: enumNumber,
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes,
  events: z.array(otlpSpanEvent).nullish(),
  status: z.looseObject({ code: enumNumber, message: text }).nullish(),
});

/** A log record. */
export const otlpLogRecord = z.looseObject({
  timeUnixNano: nanos,
  observedTimeUnixNano: nanos,
  severityNumber: enumNumber,
  eventName: text,
  body: otlpAnyValue.nullish(),
  attributes,
  traceId: text,
  spanId: text,
});

const scopeSpans = z.looseObject({ scope: otlpScope.nullish(), spans: z.array(otlpSpan).nullish() });
const scopeLogs = z.looseObject({ scope: otlpScope.nullish(), logRecords: z.array(otlpLogRecord).nullish() });
const resourceSpans = z.looseObject({ resource: otlpResource.nullish(), scopeSpans: z.array(scopeSpans).nullish() });
const resourceLogs = z.looseObject({ resource: otlpResource.nullish(), scopeLogs: z.array(scopeLogs).nullish() });

/** Body of `POST …/otel/v1/traces`. */
export const exportTraceServiceRequest = z.looseObject({ resourceSpans: z.array(resourceSpans).nullish() });
/** Body of `POST …/otel/v1/logs`. */
export const exportLogsServiceRequest = z.looseObject({ resourceLogs: z.array(resourceLogs).nullish() });
/** Body of `POST …/otel`: of either kind, as its one member says. */
export const exportServiceRequest = z.union([exportTraceServiceRequest, exportLogsServiceRequest]);

/** What became of a batch: which of its items were rejected and why, or a warning. Left out: all were accepted. */
export const exportTraceServiceResponse = z.strictObject({
  partialSuccess: z.strictObject({ rejectedSpans: digits.optional(), errorMessage: z.string().optional() }).optional(),
});
/** The same for log records. */
export const exportLogsServiceResponse = z.strictObject({
  partialSuccess: z
    .strictObject({ rejectedLogRecords: digits.optional(), errorMessage: z.string().optional() })
    .optional(),
});
/** The reply to a batch of either kind. */
export const exportServiceResponse = z.union([exportTraceServiceResponse, exportLogsServiceResponse]);

/** How OTLP says that a whole request was refused: a `google.rpc.Status`, with the faults as its detail. */
export const otlpStatus = z.strictObject({
  code: z.int(),
  message: z.string(),
  details: z
    .array(
      z.strictObject({
        '@type': z.literal('type.googleapis.com/google.rpc.BadRequest'),
        fieldViolations: z.array(z.strictObject({ field: z.string(), description: z.string() })),
      }),
    )
    .optional(),
});
