import type { JsonObject, JsonValue } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { canonicalize, formatHex, readOr } from '@answer-evidence/encoding';
import { MERGED_TOOLS, MESSAGE_EVENTS, TOOL_RULES, TOOL_SPANS } from '../dialects/tables.ts';
import { isJsonArray, isJsonObject, toJson } from '../item/json-value.ts';
import type { AttributeValue, OtlpItem } from '../item/otlp-item.ts';
import { Rejection } from '../item/rejection.ts';
import { holds } from './conditions.ts';
import { unwrapTyped } from './framework-state.ts';
import { readContents } from './messages.ts';
import type { Place } from './places.ts';
import { findToolCalls } from './read-content.ts';
import { findJson, findLabel, look, withoutAbsent } from './ref-parts.ts';
import type { ToolCall } from './tool-calls.ts';

/**
 * Names the tools that a model asked for and those that ran, with the SHA-256 of their arguments. The arguments
 * themselves and what a tool gave back go no further.
 */
export function findToolRefs(item: OtlpItem, places: readonly Place[]): readonly JsonObject[] {
  const [own] = places;
  if (own === undefined) return [];
  const rules = own.lookup.hasAnyOf(KEYS_OF_TOOLS) ? TOOL_RULES.filter(({ when }) => holds(when, own)) : [];
  const executed = rules.length === 0 ? [] : [findRun(item, own, rules)];
  const calls = [...findToolCalls(own, places), ...findLoggedCalls(item, places)];
  const requested = calls.map(({ name, args }) => formatRef('requested', name ?? undefined, args));
  return [...executed, ...requested].flat();
}

const KEYS_OF_TOOLS: ReadonlySet<string> = new Set(TOOL_RULES.map(({ when }) => when.key));

/** What a model asked for in a message that is a log record of its own, as in older conventions. */
function findLoggedCalls(item: OtlpItem, places: readonly Place[]): readonly ToolCall[] {
  if (item.kind !== 'log') return [];
  const told = MESSAGE_EVENTS.flatMap(({ event, calls: key }) => {
    const message = key === undefined ? undefined : places.find((place) => place.event === event);
    return key === undefined ? [] : [message?.lookup.peek(key)];
  });
  const calls = told.find((value) => value !== undefined);
  if (!Array.isArray(calls)) return [];
  try {
    return readContents({ tool_calls: toJson(calls, 'tool_calls', 'loose') }).toolCalls;
  } catch (error) {
    if (error instanceof Rejection) return [];
    throw error;
  }
}

/** One run of a tool, whose conventions may each tell a part of it. */
function findRun(item: OtlpItem, own: Place, rules: typeof TOOL_RULES): readonly JsonObject[] {
  const keys = rules.flatMap(({ args }) => args);
  const args = look(own, keys) ?? null;
  const name =
    look(
      own,
      rules.flatMap((rule) => rule.name),
    ) ?? (item.kind === 'span' ? readToolName(item.name) : undefined);
  return formatRef('executed', name, typeof args === 'string' ? args : findJson(args, keys.join()));
}

/** The tool that the name of a span names. */
function readToolName(name: string): string {
  return TOOL_SPANS.reduce((left, pattern) => left.replace(pattern, '$1'), name);
}

function formatRef(step: string, name: AttributeValue | undefined, args: JsonValue | undefined): readonly JsonObject[] {
  const label = findLabel(name);
  if (label === undefined || MERGED_TOOLS.includes(label)) return [];
  return [withoutAbsent({ ref_type: 'tool_call', step, name: label, arguments_hash: hashArguments(args) })];
}

/** Of the canonical form of JSON, so that the same arguments have the same hash wherever they stand. */
function hashArguments(args: JsonValue | undefined): string | undefined {
  const value = unwrap(typeof args === 'string' ? parseArguments(args) : (args ?? null));
  if (value === null) return undefined;
  return readOr(
    () => `sha256:${formatHex(sha256(typeof value === 'string' ? value : canonicalize(value)))}`,
    undefined,
  );
}

/** Arguments in JSON, which may be written once more as JSON of a text. */
function parseArguments(text: string): JsonValue {
  const value = findJson(text, '') ?? text;
  return typeof value === 'string' && value !== text ? (findJson(value, '') ?? value) : value;
}

/** The named arguments of a function that was called with nothing else, as Python's decorators write them. */
function unwrap(given: JsonValue): JsonValue {
  const value = unwrapTyped(given) ?? given;
  if (!isJsonObject(value)) return value;
  const { kwargs, args, ...more } = value;
  const isCall = isJsonObject(kwargs) && Object.keys(more).length === 0;
  return isCall && (args === undefined || (isJsonArray(args) && args.length === 0)) ? kwargs : value;
}
