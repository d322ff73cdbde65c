import { isDeepStrictEqual } from 'node:util';
import { addition, breaking, type Change, follow, isNode, type JsonNode, listOf, nodeOf } from './changes.ts';
import { spellPattern } from './spell-pattern.ts';

/**
 * Which side a change breaks. `request`: callers send it, so what was accepted must stay accepted. `response`: callers
 * read it, so what they were promised must stay true. `stored`: old ones are read for years, and new ones by old
 * readers, so nothing of what was there may change.
 */
export type Direction = 'request' | 'response' | 'stored';

/** Two documents, in which the schemas stand and their references lead. */
type Sides = { readonly direction: Direction; readonly before: JsonNode; readonly after: JsonNode };

/** Keywords whose value is a promise of its own; any other value is another promise. */
const FIXED = ['pattern', 'format', 'uniqueItems', 'contentEncoding'];
/** What the comparison reads in its own way. */
const READ = ['type', 'const', 'enum', 'properties', 'required', 'additionalProperties', 'items'];
/** Keywords that say nothing about values, or nothing that is not found where they lead. */
const SILENT = [
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'title',
  'description',
  'example',
  'examples',
  'deprecated',
  'default',
];
/** Keywords of limits, and whether more of it allows more. */
const LIMITS: Readonly<Record<string, boolean>> = {
  maxLength: true,
  maxItems: true,
  maximum: true,
  exclusiveMaximum: true,
  maxProperties: true,
  minLength: false,
  minItems: false,
  minimum: false,
  exclusiveMinimum: false,
  minProperties: false,
};
const KNOWN = new Set([...FIXED, ...READ, ...SILENT, ...Object.keys(LIMITS)]);

/** Every difference between two schemas, each at its place below `at`. */
export function compareSchemas(sides: Sides, before: JsonNode, after: JsonNode, at: string): readonly Change[] {
  return compare(sides, before, after, at, []);
}

type Pair = readonly [JsonNode, JsonNode];

function compare(sides: Sides, left: JsonNode, right: JsonNode, at: string, above: readonly Pair[]): readonly Change[] {
  const before = follow(sides.before, left);
  const after = follow(sides.after, right);
  // A schema that holds itself is compared once.
  if (above.some(([a, b]) => a === before && b === after)) return [];
  const seen = [...above, [before, after] as const];
  return [...compareDefaults(sides, before, after, at), ...compareAll(sides, before, after, at, seen)];
}

/** What a request that leaves the member out asks for. A default beside a union stands above its alternatives. */
function compareDefaults({ direction }: Sides, before: JsonNode, after: JsonNode, at: string): readonly Change[] {
  if (direction !== 'request' || isDeepStrictEqual(before['default'], after['default'])) return [];
  if (before['default'] === undefined) return [addition(at, 'has a default now')];
  return [breaking(at, `its default was ${JSON.stringify(before['default'])} and is another`)];
}

function compareAll(sides: Sides, before: JsonNode, after: JsonNode, at: string, seen: readonly Pair[]) {
  const old = alternativesOf(sides.before, before);
  const now = alternativesOf(sides.after, after);
  const [first] = old;
  const [second] = now;
  if (old.length === 1 && now.length === 1 && first !== undefined && second !== undefined)
    return compareSingle(sides, first, second, at, seen);
  return compareAlternatives(sides, old, now, at, seen);
}

/** What a value may be instead of one another: members of a union, or the types of a list of types. */
function alternativesOf(root: JsonNode, schema: JsonNode): readonly JsonNode[] {
  for (const key of ['anyOf', 'oneOf']) {
    const members = listOf(schema, key).filter(isNode);
    if (members.length > 0) return members.flatMap((member) => alternativesOf(root, follow(root, member)));
  }
  const types = listOf(schema, 'type');
  return types.length > 0 ? types.map((type) => ({ ...schema, type })) : [schema];
}

