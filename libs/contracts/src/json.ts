import * as z from 'zod';

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON object with open keys. */
export type JsonObject = { readonly [key: string]: JsonValue };

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * An object whose keys are the caller's. It is passed through unchanged and never copied key by key: a copy would drop
 * a `__proto__` key, and so commit to something other than what was sent.
 */
export const openObject = z
  .custom<JsonObject>(isJsonObject, 'must be an object')
  .meta({ type: 'object', additionalProperties: true });

/** What the description says of an object that must have one of these members. */
export function atLeastOneOf(...names: readonly string[]) {
  // Not beside `properties`: generators of clients would take it for the types that the object may have.
  return { allOf: [{ anyOf: names.map((name) => ({ required: [name] })) }] };
}

/** The body of a request that asks for one thing only. */
export const emptyRequest = z.strictObject({});
