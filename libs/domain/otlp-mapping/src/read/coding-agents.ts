import type { Message } from './messages.ts';

/** What coding agents put before what a person typed: GitHub Copilot a time, Gemini CLI the folder it works in. */
const PREPENDED = /^\s*<(current_datetime|session_context)>[^]*?<\/\1>\s*/;

/** A question without it. */
export function withoutContext(text: string): string {
  return text.replace(PREPENDED, '');
}

/** The message that the pieces of a stream are. */
export function joinPieces(messages: readonly Message[]): readonly Message[] {
  const [first] = messages;
  if (first === undefined) return [];
  const toolCalls = messages.flatMap((message) => message.toolCalls);
  return [{ ...first, text: messages.map(({ text }) => text).join(''), toolCalls }];
}