function compareAlternatives(
  sides: Sides,
  before: readonly JsonNode[],
  after: readonly JsonNode[],
  at: string,
  seen: readonly Pair[],
): readonly Change[] {
  const lost = before.map((old) => closest(after.map((now) => compareSingle(sides, old, now, at, seen))));
  const gained = after.filter((now) => before.every((old) => isBreaking(compareSingle(sides, old, now, at, seen))));
  const widens = gained.map((now) => {
    const text = `may now also be ${describe(now)}`;
    // Nobody gets it who does not ask for it, and the way of asking is new as well.
    const isAskedFor = typeof now['x-asked-by'] === 'string';
    return sides.direction === 'response' && !isAskedFor ? breaking(at, text) : addition(at, text);
  });
  return [...lost.flat(), ...widens];
}

/** Of several ways to read a change, the one that breaks least. */
function closest(candidates: readonly (readonly Change[])[]): readonly Change[] {
  const count = (changes: readonly Change[]): number => changes.filter(({ kind }) => kind === 'breaking').length;
  return candidates.toSorted((a, b) => count(a) - count(b))[0] ?? [];
}

function isBreaking(changes: readonly Change[]): boolean {
  return changes.some(({ kind }) => kind === 'breaking');
}

function describe({ type, const: constant, enum: values }: JsonNode): string {
  return JSON.stringify(constant ?? values ?? type ?? 'anything');
}

function compareSingle(sides: Sides, before: JsonNode, after: JsonNode, at: string, seen: readonly Pair[]) {
  if (!isTypeKept(sides, before, after)) return [breaking(at, `was ${describe(before)} and is ${describe(after)}`)];
  return [
    ...compareValues(sides, before, after, at),
    ...compareKeywords(sides, before, after, at),
    ...compareObjects(sides, before, after, at, seen),
    ...compareItems(sides, before, after, at, seen),
  ];
}

function isTypeKept({ direction }: Sides, { type: old }: JsonNode, { type: now }: JsonNode): boolean {
  if (old === now) return true;
  // An integer is a number: anyone who sends one is still understood, and anyone who expects a number still gets one.
  if (old === 'integer' && now === 'number') return direction === 'request';
  if (old === 'number' && now === 'integer') return direction === 'response';
  return direction === 'request' ? now === undefined : direction === 'response' && old === undefined;
}

/** The closed set of values that a schema allows; undefined where it is open. */
function valuesOf(schema: JsonNode): readonly unknown[] | undefined {
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined;
}

function compareValues({ direction }: Sides, before: JsonNode, after: JsonNode, at: string): readonly Change[] {
  const old = valuesOf(before);
  const now = valuesOf(after);
  if (old === undefined && now === undefined) return [];
  if (old === undefined) return direction === 'response' ? [] : [breaking(at, 'is now limited to a set of values')];
  if (now === undefined)
    return [direction === 'request' ? addition(at, 'takes any value now') : breaking(at, 'may now be any value')];
  const isOpen = after['x-open-values'] === true && before['x-open-values'] === true;
  const lost = old.filter((value) => !now.includes(value));
  const gained = now.filter((value) => !old.includes(value));
  return [
    ...lost.map((value) => breaking(at, `no longer has the value ${JSON.stringify(value)}`)),
    ...gained.map((value) => {
      const text = `has the new value ${JSON.stringify(value)}`;
      return direction === 'request' || isOpen ? addition(at, text) : breaking(at, text);
    }),
  ];
}

function compareKeywords({ direction }: Sides, before: JsonNode, after: JsonNode, at: string): readonly Change[] {
  const fixed = FIXED.filter((key) => !isSame(key, before[key], after[key])).map((key) => {
    const isDropped = after[key] === undefined && direction === 'request';
    const isAdded = before[key] === undefined && direction === 'response';
    const isWider = direction === 'request' && allowsUpperCase(before[key], after[key]);
    return isDropped || isAdded || isWider ? addition(at, `${key} changed`) : breaking(at, `${key} changed`);
  });
  const limits = Object.entries(LIMITS).flatMap(([key, moreIsWider]) => {
    const old = limitOf(before, key, moreIsWider);
    const now = limitOf(after, key, moreIsWider);
    if (old === now) return [];
    const isWider = moreIsWider ? now > old : now < old;
    const text = `${key} was ${formatLimit(old)} and is ${formatLimit(now)}`;
    return [isWider === (direction !== 'response') ? addition(at, text) : breaking(at, text)];
  });
  return [...fixed, ...limits, ...compareUnread(before, after, at)];
}

