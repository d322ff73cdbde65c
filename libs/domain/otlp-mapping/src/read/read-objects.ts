import type { JsonObject, JsonValue } from '@answer-evidence/contracts';
import { RUNS } from '../dialects/tables.ts';
import { hashObject, nameShown, OBJECT_LENGTH_MAX, readObject, type WrittenObject } from '../item/written-object.ts';
import { createCheck } from './conditions.ts';
import type { Place } from './places.ts';
import { readCalls, readRules } from './read-content.ts';
import { findObjectsInState, findSentences, findTextsInState } from './state-contents.ts';
import type { ToolCall } from './tool-calls.ts';

const isRun = createCheck(RUNS);

/** Objects that a call of a model wrote as the arguments of tools, at the end of what it said. */
export function findWritten(own: Place, places: readonly Place[]): readonly WrittenObject[] {
  return findLastCalls(own, places).flatMap(({ args }) => {
    const value = typeof args === 'string' ? readObject(args) : args;
    const hash = hashObject(value ?? null);
    const text = typeof args === 'string' ? args : JSON.stringify(args);
    return hash === undefined || text.length > OBJECT_LENGTH_MAX ? [] : [{ hash, text }];
  });
}

/** Hashes of the objects in the state that an agent or a chain gave back. */
export function findObjects(own: Place, places: readonly Place[]): readonly string[] {
  const called = own.endsWithObject === true && isRun(own) ? findCalledObject(own, places) : [];
  const found = readStates(own, places).flatMap((state) => findObjectsInState(state));
  return [...called, ...found].flatMap((object) => hashObject(object) ?? []);
}

/** Names of the texts in the same. */
export function findShown(own: Place, places: readonly Place[]): readonly string[] {
  return readStates(own, places)
    .flatMap((state) => findTextsInState(state))
    .map(nameShown);
}

/** Names of the sentences in the same that it was not given. */
export function findMade(own: Place, places: readonly Place[]): readonly string[] {
  const made = new Set(readStates(own, places).flatMap((state) => findSentences(state)));
  if (made.size === 0) return [];
  for (const text of findGiven(own, places)) made.delete(text);
  return [...made].map((text) => nameShown(text.trim()));
}

function findGiven(own: Place, places: readonly Place[]): readonly string[] {
  return readRules('question', own, places).flatMap(({ rule }) => {
    const value = own.lookup.find(rule.key);
    if (typeof value !== 'string') return [];
    const state = readObject(value);
    return state === undefined ? [value] : findTextsInState(state);
  });
}

function readStates(own: Place, places: readonly Place[]): readonly JsonObject[] {
  const states = readRules('answer', own, places).filter(({ rule }) => rule.form === 'state');
  return states.flatMap(({ rule }) => {
    const value = own.lookup.find(rule.key);
    const state = typeof value === 'string' ? readObject(value) : undefined;
    return state === undefined ? [] : [state];
  });
}

/** The arguments of the only tool that a run ends with, if it has the name of a class; functions have others. */
function findCalledObject(own: Place, places: readonly Place[]): readonly JsonValue[] {
  const [only, ...more] = findLastCalls(own, places);
  if (only === undefined || more.length > 0 || !/^[A-Z]/.test(only.name ?? '')) return [];
  return [typeof only.args === 'string' ? (readObject(only.args) ?? null) : only.args];
}

/** The tools that are asked for at the end of what an item says. */
function findLastCalls(own: Place, places: readonly Place[]): readonly ToolCall[] {
  return readRules('answer', own, places).flatMap(({ rule, there }) => {
    return there.flatMap((place) => readCalls(rule, place).at(-1)?.toolCalls ?? []);
  });
}
