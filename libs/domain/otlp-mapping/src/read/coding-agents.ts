import type { Message } from './messages.ts';

/** What coding agents put before what a person typed: GitHub Copilot a time, Gemini CLI the folder it works in. */
const PREPENDED = /^\s*<(current_datetime|session_context)>[^]*?<\/\1>\s*/;

/** A question without it. */
export function withoutContext(text: string): string {
  return text.replace(PREPENDED, '');
}

/** How the messages of an answer are to be put together: `pieces` of one, or `turns` in one. */
export type Gathering = 'pieces' | 'turns';

/** Agents that show an answer in the pieces of its stream, or all answers of a run in one. */
const GATHERING: ReadonlyMap<string, Gathering> = new Map([
  ['gemini-cli', 'pieces'],
  ['qwen-code', 'pieces'],
  ['github.copilot', 'turns'],
]);

/** How an instrumentation gathers what a model said; undefined of nearly all. */
export function gatheringOf(scopeName: string): Gathering | undefined {
  return GATHERING.get(scopeName);
}

/** The message that the pieces of a stream are. */
export function joinPieces(messages: readonly Message[]): readonly Message[] {
  const [first] = messages;
  if (first === undefined) return [];
  const toolCalls = messages.flatMap((message) => message.toolCalls);
  return [{ ...first, text: messages.map(({ text }) => text).join(''), toolCalls }];
}
