import type { Attribute, AttributeValue } from '@answer-evidence/otlp-mapping';
import type { Intake } from '../intake.ts';
import { formatId, SPAN_ID, TRACE_ID } from '../item-ids.ts';
import type { Origin } from '../origin.ts';
import { readAttribute, readName, readValue } from './read-value.ts';
import { messageType, type WireReader } from './wire-reader.ts';

const LOG_RECORD = messageType('LogRecord', 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12);

/** A `LogRecord` message (opentelemetry/proto/logs/v1/logs.proto). Its ids are optional, and a bad one is not one. */
export function readLogRecord(reader: WireReader, intake: Intake, origin: Origin): void {
  const index = intake.countItem();
  const attributes: Attribute[] = [];
  let eventName = '';
  let body: AttributeValue = null;
  let severityNumber = 0;
  let time = 0n;
  let observedTime = 0n;
  let traceId: string | null = null;
  let spanId: string | null = null;
  const outer = reader.enter();
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x09:
        time = reader.readFixed64();
        break;
      case 0x10:
        severityNumber = reader.readInt32();
        break;
      case 0x1a: // severity_text
        readName(reader, intake);
        break;
      case 0x2a:
        intake.countValue();
        body = readValue(reader, intake, 1);
        break;
      case 0x32:
        readAttribute(reader, intake, attributes);
        break;
      case 0x38: // dropped_attributes_count
        reader.readInt32();
        break;
      case 0x45: // flags
        reader.readFixed32();
        break;
      case 0x4a:
        traceId = formatId(reader.bytes, reader.skipLength(), reader.at, TRACE_ID);
        break;
      case 0x52:
        spanId = formatId(reader.bytes, reader.skipLength(), reader.at, SPAN_ID);
        break;
      case 0x59:
        observedTime = reader.readFixed64();
        break;
      case 0x62:
        eventName = readName(reader, intake);
        break;
      default:
        reader.skip(tag, LOG_RECORD);
    }
  }
  reader.leave(outer);
  const reason = intake.takeFault();
  if (reason !== null) {
    intake.rejectItem({ index, traceId, spanId, reason });
    return;
  }
  intake.items.push({
    kind: 'log',
    index,
    resource: origin.resource,
    scope: origin.scope,
    traceId,
    spanId,
    eventName,
    timeUnixNano: time === 0n ? observedTime : time,
    severityNumber,
    attributes,
    body,
  });
}
