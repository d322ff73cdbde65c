import type { JsonObject } from '@answer-evidence/contracts';
import { RESUMPTIONS } from '../dialects/writing-tables.ts';
import { isJsonObject, memberOf } from '../item/json-value.ts';
import type { AttributeValue } from '../item/otlp-item.ts';
import { readObject } from '../item/written-object.ts';

/** Whether a run was given a command to go on after a person decided, and no question. */
export function isResumption(value: AttributeValue): boolean {
  if (typeof value !== 'string') return false;
  const isSigned = RESUMPTIONS.some(({ sign }) => value.includes(`"${sign}"`));
  const state = isSigned ? readObject(value) : undefined;
  const given = state === undefined ? undefined : (memberOf(state, 'inputs') ?? state);
  return isJsonObject(given) && isCommand(given);
}

/** Whether a state is such a command. */
export function isCommand(state: JsonObject): boolean {
  return RESUMPTIONS.some(({ members }) => members.every((name) => Object.hasOwn(state, name)));
}
