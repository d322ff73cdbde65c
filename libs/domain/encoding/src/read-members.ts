import { JsonError } from './json-error.ts';
import { findStringEnd } from './json-strings.ts';

export type MutableValue = null | boolean | number | string | MutableValue[] | { [key: string]: MutableValue };

/** Whether a member's name is written with an escape; the text must be valid JSON. */
export function hasEscapedName(text: string): boolean {
  let escape = text.indexOf('\\');
  if (escape === -1) return false;
  for (let start = text.indexOf('"'); start !== -1;) {
    const end = findStringEnd(text, start);
    if (escape < start) escape = text.indexOf('\\', start);
    if (escape === -1) return false;
    if (escape < end && text[skipSpace(text, end + 1)] === ':') return true;
    start = text.indexOf('"', end + 1);
  }
  return false;
}

/**
 * Reads a document that the native reader has accepted, without its fast path for members. That path takes a name
 * written with an escape (`"\t"`) for the name `\` when it has read an object with such a name in that place before
 * (seen in V8 13.6, and not in 11.3); strings and numbers alone are read natively also here.
 */
export function readMembers(text: string, depthMax: number): MutableValue {
  return new Reader(text, depthMax).readValue(0);
}

class Reader {
  readonly #text: string;
  readonly #depthMax: number;
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(text: string, depthMax: number) {
    this.#text = text;
    this.#depthMax = depthMax;
  }

  readValue(depth: number): MutableValue {
    this.#at = skipSpace(this.#text, this.#at);
    const first = this.#text[this.#at];
    if (first === '"') return this.#readString();
    if (first !== '{' && first !== '[') return this.#readWord();
    if (depth >= this.#depthMax) throw new JsonError('too_deep', this.#path.slice(0, depth));
    return first === '{' ? this.#readObject(depth) : this.#readArray(depth);
  }

  #readObject(depth: number): MutableValue {
    const members: { [key: string]: MutableValue } = {};
    while (this.#hasNext('}')) {
      const name = this.#readString();
      this.#path[depth] = name;
      this.#at = skipSpace(this.#text, this.#at) + 1;
      const value = this.readValue(depth + 1);
      // Not an assignment: `__proto__` is a name like any other.
      Object.defineProperty(members, name, { value, configurable: true, enumerable: true, writable: true });
    }
    return members;
  }

  #readArray(depth: number): MutableValue {
    const items: MutableValue[] = [];
    while (this.#hasNext(']')) {
      this.#path[depth] = items.length;
      items.push(this.readValue(depth + 1));
    }
    return items;
  }

  /** Steps over the opening bracket, a comma or the end, and to the next name or value. */
  #hasNext(close: string): boolean {
    this.#at = skipSpace(this.#text, this.#at);
    if (this.#text[this.#at] !== close) this.#at = skipSpace(this.#text, this.#at + 1);
    if (this.#text[this.#at] !== close) return true;
    this.#at++;
    return false;
  }

  #readString(): string {
    const end = findStringEnd(this.#text, this.#at) + 1;
    const value = readNativeLeaf(this.#text.slice(this.#at, end));
    this.#at = end;
    return typeof value === 'string' ? value : '';
  }

  #readWord(): MutableValue {
    const start = this.#at;
    while (this.#at < this.#text.length && !',]} \n\r\t'.includes(this.#text.charAt(this.#at))) this.#at++;
    return readNativeLeaf(this.#text.slice(start, this.#at));
  }
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  return at;
}

function readNativeLeaf(literal: string): null | boolean | number | string {
  // One complete string, number or word, cut from a document that the native reader accepted.
  // oxlint-disable-next-line no-restricted-properties, typescript/no-unsafe-return
  return JSON.parse(literal);
}
