/** Any JSON value; what `parseJson` returns and `canonicalize` takes. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; a key such as `__proto__` is an ordinary own property of it. */
export type JsonObject = { readonly [key: string]: JsonValue };
