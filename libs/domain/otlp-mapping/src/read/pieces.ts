import type { Message } from './messages.ts';

/** The message that the pieces of a stream are. */
export function joinPieces(messages: readonly Message[]): readonly Message[] {
  const [first] = messages;
  if (first === undefined) return [];
  const toolCalls = messages.flatMap((message) => message.toolCalls);
  return [{ ...first, text: messages.map(({ text }) => text).join(''), toolCalls }];
}
