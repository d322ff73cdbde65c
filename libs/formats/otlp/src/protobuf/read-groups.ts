import type { Attribute, OtlpBatch, OtlpSignal } from '@answer-evidence/otlp-mapping';
import { Intake } from '../intake.ts';
import type { OtlpLimits } from '../limits.ts';
import type { Origin } from '../origin.ts';
import { readAttribute, readName } from './read-value.ts';
import { messageType, WireReader } from './wire-reader.ts';

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
  intake.countGroup();
  const resource: Origin['resource'] = { attributes: [] };
  const first = intake.items.length;
  let fault: string | null = null;
  const outer = reader.enter();
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x0a:
        resource.attributes = readResource(reader, intake);
        fault ??= intake.takeFault();
        break;
      case 0x12:
        readScopeItems(reader, intake, resource, readItem);
        break;
      case 0x1a:
        readName(reader, intake);
        fault ??= intake.takeFault();
        break;
      default:
        reader.skip(tag, RESOURCE_ITEMS);
    }
  }
  reader.leave(outer);
  if (fault !== null) intake.rejectItemsFrom(first, `in its resource, ${fault}`);
}

function readScopeItems(reader: WireReader, intake: Intake, resource: Origin['resource'], readItem: ReadItem): void {
  intake.countGroup();
  const origin: Origin = { resource, scope: { name: '', version: '' } };
  const first = intake.items.length;
  let fault: string | null = null;
  const outer = reader.enter();
  while (reader.at < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x0a:
        readScope(reader, intake, origin.scope);
        fault ??= intake.takeFault();
        break;
      case 0x12:
        readItem(reader, intake, origin);
        break;
      case 0x1a:
        readName(reader, intake);
        fault ??= intake.takeFault();
        break;
      default:
        reader.skip(tag, SCOPE_ITEMS);
    }
  }
  reader.leave(outer);
  if (fault !== null) intake.rejectItemsFrom(first, `in its scope, ${fault}`);
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
