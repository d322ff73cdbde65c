import {
  ACTIONS,
  CODES,
  DEFERRED,
  FINAL_MARKS,
  FINAL_MARKS_BEHIND_THOUGHT,
  WAITING,
} from '../dialects/wording-tables.ts';
import { isJsonArray, isJsonObject, memberOf, readJsonText } from '../item/json-value.ts';

/** How a text begins in which a model thinks aloud, or names an action. */
const BEGIN = /^(?:```|\{|Action:|Thought:)/;
/** A literal in a call: as one expression with the call, it takes half a minute to be proved linear. */
const LITERAL = /'([^'\\\n]*)'\)|"([^"\\\n]*)"\)/y;

/**
 * The answer in what a model wrote for a framework that asks it to think aloud and to name its actions (ReAct): what
 * stands behind the words for it, such as `Final Answer:`, in a blob whose action is that, or in the call by which code
 * answers. Undefined where it names another action, or calls of tools that wait, since nobody is told that. Any other
 * text is the answer as it is. Takes time linear in it.
 */
export function findFinal(text: string): string | undefined {
  const rest = text.trimStart();
  if (isPaused(rest)) return undefined;
  if (!BEGIN.test(rest) && !FINAL_MARKS.some((word) => rest.startsWith(word))) return text;
  if (isDeferred(rest)) return undefined;
  const blob = ACTIONS.some(({ input }) => rest.includes(`"${input}"`)) ? readBlob(rest) : undefined;
  if (blob !== undefined) return blob.isFinal ? blob.input : undefined;
  if (rest.startsWith('```') || rest.startsWith('{')) return text;
  const code = CODES.find(({ begin }) => rest.includes(begin));
  return code === undefined ? readLines(rest, text) : readCode(rest.slice(rest.indexOf(code.begin)), code.call);
}

function isPaused(text: string): boolean {
  return WAITING.some(({ begin, rest }) => {
    const [found] = begin.exec(text) ?? [];
    return found !== undefined && rest.test(text.slice(found.length));
  });
}

/** Whether a text is the object that a run ends with while tools wait, or somebody is to approve them. */
function isDeferred(text: string): boolean {
  const [, first] = /^\{\s*"(\w+)"/.exec(text) ?? [];
  const waiting = DEFERRED.filter(({ lists }) => first !== undefined && lists.includes(first));
  const read = waiting.length === 0 ? undefined : readJsonText(text, 'loose');
  if (read?.kind !== 'json' || !isJsonObject(read.value)) return false;
  const { value } = read;
  return waiting.some(({ lists, member }) => {
    const calls = lists.map((name) => memberOf(value, name) ?? null);
    return calls.every(isJsonArray) && calls.flat().some((call) => isJsonObject(call) && Object.hasOwn(call, member));
  });
}

/** Line by line, what comes first: an action, or what is told. */
function readLines(rest: string, whole: string): string | undefined {
  const lines = rest.split('\n').map((line) => line.trimStart());
  const words = rest.startsWith('Thought:') ? [...FINAL_MARKS, ...FINAL_MARKS_BEHIND_THOUGHT] : FINAL_MARKS;
  let isAction = false;
  for (const [n, line] of lines.entries()) {
    if (isAction && line.startsWith('Action Input:')) return undefined;
    if (line !== '') isAction = line.startsWith('Action:');
    const word = words.find((one) => line.startsWith(one));
    if (word !== undefined) return [line.slice(word.length), ...rest.split('\n').slice(n + 1)].join('\n').trim();
  }
  return whole;
}

/** An action and what it is given, alone or in a fence, after a thought or not. */
function readBlob(text: string): { readonly isFinal: boolean; readonly input: string | undefined } | undefined {
  const fence = text.indexOf('```');
  const end = text.lastIndexOf('```');
  const fenced = text.slice(fence + 3, end > fence ? end : undefined).replace(/^json/, '');
  const blob = (fence < 0 ? text : fenced).trim();
  const read = blob.startsWith('{') ? readJsonText(blob, 'loose') : undefined;
  if (read?.kind !== 'json' || !isJsonObject(read.value) || Object.keys(read.value).length !== 2) return undefined;
  const { value } = read;
  const known = ACTIONS.find(({ name, input }) => {
    return typeof memberOf(value, name) === 'string' && memberOf(value, input) !== undefined;
  });
  if (known === undefined) return undefined;
  const input = memberOf(value, known.input);
  return {
    isFinal: memberOf(value, known.name) === known.final,
    input: typeof input === 'string' ? input : undefined,
  };
}

/** What code gives as the answer, if that is a literal; a value that the code computes is not known. */
function readCode(code: string, call: string): string | undefined {
  for (let at = code.indexOf(call); at >= 0; at = code.indexOf(call, at + 1)) {
    if (/\w/.test(code.charAt(at - 1))) continue;
    LITERAL.lastIndex = at + call.length;
    const [, single, double] = LITERAL.exec(code) ?? [];
    if (single !== undefined || double !== undefined) return single ?? double;
  }
  return undefined;
}
