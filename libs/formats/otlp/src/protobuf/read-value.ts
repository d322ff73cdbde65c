import type { Attribute, AttributeValue } from '@answer-evidence/otlp-mapping';
import type { Intake } from '../intake.ts';
import { messageType, type WireReader } from './wire-reader.ts';

const ANY_VALUE = messageType('AnyValue', 1, 2, 3, 4, 5, 6, 7);
const ARRAY_VALUE = messageType('ArrayValue', 1);
const KEY_VALUE_LIST = messageType('KeyValueList', 1);
const KEY_VALUE = messageType('KeyValue', 1, 2);

/** The `AnyValue` message at the reader. Recursion ends at `depthMax`; anything deeper is skipped. */
export function readValue(reader: WireReader, intake: Intake, depth: number): AttributeValue {
  const outer = reader.enter();
  let value: AttributeValue = null;
  if (depth > intake.limits.depthMax) {
    intake.rejectDepth();
    reader.leave(outer);
    return null;
  }
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x0a:
        value = readText(reader);
        break;
      case 0x10:
        value = reader.readBool();
        break;
      case 0x18:
        value = reader.readInt64();
        break;
      case 0x21:
        value = reader.readDouble();
        break;
      case 0x2a:
        value = readArray(reader, intake, depth);
        break;
      case 0x32:
        value = readMap(reader, intake, depth);
        break;
      case 0x3a:
        value = reader.readBytes();
        break;
      default:
        reader.skip(tag, ANY_VALUE);
    }
  }
  reader.leave(outer);
  return value;
}

/** A `KeyValue` that the reader stands before, put at the end of the list while there is room. */
export function readAttribute(reader: WireReader, intake: Intake, attributes: Attribute[]): void {
  const attribute = readKeyValue(reader, intake, 1);
  if (attributes.length < intake.limits.attributesMax) attributes.push(attribute);
  else intake.rejectAttributes();
}

/** A name, which is often the same as another one's. */
export function readName(reader: WireReader, intake: Intake): string {
  const start = reader.skipLength();
  if (reader.at - start > intake.limits.textMaxBytes) intake.rejectText('a key or name');
  return reader.keyOf(start, reader.at);
}

/** Without a limit of its own: the body has one, and what is taken of it has another. */
function readText(reader: WireReader): string {
  const start = reader.skipLength();
  return reader.textOf(start, reader.at);
}

function readKeyValue(reader: WireReader, intake: Intake, depth: number): Attribute {
  intake.countValue();
  const outer = reader.enter();
  let key = '';
  let value: AttributeValue = null;
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x0a:
        key = readName(reader, intake);
        break;
      case 0x12:
        value = readValue(reader, intake, depth);
        break;
      default:
        reader.skip(tag, KEY_VALUE);
    }
  }
  reader.leave(outer);
  return { key, value };
}

function readArray(reader: WireReader, intake: Intake, depth: number): readonly AttributeValue[] {
  const values: AttributeValue[] = [];
  const outer = reader.enter();
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    if (tag === 0x0a) {
      intake.countValue();
      values.push(readValue(reader, intake, depth + 1));
    } else {
      reader.skip(tag, ARRAY_VALUE);
    }
  }
  reader.leave(outer);
  return values;
}

function readMap(reader: WireReader, intake: Intake, depth: number): { readonly members: readonly Attribute[] } {
  const members: Attribute[] = [];
  const outer = reader.enter();
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    if (tag === 0x0a) members.push(readKeyValue(reader, intake, depth + 1));
    else reader.skip(tag, KEY_VALUE_LIST);
  }
  reader.leave(outer);
  return { members };
}
