import type { Attribute, OtlpBatch, OtlpSignal } from '@answer-evidence/otlp-mapping';
import { Intake } from '../intake.ts';
import type { OtlpLimits } from '../limits.ts';
import type { Origin } from '../origin.ts';
import { readAttribute, readName } from './read-value.ts';
import { type MessageType, messageType, WireReader } from './wire-reader.ts';

/** Reads the item that the reader stands before, and gives it to the intake, as one of its items or a rejected one. */
export type ReadItem = (reader: WireReader, intake: Intake, origin: Origin) => void;

const REQUEST = messageType('the request', 1);
const RESOURCE_ITEMS = messageType('ResourceSpans or ResourceLogs', 1, 2, 3);
const SCOPE_ITEMS = messageType('ScopeSpans or ScopeLogs', 1, 2, 3);
const RESOURCE = messageType('Resource', 1, 2);
const SCOPE = messageType('InstrumentationScope', 1, 2, 3, 4);

/** Reads the levels that requests for traces and logs have in common: request, resource, scope. Throws `OtlpError`. */
export function readGroups(bytes: Uint8Array, limits: OtlpLimits, signal: OtlpSignal, readItem: ReadItem): OtlpBatch {
  const reader = new WireReader(bytes);
  const intake = new Intake(limits, signal);
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    if (tag === 0x0a) readResourceItems(reader, intake, readItem);
    else reader.skip(tag, REQUEST);
  }
  return intake.finish();
}

function readResourceItems(reader: WireReader, intake: Intake, readItem: ReadItem): void {
  const resource: Origin['resource'] = { attributes: [] };
  readLevel(reader, intake, RESOURCE_ITEMS, 'resource', {
    head: () => (resource.attributes = readResource(reader, intake)),
    item: () => readScopeItems(reader, intake, resource, readItem),
  });
}

function readScopeItems(reader: WireReader, intake: Intake, resource: Origin['resource'], readItem: ReadItem): void {
  const origin: Origin = { resource, scope: { name: '', version: '' } };
  readLevel(reader, intake, SCOPE_ITEMS, 'scope', {
    head: () => readScope(reader, intake, origin.scope),
    item: () => readItem(reader, intake, origin),
  });
}

/**
 * A group of either level: what all of it has in common in field 1, its items in field 2, the URL of its schema in
 * field 3. A fault of the group itself rejects each of its items.
 */
function readLevel(
  reader: WireReader,
  intake: Intake,
  type: MessageType,
  name: string,
  read: { readonly head: () => unknown; readonly item: () => void },
): void {
  intake.countGroup();
  const first = intake.items.length;
  let fault: string | null = null;
  const outer = reader.enter();
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    if (tag === 0x12) read.item();
    else if (tag === 0x0a || tag === 0x1a) {
      if (tag === 0x0a) read.head();
      else readName(reader, intake);
      fault ??= intake.takeFault();
    } else reader.skip(tag, type);
  }
  reader.leave(outer);
  if (fault !== null) intake.rejectItemsFrom(first, `in its ${name}, ${fault}`);
}

function readResource(reader: WireReader, intake: Intake): readonly Attribute[] {
  const attributes: Attribute[] = [];
  const outer = reader.enter();
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    if (tag === 0x0a) readAttribute(reader, intake, attributes);
    else if (tag === 0x10) reader.readInt32();
    else reader.skip(tag, RESOURCE);
  }
  reader.leave(outer);
  return attributes;
}

function readScope(reader: WireReader, intake: Intake, scope: Origin['scope']): void {
  const attributes: Attribute[] = [];
  scope.name = '';
  scope.version = '';
  const outer = reader.enter();
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x0a:
        scope.name = readName(reader, intake);
        break;
      case 0x12:
        scope.version = readName(reader, intake);
        break;
      case 0x1a:
        readAttribute(reader, intake, attributes);
        break;
      case 0x20:
        reader.readInt32();
        break;
      default:
        reader.skip(tag, SCOPE);
    }
  }
  reader.leave(outer);
}
