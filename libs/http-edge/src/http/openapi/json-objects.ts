/** An object of an OpenAPI document. */
export type OpenApiObject = Readonly<Record<string, unknown>>;

/** Whether the value is a JSON object. */
export function isObject(value: unknown): value is OpenApiObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
