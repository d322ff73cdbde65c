import { findNearest } from '@answer-evidence/contracts/nearest-name';
import { JsonError, type JsonObject, type JsonValue, parseForeignJsonText } from '@answer-evidence/encoding';
import type { OtlpBatch, OtlpSignal } from '@answer-evidence/otlp-mapping';
import { Intake } from '../intake.ts';
import { OTLP_LIMITS, type OtlpLimits } from '../limits.ts';
import type { Origin } from '../origin.ts';
import { OtlpError } from '../otlp-error.ts';
import { wrongSignal } from '../wrong-signal.ts';
import { asList, asObject, readText } from './fields.ts';
import { notJson } from './not-json.ts';
import { outlineJson } from './outline-json.ts';
import { readJsonLogRecord, readJsonSpan } from './read-json-items.ts';
import { readJsonAttributes } from './read-json-value.ts';

/** Names that the two signals give to the same levels. */
const LEVELS = {
  traces: { resources: 'resourceSpans', scopes: 'scopeSpans', items: 'spans', readItem: readJsonSpan },
  logs: { resources: 'resourceLogs', scopes: 'scopeLogs', items: 'logRecords', readItem: readJsonLogRecord },
} as const;

/** The member that a request has. */
const REQUEST_LISTS = ['resourceSpans', 'resourceLogs'] as const;

/** Levels that a value and its surroundings take at most, with some to spare, so that a deep item is refused alone. */
const LEVELS_PER_VALUE = 5;
const LEVELS_AROUND = 16;
/** Objects and commas of an attribute, and of a span with all of its fields. */
const NODES_PER_VALUE = 4;
const NODES_PER_ITEM = 32;
/** Room for members that later versions of the specification add. */
const MEMBERS_MAX = 100;

/**
 * Reads an `ExportTraceServiceRequest` or `ExportLogsServiceRequest` in the JSON of OTLP 1.11: ids in hexadecimal,
 * enums as numbers, 64-bit integers as strings or numbers, lowerCamelCase names, unknown fields ignored. `signal` is
 * what the path takes, undefined for both. A bad item is rejected alone, also one with a field of a wrong type. Throws
 * `OtlpError` for a document that is not one.
 */
export function readJsonRequest(
  bytes: Uint8Array,
  signal: OtlpSignal | undefined,
  limits: OtlpLimits = OTLP_LIMITS,
): OtlpBatch {
  const request = asObject(parse(bytes, limits));
  if (request === undefined)
    throw new OtlpError('malformed', 'the body must be a JSON object with resourceSpans or resourceLogs');
  const told = tellJsonSignal(request);
  if (told !== undefined && signal !== undefined && told !== signal) throw wrongSignal(told, signal);
  const intake = new Intake(limits, told ?? signal ?? 'traces');
  if (isForeign(request, REQUEST_LISTS, []))
    intake.warn(
      `nothing was received: the body has neither ${REQUEST_LISTS.join(' nor ')}, which OTLP/JSON needs${describeMisspelt(request, REQUEST_LISTS)}`,
    );
  readResources(request, intake);
  return intake.finish();
}

/** Unknown members are ignored, but an object of them, without any of its lists, is hardly meant to be empty. */
function isForeign(object: JsonObject, lists: readonly string[], others: readonly string[]): boolean {
  const names = Object.keys(object);
  return !names.some((name) => lists.includes(name)) && names.some((name) => !others.includes(name));
}

/** Warns of a group whose list has another name. */
function warnIfForeign(group: JsonObject, list: string, of: 'resource' | 'scope', pointer: string, intake: Intake) {
  if (!isForeign(group, [list], [of, 'schemaUrl'])) return;
  intake.warn(
    `nothing was received of ${pointer}: it has no ${list}, and field names must be lowerCamelCase${describeMisspelt(group, [list])}`,
  );
}

