import type { JsonObject, JsonValue } from './json-value.ts';

/** A member of an object, or undefined of anything else. */
export function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined;
export function memberOf(value: unknown, name: string): unknown;
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** The items of a member that is a list; none of anything else. */
export function itemsOf(value: unknown, name: string): readonly unknown[] {
  const found = memberOf(value, name);
  return Array.isArray(found) ? found : [];
}

/** An object as it is; one without members in the place of anything else. */
export function asObject(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
