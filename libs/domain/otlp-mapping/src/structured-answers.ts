import type { JsonObject, JsonValue } from '@answer-evidence/contracts';
import { sha256Hex } from '@answer-evidence/digest';
import { canonicalize, EncodingError } from '@answer-evidence/encoding';
import type { Candidate } from './candidates.ts';
import { isJsonObject, readJsonText } from './json-value.ts';
import type { ReducedItem } from './reduced-item.ts';
import { isRefusal } from './refusal.ts';
import { isLater } from './span-order.ts';
import { spanKeyOf, type SpanTree } from './span-tree.ts';

/** An object that a model wrote: as the arguments of a tool that is there for the answer, or as its text. */
export type WrittenObject = { readonly hash: string; readonly text: string };

/** What is longer is no object that somebody is answered with. */
export const OBJECT_LENGTH_MAX = 65_536;

/** The hash of an object's canonical form (RFC 8785), or undefined where it has none. */
export function hashObject(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return undefined;
  try {
    return sha256Hex(canonicalize(value));
  } catch (error) {
    if (error instanceof EncodingError) return undefined;
    throw error;
  }
}

/** An object in JSON; undefined for any other text. */
export function readObject(text: string): JsonObject | undefined {
  if (text.length > OBJECT_LENGTH_MAX || !/^\s*\{/.test(text)) return undefined;
  const read = readJsonText(text, 'loose');
  return read.kind === 'json' && isJsonObject(read.value) ? read.value : undefined;
}

/**
 * Gives an agent or a chain the object that it gives back, where a call of a model below it wrote that very object: in
 * its text, or as the arguments of a tool. It is the answer as a whole, in the model's words.
 */
export function answerByObjects(
  candidates: readonly Candidate[],
  items: readonly ReducedItem[],
  tree: SpanTree,
): readonly Candidate[] {
  const wanted = new Map<string, ReadonlySet<string>>();
  for (const { item, content, isModelCall } of candidates) {
    const key = spanKeyOf(item);
    const isAsking = key !== null && item.kind === 'span' && !item.marked && !isModelCall && !isRefusal(content);
    if (isAsking && content.objects !== undefined) wanted.set(key, new Set(content.objects));
  }
  if (wanted.size === 0) return candidates;
  const found = new Map<string, { readonly text: string; readonly by: ReducedItem }>();
  for (const item of items) {
    for (const { hash, text } of writtenBy(item)) {
      for (const above of tree.ancestorsOf(item)) {
        const known = found.get(above);
        if (wanted.get(above)?.has(hash) !== true) continue;
        if (known === undefined || isLater(item, known.by)) found.set(above, { text, by: item });
      }
    }
  }
  return candidates.map((candidate) => {
    const written = found.get(spanKeyOf(candidate.item) ?? '');
    if (written === undefined || candidate.item.kind !== 'span' || isRefusal(candidate.content)) return candidate;
    const answer = { text: written.text };
    return { ...candidate, content: { ...candidate.content, answer, hasUnreadState: false } };
  });
}

function writtenBy({ answer, written }: ReducedItem): readonly WrittenObject[] {
  const said = answer === null || isRefusal(answer.content) ? undefined : answer.content.answer?.text;
  if (answer?.isModelCall !== true || said === undefined) return written;
  const hash = hashObject(readObject(said) ?? null);
  return hash === undefined ? written : [{ hash, text: said }];
}
