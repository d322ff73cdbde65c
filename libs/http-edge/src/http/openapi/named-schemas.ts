import * as z from 'zod';
import * as contracts from '@answer-evidence/contracts';
import type { Route } from '@answer-evidence/routes';
import { isObject, type OpenApiObject } from './json-objects.ts';

/** Whether a schema is described as it is sent, or as it is returned. */
type Direction = 'input' | 'output';

/** The JSON Schemas (2020-12) of a document, each under one name. */
export type NamedSchemas = {
  /** A reference to the schema, which is then one of the components. */
  reference(schema: z.ZodType, direction: Direction): OpenApiObject;
  /** What the schema is; only what it refers to is then one of the components. */
  inline(schema: z.ZodType, direction: Direction): OpenApiObject;
  /** Every schema that was referred to, by its name. */
  components(): OpenApiObject;
};

type Names = z.core.$ZodRegistry<{ id: string }>;

const PREFIX = '#/components/schemas/';

/** Names every object, union and enumeration of the contracts as its export is named, and what else routes have. */
export function createNamedSchemas(routes: readonly Route[]): NamedSchemas {
  const names: Names = z.registry<{ id: string }>();
  for (const [name, value] of Object.entries(contracts)) if (isNamed(value)) addName(names, value, name);
  for (const route of routes)
    for (const [suffix, schema] of schemasOf(route)) addName(names, schema, route.operationId + suffix);
  const forms = { input: formatAll(names, 'input'), output: formatAll(names, 'output') };
  const used = new Map<string, OpenApiObject>();

  function formOf(schema: z.ZodType, direction: Direction): readonly [string, OpenApiObject] {
    const name = names.get(schema)?.id ?? '';
    const form = forms[direction].get(name);
    if (form === undefined) throw new Error('a route has a schema that has no name');
    return [name, form];
  }

  function use(name: string, form: OpenApiObject, direction: Direction): void {
    const known = used.get(name);
    if (known === form) return;
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(form))
      throw new Error(`${name} is sent in another form than it is returned; each needs a name of its own`);
    used.set(name, form);
    useReferences(form, direction);
  }

  function useReferences(node: unknown, direction: Direction): void {
    for (const name of referencesIn(node)) use(name, forms[direction].get(name) ?? {}, direction);
  }

  return {
    reference(schema, direction) {
      const [name, form] = formOf(schema, direction);
      use(name, form, direction);
      return { $ref: PREFIX + name };
    },
    inline(schema, direction) {
      const [, form] = formOf(schema, direction);
      useReferences(form, direction);
      return form;
    },
    components: () => Object.fromEntries([...used].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function isNamed(value: unknown): value is z.ZodType {
  return value instanceof z.ZodObject || value instanceof z.ZodUnion || value instanceof z.ZodEnum;
}

function addName(names: Names, schema: z.ZodType, name: string): void {
  if (!names.has(schema)) names.add(schema, { id: name.charAt(0).toUpperCase() + name.slice(1) });
}

function schemasOf(route: Route): readonly (readonly [string, z.ZodType])[] {
  const { params, query, form, responses } = route;
  const body = route.bodyFormat === 'bytes' ? route.bodySchema : route.body;
  const sent = { Params: params, Query: query, Request: body, Metadata: form?.metadata };
  const returned = Object.entries(responses).map(([status, { schema }]) => [`Response${status}`, schema] as const);
  return [...Object.entries(sent), ...returned].flatMap(([suffix, schema]) =>
    schema === undefined ? [] : [[suffix, schema] as const],
  );
}

/** Every named schema by its name. Code that no schema expresses is left open. */
function formatAll(names: Names, io: Direction): ReadonlyMap<string, OpenApiObject> {
  const { schemas } = z.toJSONSchema(names, { io, unrepresentable: 'any', uri: (id) => PREFIX + id });
  const { __shared: shared, ...named } = schemas;
  return new Map(
    Object.entries<OpenApiObject>({ ...named, ...shared?.$defs }).map(([name, { $schema: _, $id: __, ...schema }]) => [
      name,
      settle(schema),
    ]),
  );
}

/** Recursive schemas without a name are components too, and patterns are spelled as every engine reads them. */
function settle(node: Readonly<Record<string, unknown>>): OpenApiObject {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, settleMember(key, value)]));
}

function settleMember(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => settleMember('', item));
  if (isObject(value)) return settle(value);
  if (key === '$ref' && typeof value === 'string') return value.replace('__shared#/$defs/', '');
  // In Python, \d is any decimal digit of Unicode.
  return key === 'pattern' && typeof value === 'string' ? value.replaceAll(String.raw`\d`, '[0-9]') : value;
}

function referencesIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(referencesIn);
  if (!isObject(node)) return [];
  const { $ref } = node;
  const here = typeof $ref === 'string' && $ref.startsWith(PREFIX) ? [$ref.slice(PREFIX.length)] : [];
  return [...here, ...Object.values(node).flatMap(referencesIn)];
}