/** Says which of its members was probably meant to be one of these lists. */
function describeMisspelt(object: JsonObject, lists: readonly string[]): string {
  for (const name of Object.keys(object).slice(0, MEMBERS_MAX)) {
    const meant = findNearest(name, lists);
    if (meant !== undefined) return `; it has ${JSON.stringify(name)}: write ${meant}`;
  }
  return '';
}

function parse(bytes: Uint8Array, { depthMax, itemsMax, valuesMax }: OtlpLimits): JsonValue {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notJson(bytes);
  }
  const levelsMax = LEVELS_PER_VALUE * depthMax + LEVELS_AROUND;
  const nodesMax = NODES_PER_VALUE * valuesMax + NODES_PER_ITEM * itemsMax;
  const outlined = outlineJson(text, { depthMax: levelsMax, nodesMax, membersMax: MEMBERS_MAX });
  try {
    return parseForeignJsonText(outlined.text, levelsMax, outlined);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw error.code === 'duplicate_key'
      ? new OtlpError('malformed', 'an object in the body contains a key twice; send each key once')
      : notJson(text);
  }
}

function tellJsonSignal(request: JsonObject): OtlpSignal | undefined {
  const has = (name: string): boolean => {
    const value = request[name];
    return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  };
  if (has('resource_spans') || has('resource_logs')) {
    throw new OtlpError('malformed', 'field names in OTLP/JSON must be lowerCamelCase: resourceSpans, resourceLogs');
  }
  if (has('resourceSpans') && has('resourceLogs')) {
    throw new OtlpError('wrong_signal', 'the body has both resourceSpans and resourceLogs: send one request for each');
  }
  if (has('resourceSpans')) return 'traces';
  if (has('resourceLogs')) return 'logs';
  if (has('resourceMetrics')) throw new OtlpError('wrong_signal', 'the body has metrics; send only traces and logs');
  return undefined;
}

function readResources(request: JsonObject, intake: Intake): void {
  const { resources, scopes } = LEVELS[intake.signal];
  for (const [n, item] of listAt(request, resources, '').entries()) {
    intake.countGroup();
    const pointer = `/${resources}/${n}`;
    const group = objectAt(item, pointer);
    warnIfForeign(group, scopes, 'resource', pointer, intake);
    const first = intake.items.length;
    const resource = { attributes: readJsonAttributes(asObject(group['resource']) ?? {}, intake) };
    const fault = intake.takeFault();
    for (const [m, inner] of listAt(group, scopes, pointer).entries()) {
      readScope(objectAt(inner, `${pointer}/${scopes}/${m}`), `${pointer}/${scopes}/${m}`, resource, intake);
    }
    if (fault !== null) intake.rejectItemsFrom(first, `in its resource, ${fault}`);
  }
}

function readScope(group: JsonObject, pointer: string, resource: Origin['resource'], intake: Intake): void {
  intake.countGroup();
  const { items, readItem } = LEVELS[intake.signal];
  warnIfForeign(group, items, 'scope', pointer, intake);
  const first = intake.items.length;
  const fields = asObject(group['scope']) ?? {};
  const scope = { name: readText(fields, 'name', intake), version: readText(fields, 'version', intake) };
  readJsonAttributes(fields, intake);
  const fault = intake.takeFault();
  for (const item of listAt(group, items, pointer)) readItem(item, intake, { resource, scope });
  if (fault !== null) intake.rejectItemsFrom(first, `in its scope, ${fault}`);
}

function objectAt(value: JsonValue, pointer: string): JsonObject {
  const object = asObject(value);
  if (object === undefined) throw new OtlpError('malformed', `${pointer} must be an object`, pointer);
  return object;
}

function listAt(object: JsonObject, name: string, pointer: string): readonly JsonValue[] {
  const list = asList(object[name]);
  if (list === undefined) throw new OtlpError('malformed', `${pointer}/${name} must be an array`, `${pointer}/${name}`);
  return list;
}
