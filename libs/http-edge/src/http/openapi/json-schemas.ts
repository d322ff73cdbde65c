import { z } from 'zod';

/** An object of an OpenAPI document. */
export type OpenApiObject = Readonly<Record<string, unknown>>;

/** The JSON Schema (2020-12) at `pointer`, for what is sent or returned; code that no schema expresses is left open. */
export function formatJsonSchema(schema: z.ZodType, io: 'input' | 'output', pointer: string): OpenApiObject {
  const { $schema: _, '~standard': __, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return moveReferences(rest, pointer);
}

/** zod's references count from the schema's own root; the document has another. */
function moveReferences(node: OpenApiObject, pointer: string): OpenApiObject {
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key === '$ref' && typeof value === 'string' && value.startsWith('#')) return [key, pointer + value.slice(1)];
      return [key, moveValue(value, pointer)];
    }),
  );
}

function moveValue(value: unknown, pointer: string): unknown {
  if (Array.isArray(value)) return value.map((item) => moveValue(item, pointer));
  return isObject(value) ? moveReferences(value, pointer) : value;
}

/** Whether the value is a JSON object. */
export function isObject(value: unknown): value is OpenApiObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
