import { STATE_RULES } from '../dialects/mapping-table.ts';
import { isJsonArray, isJsonObject, memberOf, readJsonText } from '../item/json-value.ts';
import { isFollowed, isPrinted, readPrintedTexts } from '../item/python-literals.ts';
import { readExchange } from './exchanges.ts';
import { findInState, findMessagesInState } from './framework-state.ts';
import { readPrintedMessage } from './printed-messages.ts';

/**
 * What somebody was told in a text that may be no text of anybody: of an object of Python, and of a message or a
 * response of a model's interface, what it says; undefined where it says nothing. Any other text was told as it stands,
 * also JSON, by which a model answers in an application's own form.
 */
export function findAnswerIn(text: string): string | undefined {
  if (/^\s*[[{]/.test(text)) return findInJson(text);
  return isPrinted(text) && !isFollowed(text) ? findPrintedAnswer(text) : text;
}

function findInJson(text: string): string | undefined {
  const read = readJsonText(text, 'loose');
  if (read.kind === 'none') return isPrinted(text) && !isFollowed(text) ? findPrintedAnswer(text) : text;
  const { value } = read;
  const exchange = readExchange(text);
  if (exchange !== undefined) return findInState(exchange, 'answer');
  const shown = isJsonArray(value) ? value : [value];
  // A message names its author; a member of another object may have any of the names of its text.
  const isOfMessages = shown.length > 0 && shown.every((one) => isJsonObject(one) && isAuthored(memberOf(one, 'role')));
  if (!isOfMessages || findMessagesInState(value, 'answer').length === 0) return text;
  return findInState(value, 'answer');
}

function isAuthored(role: unknown): boolean {
  return typeof role === 'string' && /^(?:user|human|assistant|ai|model|system|developer|tool)$/i.test(role);
}

/** What Python shows as a message, or as a dict whose member is named as an answer. */
function findPrintedAnswer(text: string): string | undefined {
  const message = readPrintedMessage(text);
  if (message !== undefined) return message.role === 'assistant' && message.text !== '' ? message.text : undefined;
  const texts = readPrintedTexts(text);
  const name = ['content', ...STATE_RULES.answer].find((one) => texts?.has(one));
  return (name === undefined ? undefined : texts?.get(name)) || undefined;
}
