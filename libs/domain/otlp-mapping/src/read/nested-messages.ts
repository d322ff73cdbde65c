import type { JsonValue } from '@answer-evidence/contracts';
import { isJsonArray, isJsonObject, memberOf, readJsonText } from '../item/json-value.ts';
import { findMessagesInState } from './framework-state.ts';
import { type Message, readContents } from './messages.ts';

/**
 * Messages of an instrumentation that writes what is no text as JSON into the place of one: the parts of a message, or
 * everything that the interface for responses was given, with instructions, tools and their results.
 */
export function readNested(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message) => {
    const value = parseList(message.text);
    if (value === undefined) return [message];
    const conversation = findMessagesInState(value, 'question');
    if (conversation.length > 0) return conversation;
    return isOfParts(value) ? [{ ...message, ...readContents({ content: value }) }] : [message];
  });
}

function parseList(text: string): JsonValue | undefined {
  const read = /^\[\{"/.test(text) ? readJsonText(text, 'loose') : undefined;
  return read?.kind === 'json' && isJsonArray(read.value) ? read.value : undefined;
}

function isOfParts(value: JsonValue): boolean {
  return isJsonArray(value) && value.every((part) => isJsonObject(part) && typeof memberOf(part, 'type') === 'string');
}
