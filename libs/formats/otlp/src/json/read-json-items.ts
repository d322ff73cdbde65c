import type { JsonValue } from '@answer-evidence/encoding';
import type { OtlpSpanEvent } from '@answer-evidence/otlp-mapping';
import type { Intake } from '../intake.ts';
import { describeBadId, type IdField, isParentRemote, PARENT_SPAN_ID, SPAN_ID, TRACE_ID } from '../item-ids.ts';
import type { Origin } from '../origin.ts';
import { asList, asObject, readEnum, readId, readNanos, readText, sizeOfId } from './fields.ts';
import { readJsonAttributes, readJsonValue } from './read-json-value.ts';

/** A span in JSON, which the intake gets as one of its items or a rejected one. */
export function readJsonSpan(value: JsonValue, intake: Intake, { resource, scope }: Origin): void {
  const index = intake.countItem();
  const fields = asObject(value) ?? {};
  const traceId = readId(fields, 'traceId', TRACE_ID, intake);
  const spanId = readId(fields, 'spanId', SPAN_ID, intake);
  const parentSpanId = readId(fields, 'parentSpanId', PARENT_SPAN_ID, intake);
  const parentSize = sizeOfId(fields, 'parentSpanId');
  // Only a hint, so flags of another form cost nobody a span.
  const parentIsRemote = isParentRemote(Number(fields['flags'] ?? 0));
  const name = readText(fields, 'name', intake);
  const spanKind = readEnum(fields, 'kind', intake);
  const startTimeUnixNano = readNanos(fields, 'startTimeUnixNano', intake);
  const endTimeUnixNano = readNanos(fields, 'endTimeUnixNano', intake);
  const attributes = readJsonAttributes(fields, intake);
  const events = readEvents(fields['events'], intake);
  const statusCode = readEnum(asObject(fields['status']) ?? {}, 'code', intake);
  if (traceId === null) intake.reject(describe(TRACE_ID, sizeOfId(fields, 'traceId')));
  if (spanId === null) intake.reject(describe(SPAN_ID, sizeOfId(fields, 'spanId')));
  if (parentSize !== 0 && parentSize !== PARENT_SPAN_ID.sizeBytes) intake.reject(describe(PARENT_SPAN_ID, parentSize));
  const reason = intake.takeFault();
  if (reason !== null || traceId === null || spanId === null) {
    intake.rejectItem({ index, traceId, spanId, reason: reason ?? 'an id is missing' });
    return;
  }
  intake.items.push({
    kind: 'span',
    index,
    resource,
    scope,
    traceId,
    spanId,
    parentSpanId,
    parentIsRemote,
    name,
    spanKind,
    startTimeUnixNano,
    endTimeUnixNano,
    attributes,
    events,
    statusCode,
  });
}

/** A log record in JSON, which the intake gets as one of its items or a rejected one. */
export function readJsonLogRecord(value: JsonValue, intake: Intake, { resource, scope }: Origin): void {
  const index = intake.countItem();
  const fields = asObject(value);
  if (fields === undefined) intake.reject('a log record must be an object');
  const record = fields ?? {};
  const traceId = readId(record, 'traceId', TRACE_ID, intake);
  const spanId = readId(record, 'spanId', SPAN_ID, intake);
  const eventName = readText(record, 'eventName', intake);
  const time = readNanos(record, 'timeUnixNano', intake);
  const observedTime = readNanos(record, 'observedTimeUnixNano', intake);
  const severityNumber = readEnum(record, 'severityNumber', intake);
  const attributes = readJsonAttributes(record, intake);
  const hasBody = record['body'] !== undefined && record['body'] !== null;
  if (hasBody) intake.countValue();
  const body = hasBody ? readJsonValue(record['body'], intake, 1) : null;
  const reason = intake.takeFault();
  if (reason !== null) {
    intake.rejectItem({ index, traceId, spanId, reason });
    return;
  }
  intake.items.push({
    kind: 'log',
    index,
    resource,
    scope,
    traceId,
    spanId,
    eventName,
    timeUnixNano: time === 0n ? observedTime : time,
    severityNumber,
    attributes,
    body,
  });
}

function readEvents(value: JsonValue | undefined, intake: Intake): readonly OtlpSpanEvent[] {
  const list = asList(value);
  if (list === undefined) intake.reject('events must be an array of objects');
  const events: OtlpSpanEvent[] = [];
  for (const item of list ?? []) {
    intake.countValue();
    if (events.length >= intake.limits.eventsMax) {
      intake.rejectEvents();
      break;
    }
    const fields = asObject(item) ?? {};
    events.push({
      name: readText(fields, 'name', intake),
      timeUnixNano: readNanos(fields, 'timeUnixNano', intake),
      attributes: readJsonAttributes(fields, intake),
    });
  }
  return events;
}

/** What is wrong with an id; a missing one is most often one under another name. */
function describe(field: IdField, length: number): string {
  const hint = length === 0 ? ' (field names must be lowerCamelCase: traceId, spanId)' : '';
  return describeBadId(field, length) + hint;
}
