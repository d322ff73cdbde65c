import type { JsonObject, JsonValue } from '@answer-evidence/contracts';
import { OBJECT_RULES, STATE_RULES } from '../dialects/mapping-table.ts';
import { RETURNING } from '../dialects/writing-tables.ts';
import { isJsonArray, isJsonObject, memberOf } from '../item/json-value.ts';
import { isPrinted } from '../item/python-literals.ts';
import { readObject } from '../item/written-object.ts';
import { findMessagesInState, isDocument, STATE_DEPTH_MAX } from './framework-state.ts';

/** How deep an object may stand that is the answer as a whole. */
const OBJECT_DEPTH_MAX = 2;

/** Objects of a state of which one may be an answer as a whole: the state itself, and what stands at named places. */
export function findObjectsInState(state: JsonObject, depth = OBJECT_DEPTH_MAX): readonly JsonObject[] {
  const named = [...OBJECT_RULES, ...STATE_RULES.answer].map((name) => memberOf(state, name));
  const objects = named
    .map((member) => (typeof member === 'string' ? readObject(member) : member))
    .filter(isJsonObject);
  const deeper = depth === 0 ? [] : objects.flatMap((object) => findObjectsInState(object, depth - 1));
  const conversation = memberOf(state, 'messages');
  // What holds a conversation was written by no model.
  return conversation === undefined ? [state, ...deeper] : [...deeper, ...findReturned(conversation)];
}

/** The object that an agent says at its end that it returns, which its state may not show otherwise. */
function findReturned(conversation: JsonValue): readonly JsonObject[] {
  const text = findMessagesInState(conversation, 'answer').at(-1)?.text;
  const begin = RETURNING.find((words) => text?.startsWith(words) === true);
  const object = begin === undefined ? undefined : readObject(text?.slice(begin.length) ?? '');
  return object === undefined ? [] : [object];
}

/** So many texts of a state are looked at. */
const TEXTS_MAX = 32;

/** The texts of a state, wherever they stand; none of one that has a conversation. */
export function findTextsInState(state: JsonValue, depth = STATE_DEPTH_MAX): readonly string[] {
  if (isJsonObject(state) && memberOf(state, 'messages') !== undefined) return [];
  if (typeof state === 'string') return state === '' ? [] : [state];
  if (depth === 0 || !(isJsonArray(state) || isJsonObject(state))) return [];
  const members = (isJsonArray(state) ? state : Object.values(state)).slice(0, TEXTS_MAX);
  return members.flatMap((member) => findTextsInState(member, depth - 1)).slice(0, TEXTS_MAX);
}

/** How deep a member of a state may stand that somebody may have been told: of a node, in what wraps the state. */
const TOLD_DEPTH_MAX = 2;

/** Members of a state that are about it, or that a model was given. */
const ABOUT = /^_|(?:meta|metadata|config|usage|kwargs|contexts?|documents|docs|history|prompt|instructions)$/i;

/** A label, a number, a time or an address: no sentence that somebody could be told. */
const LABEL = /^(?:[\w\-.:/@+#%?&=~,|]*|\P{L}*)$/u;

/**
 * The texts of a state that somebody may have been told: sentences that are members of it, and not of a list, a
 * document or a conversation. At most some tens.
 */
export function findSentences(state: JsonObject, depth = TOLD_DEPTH_MAX): readonly string[] {
  if (memberOf(state, 'messages') !== undefined || memberOf(state, 'role') !== undefined || isDocument(state))
    return [];
  const members = Object.entries(state).filter(([name]) => !ABOUT.test(name));
  return members
    .slice(0, TEXTS_MAX)
    .flatMap(([, value]) => {
      if (typeof value === 'string') return isSentence(value) ? [value] : [];
      return depth > 0 && isJsonObject(value) ? findSentences(value, depth - 1) : [];
    })
    .slice(0, TEXTS_MAX);
}

function isSentence(text: string): boolean {
  return !LABEL.test(text) && !/^\s*[[{<]/.test(text) && !isPrinted(text);
}
