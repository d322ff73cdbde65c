import { JsonError } from './json-error.ts';
import { findStringEnd } from './json-strings.ts';

type Container = { readonly keys: Set<string> | undefined; step: string | number };

/** Finds the first duplicate key of valid JSON that has one; slow and exact, with its own stack for any nesting. */
export function getDuplicateKeyError(text: string, depthMax: number): JsonError {
  const stack: Container[] = [];
  const path = (): (string | number)[] => stack.map((container) => container.step);
  for (let i = 0; i < text.length; i++) {
    const top = stack.at(-1);
    switch (text[i]) {
      case '{':
      case '[':
        if (stack.length >= depthMax) return new JsonError('too_deep', path());
        stack.push(text[i] === '{' ? { keys: new Set(), step: '' } : { keys: undefined, step: 0 });
        break;
      case '}':
      case ']':
        stack.pop();
        break;
      case ',':
        if (typeof top?.step === 'number') top.step++;
        break;
      case '"': {
        const end = findStringEnd(text, i);
        if (top?.keys !== undefined && isFollowedByColon(text, end + 1)) {
          const key = readKey(text.slice(i, end + 1));
          top.step = key;
          if (top.keys.has(key)) return new JsonError('duplicate_key', path());
          top.keys.add(key);
        }
        i = end;
        break;
      }
      default:
        break;
    }
  }
  return new JsonError('duplicate_key');
}

function isFollowedByColon(text: string, start: number): boolean {
  let at = start;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  return text[at] === ':';
}

function readKey(literal: string): string {
  // The literal is one complete JSON string, cut from a document that the native reader accepted.
  // oxlint-disable-next-line no-restricted-properties
  const key: unknown = JSON.parse(literal);
  return typeof key === 'string' ? key : '';
}
