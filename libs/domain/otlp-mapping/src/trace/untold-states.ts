import { isRefusal } from '../item/refusal.ts';
import { nameShown, readObject, shownNameOf } from '../item/written-object.ts';
import type { ReducedItem } from '../read/reduced-item.ts';
import { findTextsInState } from '../read/state-contents.ts';
import { type Candidate, saidByCall } from './candidates.ts';
import { spanKeyOf, type SpanTree } from './span-tree.ts';

/**
 * Whether the state of a run has a sentence that it was not given, and that no call of a model wrote or was given. It
 * may be what a person was told, in the place of what a model wrote, and only the application knows.
 */
export function createUntoldCheck(
  asking: readonly Candidate[],
  items: readonly ReducedItem[],
): (candidate: Candidate) => boolean {
  const untold = asking.filter((candidate) => madeBy(candidate).length > 0);
  if (untold.length === 0) return () => false;
  const traces = new Set(untold.map(({ item }) => item.traceId));
  const known = new Set(items.filter(({ traceId }) => traces.has(traceId)).flatMap(namesOf));
  const unknown = new Set(
    untold.filter((one) => madeBy(one).some((name) => !known.has(`${one.item.traceId}:${name}`))),
  );
  return (candidate) => unknown.has(candidate);
}

/** Without runs that may have told something else than what models wrote below them, and without that. */
export function withoutUntold(candidates: readonly Candidate[], tree: SpanTree): readonly Candidate[] {
  const untold = candidates.flatMap(({ item, isUntold }) => (isUntold === true ? (spanKeyOf(item) ?? []) : []));
  if (untold.length === 0) return candidates;
  const spans = new Set(untold);
  return candidates.filter((candidate) => {
    return candidate.item.marked || !(candidate.isUntold === true || tree.isBelow(candidate.item, spans));
  });
}

function madeBy({ content }: Candidate): readonly string[] {
  return isRefusal(content) ? [] : (content.made ?? []);
}

/** Names of what an item shows that a model was given or wrote, also within JSON. */
function namesOf(item: ReducedItem): readonly string[] {
  const texts = [saidByCall(item) ?? '', ...item.written.map(({ text }) => text)];
  const within = texts.flatMap((text) => findTextsInState(readObject(withoutFence(text)) ?? []));
  const asked = item.asked === null ? [] : [shownNameOf(item.asked)];
  const names = [...asked, ...[...texts, ...within].map((text) => nameShown(text.trim()))];
  return names.map((name) => `${item.traceId}:${name}`);
}

/** What a model wrote as a block of code, such as JSON. */
function withoutFence(text: string): string {
  const [begin, end] = [text.indexOf('```'), text.lastIndexOf('```')];
  const line = text.indexOf('\n', begin);
  return begin === -1 || line === -1 || end <= line ? text : text.slice(line, end);
}
