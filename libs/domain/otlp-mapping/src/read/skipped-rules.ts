import type { JsonValue } from '@answer-evidence/contracts';
import type { ContentRule } from '../dialects/content-rule.ts';
import { CONTENT_RULES, MODEL_RULES } from '../dialects/tables.ts';
import { isJsonArray, isJsonObject, readJsonText } from '../item/json-value.ts';
import { isOfSeveralPrompts } from './completions.ts';
import { applies } from './conditions.ts';
import { readFlattenedMessages } from './flattened-messages.ts';
import { selectAnswer } from './messages.ts';
import type { Place } from './places.ts';
import { showsOnlyOldMessages } from './repeated-messages.ts';
import { endsWithCall } from './tool-calls.ts';

/** Whether a rule of the table does not apply to an item, for what else the item shows. */
export function isSkipped(rule: ContentRule, own: Place): boolean {
  const { unless, unlessPrefixes, unlessAsking, onlyPrefix } = rule;
  for (const exception of unless) if (applies(exception, own)) return true;
  if (rule.form === 'messages' && rule.event === null && showsOnlyOldMessages(own)) return true;
  if (rule.isCompletion === true && rule.to === 'answer' && hasEndedAsking(own)) return true;
  if (rule.unlessCalls !== undefined && hasCallsBeside(rule.unlessCalls, own)) return true;
  if (rule.indexed !== undefined && rule.isCompletion === true && isOfSeveralPrompts(own)) return true;
  if (unlessAsking?.some((prefix) => has(prefix, own) && endsAsking(prefix, own)) === true) return true;
  if (unlessPrefixes?.some((prefix) => has(prefix, own)) === true) return true;
  return onlyPrefix !== undefined && !has(onlyPrefix, own);
}

function has(prefix: string, { lookup }: Place): boolean {
  return lookup.keys().some((key) => key.startsWith(prefix));
}

/** Of these, the first is the list of all; the others are of one completion each. */
const REASONS = MODEL_RULES.finish_reasons.slice(0, 1);

/** Whether the reasons why a call ended say that it asks for a tool. They are a list, or JSON of one. */
function hasEndedAsking({ lookup }: Place): boolean {
  return REASONS.some((key) => {
    const reasons = lookup.peek(key);
    const listed = typeof reasons === 'string' ? reasons.split(/[[\]",\s]+/) : Array.isArray(reasons) ? reasons : [];
    return listed.some(endsWithCall);
  });
}

/** Whether an item shows tools that a model asked for. Of a stream, messages and thoughts may stand there, too. */
function hasCallsBeside(key: string, { lookup }: Place): boolean {
  const calls = lookup.peek(key);
  if (calls === undefined) return false;
  const read = typeof calls === 'string' ? readJsonText(calls, 'loose') : undefined;
  if (read?.kind !== 'json' || !isJsonArray(read.value)) return true;
  return read.value.length === 0 || !read.value.every(isSaid);
}

function isSaid(item: JsonValue): boolean {
  const type = isJsonObject(item) ? item['type'] : undefined;
  return type === 'message' || type === 'reasoning';
}

/** Members of messages that are flattened below a prefix. */
const MEMBERS: ReadonlyMap<string, string> = new Map(
  CONTENT_RULES.flatMap(({ indexed }) => (indexed === undefined ? [] : [[indexed.prefix, indexed.member] as const])),
);

/** Whether flattened messages end with the request of a tool. */
function endsAsking(prefix: string, own: Place): boolean {
  const messages = readFlattenedMessages({ prefix, member: MEMBERS.get(prefix) ?? '' }, own);
  return messages.some(({ toolCalls }) => toolCalls.length > 0) && selectAnswer(messages) === undefined;
}
