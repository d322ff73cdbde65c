import type { ContentRule } from '../dialects/content-rule.ts';
import { IN_PIECES, SEVERAL_PROMPTS } from '../dialects/tables.ts';
import { createCheck } from './conditions.ts';
import type { Message } from './messages.ts';
import type { Place } from './places.ts';

/**
 * Messages of older conventions, flattened, as they were meant: the pieces of one text are one message, and a text that
 * repeats the prompt at its beginning is what comes after it.
 */
export function asCompletions(messages: readonly Message[], { to, isCompletion = false }: ContentRule, own: Place) {
  if (to === 'question' || !isCompletion) return messages;
  const pieces = isOfPieces(own) && messages.every(({ toolCalls }) => toolCalls.length === 0) ? messages : [];
  const [first] = pieces;
  const whole = first === undefined ? messages : [{ ...first, text: pieces.map(({ text }) => text).join('') }];
  const prompt = own.repeatsPrompt === undefined ? undefined : own.lookup.peek(own.repeatsPrompt);
  if (typeof prompt !== 'string') return whole;
  return whole.map((one) => ({ ...one, text: withoutStart(one.text, prompt) }));
}

const isOfPieces = createCheck(IN_PIECES);

function withoutStart(text: string, start: string): string {
  return text.length > start.length && text.startsWith(start) ? text.slice(start.length).trimStart() : text;
}

/**
 * Whether a call has several prompts, and a completion for each: no more than one of them could be its question. Those
 * of a conversation say who wrote them.
 */
export function isOfSeveralPrompts({ lookup }: Place): boolean {
  const has = (key: string) => lookup.peek(key) !== undefined;
  return SEVERAL_PROMPTS.some(({ completion, prompts, roles }) => {
    return has(completion) && !roles.some(has) && prompts.some(has);
  });
}
