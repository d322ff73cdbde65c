import { isJsonArray, isJsonObject, memberOf, readJsonText } from '../item/json-value.ts';

/** How a text begins in which a model thinks aloud, or names an action. */
const BEGIN = /^(?:```|\{|Action:|Thought:|Final Answer:)/;
/** What Agno says in the place of a model while tools wait for a person, or for the application: begin and rest. */
const PAUSED = /^I have tools to execute, but (?:I need|it needs) /;
const WAITED_FOR = /^(?:confirmation|user input|external execution)[\w, ]*\.$/;
/** A call by which code answers, and what is in it: as one expression, it takes half a minute to be proved linear. */
const CALL = 'final_answer(';
const LITERAL = /'([^'\\\n]*)'\)|"([^"\\\n]*)"\)/y;
/** What stands before that which is told; the shorter ones only behind a thought. */
const TOLD = ['Final Answer:', 'Answer:', 'AI:'];

/**
 * The answer in what a model wrote for a framework that asks it to think aloud and to name its actions (ReAct): what
 * stands behind `Final Answer:` or `Answer:` (CrewAI, LlamaIndex, LangChain), in a blob whose action is that (agents of
 * LangChain that speak JSON), or in a call of `final_answer` (agents of smolagents that write code). Undefined where it
 * names another action, or calls of tools that wait, since nobody is told that. Any other text is the answer as it is.
 * Takes time linear in it.
 */
export function findFinal(text: string): string | undefined {
  const rest = text.trimStart();
  if (isPaused(rest)) return undefined;
  if (!BEGIN.test(rest)) return text;
  if (isDeferred(rest)) return undefined;
  const blob = rest.includes('"action_input"') ? readBlob(rest) : undefined;
  if (blob !== undefined) return blob.isFinal ? blob.input : undefined;
  if (rest.startsWith('```') || rest.startsWith('{')) return text;
  const code = rest.indexOf('<code>');
  return code < 0 ? readLines(rest, text) : readCode(rest.slice(code));
}

function isPaused(text: string): boolean {
  const [begin] = PAUSED.exec(text) ?? [];
  return begin !== undefined && WAITED_FOR.test(text.slice(begin.length));
}

/** What a run of Pydantic AI ends with that waits for tools, or for somebody to approve them. */
function isDeferred(text: string): boolean {
  if (!/^\{\s*"(?:calls|approvals)"/.test(text)) return false;
  const read = readJsonText(text, 'loose');
  if (read.kind !== 'json' || !isJsonObject(read.value)) return false;
  const waiting = [memberOf(read.value, 'calls') ?? null, memberOf(read.value, 'approvals') ?? null];
  return (
    waiting.every(isJsonArray) &&
    waiting.flat().some((call) => isJsonObject(call) && Object.hasOwn(call, 'tool_call_id'))
  );
}

/** Line by line, what comes first: an action, or what is told. */
function readLines(rest: string, whole: string): string | undefined {
  const lines = rest.split('\n').map((line) => line.trimStart());
  const words = rest.startsWith('Thought:') ? TOLD : TOLD.slice(0, 1);
  let isAction = false;
  for (const [n, line] of lines.entries()) {
    if (isAction && line.startsWith('Action Input:')) return undefined;
    if (line !== '') isAction = line.startsWith('Action:');
    const word = words.find((one) => line.startsWith(one));
    if (word !== undefined) return [line.slice(word.length), ...rest.split('\n').slice(n + 1)].join('\n').trim();
  }
  return whole;
}

/** `{"action": …, "action_input": …}`, alone or in a fence, after a thought or not. */
function readBlob(text: string): { readonly isFinal: boolean; readonly input: string | undefined } | undefined {
  const fence = text.indexOf('```');
  const end = text.lastIndexOf('```');
  const fenced = text.slice(fence + 3, end > fence ? end : undefined).replace(/^json/, '');
  const blob = (fence < 0 ? text : fenced).trim();
  const read = blob.startsWith('{') ? readJsonText(blob, 'loose') : undefined;
  if (read?.kind !== 'json' || !isJsonObject(read.value) || Object.keys(read.value).length !== 2) return undefined;
  const [action, input] = [memberOf(read.value, 'action'), memberOf(read.value, 'action_input')];
  if (typeof action !== 'string' || input === undefined) return undefined;
  return { isFinal: action === 'Final Answer', input: typeof input === 'string' ? input : undefined };
}

/** What code gives as the answer, if that is a literal; a value that the code computes is not known. */
function readCode(code: string): string | undefined {
  for (let at = code.indexOf(CALL); at >= 0; at = code.indexOf(CALL, at + 1)) {
    if (/\w/.test(code.charAt(at - 1))) continue;
    LITERAL.lastIndex = at + CALL.length;
    const [, single, double] = LITERAL.exec(code) ?? [];
    if (single !== undefined || double !== undefined) return single ?? double;
  }
  return undefined;
}
