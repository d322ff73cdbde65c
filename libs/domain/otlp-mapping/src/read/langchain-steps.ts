import { LANGCHAIN_STEP } from '../dialects/langchain.ts';
import { findSingle } from '../item/attribute-lookup.ts';
import { isJsonObject, memberOf, readJsonText } from '../item/json-value.ts';
import type { OtlpItem } from '../item/otlp-item.ts';
import { holds } from './conditions.ts';
import { findInState, findMessagesInState } from './framework-state.ts';
import type { Place } from './places.ts';
import type { Content } from './read-content.ts';

/** How a middleware of LangChain marks the calls that it makes for itself: to choose tools, to shorten a history. */
const SOURCE = 'lc_source';
/** What a mark stands below in Langfuse, LangSmith and OpenLLMetry; OpenInference and MLflow have it in JSON. */
const PREFIXES = ['langfuse.observation.metadata.', 'langsmith.metadata.', 'traceloop.association.properties.'];
const METADATA = 'metadata';

/** Whether an item is what a middleware of LangChain does for itself, which answers nobody. */
export function isOfMiddleware({ attributes }: OtlpItem): boolean {
  if (attributes.some(({ key }) => key.endsWith(SOURCE) && PREFIXES.includes(key.slice(0, -SOURCE.length))))
    return true;
  const metadata = findSingle(attributes, METADATA);
  if (typeof metadata !== 'string' || !metadata.includes(`"${SOURCE}"`)) return false;
  const read = readJsonText(metadata, 'loose');
  return read.kind === 'json' && isJsonObject(read.value) && typeof memberOf(read.value, SOURCE) === 'string';
}

/**
 * What an item says, and what a middleware of LangChain.js says in the place of a model, if it ends a run: OpenLLMetry
 * shows that by no call. A middleware that changes what a model said beside such a call adds nothing.
 */
export function withEnding(content: Content, own: Place): Content {
  const output = own.lookup.peek('traceloop.entity.output');
  const input = own.lookup.peek('traceloop.entity.input');
  if (content.answer !== null || !holds(LANGCHAIN_STEP, own)) return content;
  if (typeof output !== 'string' || typeof input !== 'string' || !output.includes('"jumpTo"')) return content;
  const [ended, given] = [readJsonText(output, 'loose'), readJsonText(input, 'loose')];
  if (ended.kind !== 'json' || given.kind !== 'json') return content;
  const isEnd = isJsonObject(ended.value) && memberOf(ended.value, 'jumpTo') === 'end';
  const isAfterCall = findMessagesInState(given.value, 'question').at(-1)?.role === 'assistant';
  const answer = isEnd && !isAfterCall ? findInState(ended.value, 'answer') : undefined;
  if (answer === undefined) return content;
  const question = findInState(given.value, 'question');
  return { ...content, question: question === undefined ? null : { text: question }, answer: { text: answer } };
}
