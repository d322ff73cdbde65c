import type { Message } from './messages.ts';
import { STRING, unescape } from './python-literals.ts';
import { joinTexts } from './text-parts.ts';
import { UNKNOWN_CALL } from './tool-calls.ts';

const BEGIN = /^ChatMessage\(_role=<ChatRole\.\w+: '(\w+)'>, _content=\[/;
const SAID = String.raw`TextContent\(text=(${STRING})\)`;
const THOUGHT = String.raw`ReasoningContent\(reasoning_text=(?:${STRING}), extra=\{[^}]*\}\)`;

/**
 * A message of Haystack as Python shows it, `ChatMessage(_role=<ChatRole.USER: 'user'>, _content=[TextContent(text=…`,
 * which is all that OpenInference keeps of what an agent says within a pipeline. Undefined for any other text.
 */
export function readPrintedMessage(text: string): Message | undefined {
  const [begin, role] = BEGIN.exec(text) ?? [];
  if (begin === undefined || role === undefined) return undefined;
  const part = new RegExp(`(?:${SAID}|${THOUGHT})(?:, )?`, 'sy');
  const texts: (string | null)[] = [];
  let at = begin.length;
  part.lastIndex = at;
  for (let found = part.exec(text); found !== null; found = part.exec(text)) {
    texts.push(found[1] === undefined ? null : unescape(found[1].slice(1, -1)));
    at = part.lastIndex;
  }
  const isAsking = role === 'assistant' && text.startsWith('ToolCall(', at);
  return { role, text: joinTexts(texts, role === 'assistant'), toolCalls: isAsking ? [UNKNOWN_CALL] : [] };
}
