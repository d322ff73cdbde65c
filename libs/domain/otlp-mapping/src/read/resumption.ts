import { isJsonObject, memberOf } from '../item/json-value.ts';
import type { AttributeValue } from '../item/otlp-item.ts';
import { readObject } from '../item/written-object.ts';

/** Members of the command by which a graph of LangGraph goes on after a person decided. */
const MEMBERS = ['graph', 'update', 'resume', 'goto'];

/** Whether a run was given such a command, and no question. */
export function isResumption(value: AttributeValue): boolean {
  if (typeof value !== 'string' || !value.includes('"resume"')) return false;
  const state = readObject(value);
  const given = state === undefined ? undefined : (memberOf(state, 'inputs') ?? state);
  return isJsonObject(given) && MEMBERS.every((name) => Object.hasOwn(given, name));
}
