import type { Attribute, AttributeMap, AttributeValue } from './otlp-item.ts';
import { Rejection } from './rejection.ts';

/** Deeper values are taken for different: readers stop far before. */
const COMPARED_DEPTH_MAX = 64;

/** Attributes by key, in any order: a key sent twice with one value counts once; one with two values is unreadable. */
export class AttributeLookup {
  readonly #values = new Map<string, AttributeValue>();
  /** Made when it is needed, which it is for few of all lookups. */
  #contested: Set<string> | undefined;
  #keys: readonly string[] | undefined;

  constructor(attributes: readonly Attribute[]) {
    for (const { key, value } of attributes) {
      const known = this.#values.get(key);
      if (known === undefined) this.#values.set(key, value);
      else if (!isEqualValue(known, value, 0)) (this.#contested ??= new Set()).add(key);
    }
  }

  /** The value of a key, or undefined. Throws `Rejection` for a key with two values. */
  find(key: string): AttributeValue | undefined {
    if (this.#contested?.has(key) === true)
      throw new Rejection(`the attribute ${key} occurs twice with different values`);
    return this.#values.get(key);
  }

  /** The value of a key; undefined also for a key with two values. */
  peek(key: string): AttributeValue | undefined {
    return this.#contested?.has(key) === true ? undefined : this.#values.get(key);
  }

  /** Whether any key has two values. */
  get isContested(): boolean {
    return this.#contested !== undefined;
  }

  /** Whether any of these keys is there, with one value or more. */
  hasAnyOf(keys: ReadonlySet<string>): boolean {
    return this.keys().some((key) => keys.has(key));
  }

  keys(): readonly string[] {
    return (this.#keys ??= [...this.#values.keys()]);
  }
}

/** The value of one key, or undefined where it is not there or has two values. */
export function findSingle(attributes: readonly Attribute[], wanted: string): AttributeValue | undefined {
  let found: AttributeValue | undefined;
  for (const { key, value } of attributes) {
    if (key !== wanted) continue;
    if (found !== undefined && !isEqualValue(found, value, 0)) return undefined;
    found = value;
  }
  return found;
}

/** Whether a value is a `KeyValueList`. */
export function isAttributeMap(value: AttributeValue): value is AttributeMap {
  return typeof value === 'object' && value !== null && 'members' in value;
}

/** Whether a value is an `ArrayValue`. */
export function isAttributeList(value: AttributeValue): value is readonly AttributeValue[] {
  return Array.isArray(value);
}

function isEqualValue(a: AttributeValue, b: AttributeValue, depth: number): boolean {
  if (Object.is(a, b)) return true;
  if (depth > COMPARED_DEPTH_MAX || typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return false;
  if (a instanceof Uint8Array || b instanceof Uint8Array) {
    if (!(a instanceof Uint8Array && b instanceof Uint8Array)) return false;
    return a.length === b.length && a.every((byte, i) => byte === b[i]);
  }
  if (isAttributeList(a) || isAttributeList(b)) {
    if (!(isAttributeList(a) && isAttributeList(b)) || a.length !== b.length) return false;
    return a.every((value, i) => isEqualValue(value, b[i] ?? null, depth + 1));
  }
  if (!isAttributeMap(a) || !isAttributeMap(b) || a.members.length !== b.members.length) return false;
  return a.members.every((member, i) => {
    const other = b.members[i];
    return other !== undefined && member.key === other.key && isEqualValue(member.value, other.value, depth + 1);
  });
}
