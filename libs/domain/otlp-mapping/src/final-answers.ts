import { isJsonObject, memberOf, readJsonText } from './json-value.ts';

/**
 * The answer in what a model wrote for a framework that asks it to think aloud and to name its actions (ReAct): what
 * stands behind `Final Answer:` or `Answer:` (CrewAI, LlamaIndex, LangChain), in a blob whose action is that (agents of
 * LangChain that speak JSON), or in a call of `final_answer` (agents of smolagents that write code). Undefined where it
 * names another action, since nobody is told that. Any other text is the answer as it is.
 */
export function findFinal(text: string): string | undefined {
  const rest = text.trimStart();
  if (/^(?:```|\{|Action:|Thought:)/.test(rest)) {
    const blob = readBlob(rest);
    if (blob !== undefined) return blob.isFinal ? blob.input : undefined;
  }
  if (!/^(?:Thought|Action|Final Answer):/.test(rest)) return text;
  const code = /<code>\s*(.*?)\s*(?:<\/code>|$)/s.exec(rest)?.[1];
  if (code !== undefined) return readCode(code);
  const [, said] = /^(?:Thought:.*?\n\s*)?(?:(?:Final )?Answer|AI):\s*(.+)$/s.exec(rest) ?? [];
  const action = /(?:^|\n)\s*Action:[^\n]*\n\s*Action Input:/.exec(rest);
  if (action !== null && (said === undefined || action.index < rest.length - said.length)) return undefined;
  return said?.trim() ?? text;
}

/** `{"action": …, "action_input": …}`, alone or in a fence, after a thought or not. */
function readBlob(text: string): { readonly isFinal: boolean; readonly input: string | undefined } | undefined {
  const [, fenced] = /```(?:json)?\s*(\{.*\})\s*(?:```|$)/s.exec(text) ?? [];
  const blob = fenced ?? (text.startsWith('{') ? text : undefined);
  if (blob === undefined || !blob.includes('"action_input"')) return undefined;
  const read = readJsonText(blob, 'loose');
  if (read.kind !== 'json' || !isJsonObject(read.value) || Object.keys(read.value).length !== 2) return undefined;
  const [action, input] = [memberOf(read.value, 'action'), memberOf(read.value, 'action_input')];
  if (typeof action !== 'string' || input === undefined) return undefined;
  return { isFinal: action === 'Final Answer', input: typeof input === 'string' ? input : undefined };
}

/** What code gives as the answer, if that is a literal; a value that the code computes is not known. */
function readCode(code: string): string | undefined {
  const [, single, double] = /\bfinal_answer\(\s*(?:'([^'\\\n]*)'|"([^"\\\n]*)")\s*\)/.exec(code) ?? [];
  return single ?? double;
}
