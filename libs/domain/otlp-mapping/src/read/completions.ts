import type { ContentRule } from '../dialects/content-rule.ts';
import { IN_PIECES } from '../dialects/tables.ts';
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
  const prompt = own.repeatsPrompt === true ? own.lookup.peek('gen_ai.prompt.0.content') : undefined;
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
  if (!has('gen_ai.completion.1.content') || has('gen_ai.prompt.0.role') || has('gen_ai.prompt.1.role')) return false;
  return has('gen_ai.prompt.1.content') || has('gen_ai.prompt.1.user');
}
