import { type JsonObject, openObject } from '@answer-evidence/contracts';
import type { SaltedItem } from '@answer-evidence/tables';
import { CheckFailure } from '@answer-evidence/verify/verdict';

/** A member of an opened content. Its absence is an alteration, because the service writes every member. */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const found = Object.entries(value).find(([key]) => key === name);
    if (found !== undefined) return found[1];
  }
  throw new CheckFailure(`its contents have no ${name}`);
}

/** A text, or null where there is none; `contents` null means that nothing is kept. */
export function readText(contents: unknown, name: string): string | null {
  if (contents === null) return null;
  const text = memberOf(contents, name);
  if (text === null || typeof text === 'string') return text;
  throw new CheckFailure(`${name} among its contents is not text`);
}

/** One salted item, or null where there is none. */
export function readItem(contents: unknown, name: string): SaltedItem<JsonObject | string> | null {
  return contents === null ? null : toItem(memberOf(contents, name), name);
}

/** A list of salted items, null in the place of each that is gone; the empty list when nothing is kept. */
export function readItems(contents: unknown, name: string): readonly (SaltedItem<JsonObject | string> | null)[] {
  if (contents === null) return [];
  const items = memberOf(contents, name);
  if (!Array.isArray(items)) throw new CheckFailure(`${name} among its contents is not a list`);
  return items.map((item) => toItem(item, name));
}

function toItem(value: unknown, name: string): SaltedItem<JsonObject | string> | null {
  if (value === null) return null;
  const salt = memberOf(value, 'salt');
  const item = memberOf(value, 'item');
  if (typeof salt !== 'string') throw new CheckFailure(`a salt of ${name} is not text`);
  if (typeof item === 'string') return { salt, item };
  const object = openObject.safeParse(item);
  if (!object.success) throw new CheckFailure(`an item of ${name} is not an object`);
  return { salt, item: object.data };
}
