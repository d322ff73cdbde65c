import type { Dialect } from '../dialects/dialect.ts';
import { ENDINGS, METADATA_KEYS, METADATA_PREFIXES, OWN_CALLS } from '../dialects/tables.ts';
import { findSingle } from '../item/attribute-lookup.ts';
import { isJsonObject, memberOf, readJsonText } from '../item/json-value.ts';
import type { OtlpItem } from '../item/otlp-item.ts';
import { holds } from './conditions.ts';
import { findInState, findMessagesInState } from './framework-state.ts';
import type { Place } from './places.ts';
import type { Content } from './read-content.ts';

/** Whether an item is a call that a framework makes for itself, as its metadata say, which answers nobody. */
export function isOwnCall({ attributes }: OtlpItem): boolean {
  return OWN_CALLS.some((mark) => {
    const isMarked = (key: string) => key.endsWith(mark) && METADATA_PREFIXES.includes(key.slice(0, -mark.length));
    return (
      attributes.some(({ key }) => isMarked(key)) || METADATA_KEYS.some((key) => isMarkedIn(key, mark, attributes))
    );
  });
}

function isMarkedIn(key: string, mark: string, attributes: OtlpItem['attributes']): boolean {
  const metadata = findSingle(attributes, key);
  if (typeof metadata !== 'string' || !metadata.includes(`"${mark}"`)) return false;
  const read = readJsonText(metadata, 'loose');
  return read.kind === 'json' && isJsonObject(read.value) && typeof memberOf(read.value, mark) === 'string';
}

/**
 * What an item says, and what a step says in the place of a model, if it ends a run: no call shows that. A step that
 * changes what a model said beside such a call adds nothing.
 */
export function withEnding(content: Content, own: Place): Content {
  const ending = content.answer === null ? ENDINGS.find(({ when }) => holds(when, own)) : undefined;
  return ending === undefined ? content : { ...content, ...readEnding(ending, own) };
}

function readEnding(
  { given, said, member, value }: NonNullable<Dialect['endings']>,
  { lookup }: Place,
): Pick<Content, 'question' | 'answer'> | undefined {
  const [output, input] = [lookup.peek(said), lookup.peek(given)];
  if (typeof output !== 'string' || typeof input !== 'string' || !output.includes(`"${member}"`)) return undefined;
  const [ended, begun] = [readJsonText(output, 'loose'), readJsonText(input, 'loose')];
  if (ended.kind !== 'json' || begun.kind !== 'json') return undefined;
  const isEnd = isJsonObject(ended.value) && memberOf(ended.value, member) === value;
  const isAfterCall = findMessagesInState(begun.value, 'question').at(-1)?.role === 'assistant';
  const answer = isEnd && !isAfterCall ? findInState(ended.value, 'answer') : undefined;
  if (answer === undefined) return undefined;
  const question = findInState(begun.value, 'question');
  return { question: question === undefined ? null : { text: question }, answer: { text: answer } };
}
