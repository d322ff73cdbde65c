import { RESUMPTIONS } from '../dialects/writing-tables.ts';
import { isJsonObject, memberOf } from '../item/json-value.ts';
import type { AttributeValue } from '../item/otlp-item.ts';
import { readObject } from '../item/written-object.ts';

/** Whether a run was given a command to go on after a person decided, and no question. */
export function isResumption(value: AttributeValue): boolean {
  if (typeof value !== 'string') return false;
  const commands = RESUMPTIONS.filter(({ sign }) => value.includes(`"${sign}"`));
  const state = commands.length === 0 ? undefined : readObject(value);
  const given = state === undefined ? undefined : (memberOf(state, 'inputs') ?? state);
  return isJsonObject(given) && commands.some(({ members }) => members.every((name) => Object.hasOwn(given, name)));
}
