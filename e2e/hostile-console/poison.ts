/** A part of a JSON schema, as the API description has it. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
};
/** Schemas by the names that others refer to them by. */
export type Schemas = Readonly<Record<string, Schema>>;

/** Lists that get an item where they have none. */
const MADE = /\.(?:items|cosignatures|attempts|after_by|not_later_than_by)$/;
/** Of a text that a page asks by, in UTF-16 code units. */
const LENGTH_ASKED = 200;

/** Fills a reply, and notes the members that it filled or could have, as `Schema.member`. */
type Poison = {
  readonly schemas: Schemas;
  /** Put in the place of the texts of one value; each item of a list gets its own. */
  readonly text: string;
  readonly itemTexts: readonly string[];
  /** Members that stay as they are. */
  readonly kept: RegExp;
  /** Members that a page asks by: addresses have a longest length. */
  readonly asked: RegExp;
  readonly filled: Set<string>;
};

/**
 * A value of a schema with another text in each place where any text may stand, also where none stood; a list has an
 * item for each text. Times, ids and words of a closed list stay: no tenant writes those.
 */
export function poison(value: unknown, schema: Schema, options: Poison, name = ''): unknown {
  const { found, foundName } = resolve(schema, options.schemas, name);
  const choices = found.anyOf ?? found.oneOf;
  if (choices !== undefined) {
    const fitting = choices.find(
      (one) => isText(resolve(one, options.schemas, '').found) || fits(value, one, options.schemas),
    );
    return fitting === undefined ? value : poison(value, fitting, options, foundName);
  }
  if (isText(found)) {
    if (options.kept.test(foundName)) return value;
    options.filled.add(foundName);
    const text = options.asked.test(foundName) ? options.text.slice(0, LENGTH_ASKED) : options.text;
    return text.slice(0, found.maxLength ?? text.length);
  }
  if (Array.isArray(value)) return poisonList(value, found, options, foundName);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([member, one]) => {
    const of = found.properties?.[member];
    const at = `${foundName.split('.')[0]}.${member}`;
    if (of !== undefined) return [member, poison(one, of, options, at)];
    const { additionalProperties: others } = found;
    return [member, typeof others === 'object' ? poison(one, others, options, at) : poisonFree(one, options.text)];
  });
  return Object.fromEntries(members);
}

/** The members of a schema, and of those within it, that any text may stand in. */
export function listTexts(schema: Schema, schemas: Schemas, name = '', seen = new Set<Schema>()): readonly string[] {
  const { found, foundName } = resolve(schema, schemas, name);
  if (seen.has(found)) return [];
  seen.add(found);
  if (isText(found)) return [foundName];
  const within = (one: Schema, at = foundName) => listTexts(one, schemas, at, new Set(seen));
  return [
    ...[...(found.anyOf ?? []), ...(found.oneOf ?? []), ...(found.items === undefined ? [] : [found.items])].flatMap(
      (one) => within(one),
    ),
    ...Object.entries(found.properties ?? {}).flatMap(([member, one]) =>
      within(one, `${foundName.split('.')[0]}.${member}`),
    ),
  ];
}

function poisonList(list: readonly unknown[], { items, maxItems }: Schema, options: Poison, name: string): unknown {
  if (items === undefined) return list;
  const made = list.length === 0 && MADE.test(name) ? makeValue(items, options.schemas) : undefined;
  const values = made === undefined ? list : [made];
  if (values.length === 0 || !name.endsWith('.items')) return values.map((one) => poison(one, items, options, name));
  const texts = options.itemTexts.length > (maxItems ?? Infinity) ? [options.text] : options.itemTexts;
  return texts.map((text, at) => {
    const one = poison(values[at % values.length], items, { ...options, text }, name);
    // Rows of a table are told apart by their ids.
    return isObject(one) && typeof one['id'] === 'string' ? { ...one, id: crypto.randomUUID() } : one;
  });
}

/** A value of a schema; undefined where that takes more than types and words of a closed list. */
function makeValue(schema: Schema, schemas: Schemas): unknown {
  const { found } = resolve(schema, schemas, '');
  if (found.enum !== undefined) return found.enum[0];
  const choice = found.anyOf?.find(({ type }) => type !== 'null');
  if (choice !== undefined) return makeValue(choice, schemas);
  if (found.items !== undefined) return [makeValue(found.items, schemas)];
  if (found.format === 'uuid') return crypto.randomUUID();
  if (found.format === 'date-time') return '2026-11-20T09:00:00.000000Z';
  if (found.pattern !== undefined) return undefined;
  const type = [found.type ?? []].flat()[0];
  if (type !== 'object') return { string: '', integer: 1, number: 1, boolean: false }[type ?? ''];
  const members = Object.entries(found.properties ?? {}).map(([name, one]) => [name, makeValue(one, schemas)] as const);
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}

/** JSON of an application's own: names and texts. */
function poisonFree(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((one) => poisonFree(one, text));
  if (!isObject(value)) return value;
  return Object.fromEntries([
    ...Object.entries(value).map(([name, one]) => [name, poisonFree(one, text)]),
    [text, text],
  ]);
}

function resolve(
  schema: Schema,
  schemas: Schemas,
  name: string,
): { readonly found: Schema; readonly foundName: string } {
  if (schema.$ref === undefined) return { found: schema, foundName: name };
  const referred = schema.$ref.split('/').at(-1) ?? '';
  const found = schemas[referred];
  if (found === undefined) throw new Error(`no schema is called ${referred}`);
  return resolve(found, schemas, found.properties === undefined && name !== '' ? name : referred);
}

function isText({ type, enum: words, const: only, pattern, format }: Schema): boolean {
  const types = [type ?? []].flat();
  return types.includes('string') && [words, only, pattern, format].every((one) => one === undefined);
}

/** Whether a value is of a kind, as far as its type and its fixed words tell. */
function fits(value: unknown, schema: Schema, schemas: Schemas): boolean {
  const { found } = resolve(schema, schemas, '');
  if (found.anyOf !== undefined || found.oneOf !== undefined)
    return [...(found.anyOf ?? []), ...(found.oneOf ?? [])].some((one) => fits(value, one, schemas));
  if (Array.isArray(value)) return found.type === 'array';
  if (!isObject(value)) return false;
  const properties = found.properties ?? {};
  return Object.entries(properties).every(([member, one]) => {
    const { found: of } = resolve(one, schemas, '');
    if (of.const !== undefined) return value[member] === of.const;
    return of.enum === undefined || value[member] === undefined || of.enum.includes(value[member]);
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