function isSame(key: string, before: unknown, after: unknown): boolean {
  if (key === 'pattern') return spellPattern(before) === spellPattern(after);
  return isDeepStrictEqual(before, after);
}

/** Whether a pattern of hexadecimal digits takes those in upper case as well now, and says the same otherwise. */
function allowsUpperCase(before: unknown, after: unknown): boolean {
  return typeof after === 'string' && after !== before && after.replaceAll('0-9a-fA-F', '0-9a-f') === before;
}

/** A difference in a keyword that nothing here reads counts: it could mean anything. `x-` names are our own remarks. */
function compareUnread(before: JsonNode, after: JsonNode, at: string): readonly Change[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys]
    .filter((key) => !KNOWN.has(key) && !key.startsWith('x-') && !isDeepStrictEqual(before[key], after[key]))
    .map((key) => breaking(at, `${key} changed`));
}

function formatLimit(limit: number): string {
  return Number.isFinite(limit) ? String(limit) : 'open';
}

function limitOf(schema: JsonNode, key: string, moreIsWider: boolean): number {
  const value = schema[key];
  if (typeof value === 'number') return value;
  return moreIsWider ? Infinity : -Infinity;
}

function compareObjects(
  sides: Sides,
  before: JsonNode,
  after: JsonNode,
  at: string,
  seen: readonly Pair[],
): readonly Change[] {
  const old = nodeOf(before, 'properties');
  const now = nodeOf(after, 'properties');
  const neededBefore = new Set(listOf(before, 'required'));
  const neededNow = new Set(listOf(after, 'required'));
  const changes: Change[] = [];
  for (const name of Object.keys(old)) {
    const place = `${at}/${name}`;
    if (!(name in now)) changes.push(breaking(place, 'is gone'));
    else changes.push(...compare(sides, nodeOf(old, name), nodeOf(now, name), place, seen));
    if (name in now) changes.push(...compareNeed(sides, neededBefore.has(name), neededNow.has(name), place));
  }
  for (const name of Object.keys(now).filter((name) => !(name in old))) {
    const isDemanded = neededNow.has(name) && sides.direction !== 'response';
    changes.push(isDemanded ? breaking(`${at}/${name}`, 'is new and required') : addition(`${at}/${name}`, 'is new'));
  }
  return [...changes, ...compareRest(sides, before, after, at, seen)];
}

function compareNeed({ direction }: Sides, was: boolean, is: boolean, at: string): readonly Change[] {
  if (was === is) return [];
  const text = is ? 'was optional and is required' : 'was required and is optional';
  const isFine = is ? direction === 'response' : direction === 'request';
  return [isFine ? addition(at, text) : breaking(at, text)];
}

/** Members that `properties` does not name. */
function compareRest(
  sides: Sides,
  before: JsonNode,
  after: JsonNode,
  at: string,
  seen: readonly Pair[],
): readonly Change[] {
  const old = before['additionalProperties'];
  const now = after['additionalProperties'];
  if (isNode(old) && isNode(now)) return compare(sides, old, now, `${at}/*`, seen);
  const isOpenBefore = old !== false;
  const isOpenNow = now !== false;
  if (isOpenBefore === isOpenNow) return [];
  const isFine = isOpenNow ? sides.direction === 'request' : sides.direction === 'response';
  const text = isOpenNow ? 'takes members of any name now' : 'takes no members of other names any more';
  return [isFine ? addition(at, text) : breaking(at, text)];
}

function compareItems(
  sides: Sides,
  before: JsonNode,
  after: JsonNode,
  at: string,
  seen: readonly Pair[],
): readonly Change[] {
  const old = before['items'];
  const now = after['items'];
  if (!isNode(old) && !isNode(now)) return [];
  return compare(sides, isNode(old) ? old : {}, isNode(now) ? now : {}, `${at}/[]`, seen);
}
