import type { JsonValue } from '@answer-evidence/contracts';
import { isJsonArray, readJsonText } from '../item/json-value.ts';
import { isPrinted, STRING, unescape } from '../item/python-literals.ts';
import type { Message } from './messages.ts';
import { joinTexts } from './text-parts.ts';
import { UNKNOWN_CALL } from './tool-calls.ts';

const BEGIN = /^ChatMessage\(_role=<ChatRole\.\w+: '(\w+)'>, _content=\[/;
const SAID = String.raw`TextContent\(text=(${STRING})\)`;
const THOUGHT = String.raw`ReasoningContent\(reasoning_text=(?:${STRING}), extra=\{[^}]*\}\)`;
const PART = new RegExp(`(?:${SAID}|${THOUGHT})(?:, )?`, 'sy');

/**
 * A message of Haystack as Python shows it, `ChatMessage(_role=<ChatRole.USER: 'user'>, _content=[TextContent(text=…`,
 * which is all that OpenInference keeps of what an agent says within a pipeline. Undefined for any other text.
 */
export function readPrintedMessage(text: string): Message | undefined {
  const [begin, role] = BEGIN.exec(text) ?? [];
  if (begin === undefined || role === undefined) return undefined;
  const texts: (string | null)[] = [];
  let at = begin.length;
  PART.lastIndex = at;
  for (let found = PART.exec(text); found !== null; found = PART.exec(text)) {
    texts.push(found[1] === undefined ? null : unescape(found[1].slice(1, -1)));
    at = PART.lastIndex;
  }
  const isAsking = role === 'assistant' && text.startsWith('ToolCall(', at);
  return { role, text: joinTexts(texts, role === 'assistant'), toolCalls: isAsking ? [UNKNOWN_CALL] : [] };
}

/** The texts in a list beside how Python shows an object, such as an image that AutoGen is asked about. */
export function joinPartlyPrinted(value: JsonValue): string | undefined {
  if (!isJsonArray(value)) return undefined;
  const texts = value.filter((item) => typeof item === 'string');
  const said = texts.filter((text) => !isPrinted(text));
  const isPartly = texts.length === value.length && said.length > 0 && said.length < texts.length;
  return isPartly ? said.join('\n') : undefined;
}

/** The same in JSON of such a list. */
export function readPartlyPrinted(text: string): string | undefined {
  const isCandidate = text.startsWith('["') && text.endsWith('"]') && text.includes(' object at 0x');
  const read = isCandidate ? readJsonText(text, 'loose') : undefined;
  return read?.kind === 'json' ? joinPartlyPrinted(read.value) : undefined;
}
