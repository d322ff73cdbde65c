import { z } from 'zod';

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON object with open keys. */
export type JsonObject = { readonly [key: string]: JsonValue };

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object whose keys are the caller's: passed through, since copying it by key would drop a `__proto__` key. */
export const openObject = z
  .custom<JsonObject>(isJsonObject, 'must be an object')
  .meta({ type: 'object', additionalProperties: true });

/** The body of a request that asks for one thing only. */
export const emptyRequest = z.strictObject({});
