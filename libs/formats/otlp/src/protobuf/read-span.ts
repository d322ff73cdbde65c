import type { Attribute, OtlpSpanEvent } from '@answer-evidence/otlp-mapping';
import type { Intake } from '../intake.ts';
import { describeBadId, formatId, isParentRemote, PARENT_SPAN_ID, SPAN_ID, TRACE_ID } from '../item-ids.ts';
import type { Origin } from '../origin.ts';
import { readAttribute, readName } from './read-value.ts';
import { messageType, type WireReader } from './wire-reader.ts';

const SPAN = messageType('Span', 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
const EVENT = messageType('Span.Event', 1, 2, 3, 4);
const LINK = messageType('Span.Link', 1, 2, 3, 4, 5, 6);
const STATUS = messageType('Status', 2, 3);

/** A `Span` message (opentelemetry/proto/trace/v1/trace.proto). */
export function readSpan(reader: WireReader, intake: Intake, origin: Origin): void {
  const index = intake.countItem();
  const attributes: Attribute[] = [];
  const events: OtlpSpanEvent[] = [];
  let name = '';
  let spanKind = 0;
  let statusCode = 0;
  let parentIsRemote = false;
  let startTimeUnixNano = 0n;
  let endTimeUnixNano = 0n;
  // Where the ids are: what they come to is decided once the message is read.
  let traceIdAt = 0;
  let traceIdEnd = 0;
  let spanIdAt = 0;
  let spanIdEnd = 0;
  let parentAt = 0;
  let parentEnd = 0;
  const outer = reader.enter();
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x0a:
        traceIdAt = reader.skipLength();
        traceIdEnd = reader.at;
        break;
      case 0x12:
        spanIdAt = reader.skipLength();
        spanIdEnd = reader.at;
        break;
      case 0x1a: // trace_state
        readName(reader, intake);
        break;
      case 0x22:
        parentAt = reader.skipLength();
        parentEnd = reader.at;
        break;
      case 0x2a:
        name = readName(reader, intake);
        break;
      case 0x30:
        spanKind = reader.readInt32();
        break;
      case 0x39:
        startTimeUnixNano = reader.readFixed64();
        break;
      case 0x41:
        endTimeUnixNano = reader.readFixed64();
        break;
      case 0x4a:
        readAttribute(reader, intake, attributes);
        break;
      case 0x5a:
        readEvent(reader, intake, events);
        break;
      case 0x6a:
        readLink(reader, intake);
        break;
      case 0x7a:
        statusCode = readStatus(reader, intake);
        break;
      case 0x50: // dropped_attributes_count, dropped_events_count, dropped_links_count
      case 0x60:
      case 0x70:
        reader.readInt32();
        break;
      case 0x85: // flags
        parentIsRemote = isParentRemote(reader.readFixed32());
        break;
      default:
        reader.skip(tag, SPAN);
    }
  }
  reader.leave(outer);

  const { bytes } = reader;
  const traceId = formatId(bytes, traceIdAt, traceIdEnd, TRACE_ID);
  const spanId = formatId(bytes, spanIdAt, spanIdEnd, SPAN_ID);
  const parentSpanId = formatId(bytes, parentAt, parentEnd, PARENT_SPAN_ID);
  if (traceId === null) intake.reject(describeBadId(TRACE_ID, traceIdEnd - traceIdAt));
  if (spanId === null) intake.reject(describeBadId(SPAN_ID, spanIdEnd - spanIdAt));
  const parentSize = parentEnd - parentAt;
  // Some SDKs write the parent of a root span as zeros.
  if (parentSize !== 0 && parentSize !== PARENT_SPAN_ID.sizeBytes)
    intake.reject(describeBadId(PARENT_SPAN_ID, parentSize));
  const reason = intake.takeFault();
  if (reason !== null || traceId === null || spanId === null) {
    intake.rejectItem({ index, traceId, spanId, reason: reason ?? 'an id is missing' });
    return;
  }
  intake.items.push({
    kind: 'span',
    index,
    resource: origin.resource,
    scope: origin.scope,
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

function readEvent(reader: WireReader, intake: Intake, events: OtlpSpanEvent[]): void {
  intake.countValue();
  const attributes: Attribute[] = [];
  let name = '';
  let timeUnixNano = 0n;
  const outer = reader.enter();
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x09:
        timeUnixNano = reader.readFixed64();
        break;
      case 0x12:
        name = readName(reader, intake);
        break;
      case 0x1a:
        readAttribute(reader, intake, attributes);
        break;
      case 0x20:
        reader.readInt32();
        break;
      default:
        reader.skip(tag, EVENT);
    }
  }
  reader.leave(outer);
  if (events.length < intake.limits.eventsMax) events.push({ name, timeUnixNano, attributes });
  else intake.rejectEvents();
}

/** Nothing of a link is kept; it is read so that a message is refused for what is in it wherever that is. */
function readLink(reader: WireReader, intake: Intake): void {
  intake.countValue();
  const attributes: Attribute[] = [];
  const outer = reader.enter();
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x0a:
      case 0x12:
        reader.skipLength();
        break;
      case 0x1a:
        readName(reader, intake);
        break;
      case 0x22:
        readAttribute(reader, intake, attributes);
        break;
      case 0x28:
        reader.readInt32();
        break;
      case 0x35:
        reader.readFixed32();
        break;
      default:
        reader.skip(tag, LINK);
    }
  }
  reader.leave(outer);
}

/** The status's code; its message is not kept. */
function readStatus(reader: WireReader, intake: Intake): number {
  let code = 0;
  const outer = reader.enter();
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    if (tag === 0x18) code = reader.readInt32();
    else if (tag === 0x12) readName(reader, intake);
    else reader.skip(tag, STATUS);
  }
  reader.leave(outer);
  return code;
}
