import type { Attribute, AttributeValue, OtlpItem } from '@answer-evidence/otlp-mapping';

/** `SpanFlags` of OTLP: whether the parent is remote is known, and is so. */
const HAS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

/** A request in OTLP's JSON with these items, all spans or all log records, in their order. */
export function writeRequest(items: readonly OtlpItem[]): object {
  const written = items.map((item) => {
    const resource = { attributes: item.resource.attributes.map(writeAttribute) };
    return item.kind === 'span'
      ? { resource, scopeSpans: [{ scope: item.scope, spans: [writeItem(item)] }] }
      : { resource, scopeLogs: [{ scope: item.scope, logRecords: [writeItem(item)] }] };
  });
  return items[0]?.kind === 'log' ? { resourceLogs: written } : { resourceSpans: written };
}

function writeItem(item: OtlpItem): object {
  const attributes = item.attributes.map(writeAttribute);
  if (item.kind === 'log') {
    const { eventName, severityNumber, body } = item;
    const ids = { ...(item.traceId && { traceId: item.traceId }), ...(item.spanId && { spanId: item.spanId }) };
    const said = { eventName, severityNumber, ...(body !== null && { body: writeValue(body) }) };
    return { ...ids, ...said, timeUnixNano: String(item.timeUnixNano), attributes };
  }
  const { traceId, spanId, parentSpanId, name, spanKind: kind, statusCode: code } = item;
  return {
    ...{ traceId, spanId, name, kind, attributes },
    ...(parentSpanId !== null && { parentSpanId }),
    ...(item.parentIsRemote && { flags: HAS_REMOTE + IS_REMOTE }),
    startTimeUnixNano: String(item.startTimeUnixNano),
    endTimeUnixNano: String(item.endTimeUnixNano),
    status: { code },
    events: item.events.map((event) => ({
      name: event.name,
      timeUnixNano: String(event.timeUnixNano),
      attributes: event.attributes.map(writeAttribute),
    })),
  };
}

function writeAttribute({ key, value }: Attribute): object {
  return { key, value: writeValue(value) };
}

function writeValue(value: AttributeValue): object {
  if (value === null) return {};
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'bigint') return { intValue: String(value) };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : writeDouble(value);
  if (value instanceof Uint8Array) return { bytesValue: Buffer.from(value).toString('base64') };
  if ('members' in value) return { kvlistValue: { values: value.members.map(writeAttribute) } };
  return { arrayValue: { values: value.map(writeValue) } };
}

function writeDouble(value: number): object {
  return { doubleValue: Number.isFinite(value) ? value : String(value) };
}
