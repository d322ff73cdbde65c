import type { OtlpSignal } from '@answer-evidence/otlp-mapping';
import { OtlpError } from '../otlp-error.ts';
import { messageType, WireReader } from './wire-reader.ts';

const ITEMS_OF_REQUEST = 0x0a;
const ITEMS_OF_RESOURCE = 0x12;
const ITEMS_OF_SCOPE = 0x12;

/** Tags of a Span that no LogRecord has, and the reverse. Fields 3, 5 and 9 are text in both, so they tell nothing. */
const SPAN_TAGS: ReadonlySet<number> = new Set([
  0x0a, 0x12, 0x22, 0x30, 0x39, 0x41, 0x50, 0x5a, 0x60, 0x6a, 0x70, 0x7a, 0x85,
]);
const LOG_RECORD_TAGS: ReadonlySet<number> = new Set([0x09, 0x10, 0x32, 0x38, 0x45, 0x52, 0x59, 0x62]);

const UNKNOWN = messageType('any message');

/**
 * Which signal a protobuf request is of. Both requests are alike down to the items, whose fields have the same numbers
 * and other wire types: field 1 is the trace's id in a span, and a time in a log record. Undefined when there is no
 * item that tells, as in an empty request, or no message at all; reading it says what is wrong then.
 */
export function tellSignal(bytes: Uint8Array): OtlpSignal | undefined {
  const reader = new WireReader(bytes);
  try {
    return findIn(reader, [ITEMS_OF_REQUEST, ITEMS_OF_RESOURCE, ITEMS_OF_SCOPE]);
  } catch (error) {
    if (!(error instanceof OtlpError)) throw error;
    return undefined;
  }
}

function findIn(reader: WireReader, [itemsTag, ...inner]: readonly number[]): OtlpSignal | undefined {
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    if (itemsTag === undefined) {
      if (SPAN_TAGS.has(tag)) return 'traces';
      if (LOG_RECORD_TAGS.has(tag)) return 'logs';
      reader.skip(tag, UNKNOWN);
    } else if (tag === itemsTag) {
      const outer = reader.enter();
      const signal = findIn(reader, inner);
      if (signal !== undefined) return signal;
      reader.leave(outer);
    } else {
      reader.skip(tag, UNKNOWN);
    }
  }
  return undefined;
}
