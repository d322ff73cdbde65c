import type { JsonValue } from '@answer-evidence/contracts';
import { PRINTED } from '../dialects/writing-tables.ts';
import { isJsonArray, readJsonText } from '../item/json-value.ts';
import { isPrinted, unescape } from '../item/python-literals.ts';
import type { Message } from './messages.ts';
import { joinTexts } from './text-parts.ts';
import { UNKNOWN_CALL } from './tool-calls.ts';

/** A message of a framework as Python shows it, which may be all that is known of it; undefined for any other text. */
export function readPrintedMessage(text: string): Message | undefined {
  for (const { begin, part, call } of PRINTED) {
    const [beginning, role] = begin.exec(text) ?? [];
    if (beginning === undefined || role === undefined) continue;
    const texts: (string | null)[] = [];
    let at = beginning.length;
    part.lastIndex = at;
    for (let found = part.exec(text); found !== null; found = part.exec(text)) {
      texts.push(found[1] === undefined ? null : unescape(found[1].slice(1, -1)));
      at = part.lastIndex;
    }
    const isAsking = role === 'assistant' && text.startsWith(call, at);
    return { role, text: joinTexts(texts, role === 'assistant'), toolCalls: isAsking ? [UNKNOWN_CALL] : [] };
  }
  return undefined;
}

/** The texts in a list beside how Python shows an object, such as an image. */
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
