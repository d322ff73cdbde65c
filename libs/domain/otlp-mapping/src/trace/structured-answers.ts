import { quirksOf } from '../dialects/quirks.ts';
import { isRefusal } from '../item/refusal.ts';
import { hashObject, nameShown, readObject, type WrittenObject } from '../item/written-object.ts';
import type { ReducedItem } from '../read/reduced-item.ts';
import { type Candidate, saidByCall } from './candidates.ts';
import type { KnownTrace } from './known-trace.ts';
import { isLater } from './span-order.ts';
import { spanKeyOf, type SpanTree } from './span-tree.ts';
import { createUntoldCheck } from './untold-states.ts';

/** What a call of a model wrote below what it may be the answer of. */
type Written = { readonly text: string; readonly by: ReducedItem };

/**
 * Gives an agent or a chain the object that it gives back, where a call of a model below it wrote that very object: in
 * its text, or as the arguments of a tool. It is the answer as a whole, in the model's words. If no place of its state
 * is an answer, so is the last text that a call below it wrote and that stands anywhere in the state, such as a draft
 * that another call judged to be good; not where the state has sentences that no call wrote.
 */
export function answerByStates(
  candidates: readonly Candidate[],
  { items, tree, asides }: KnownTrace,
): readonly Candidate[] {
  const asking = candidates.filter(({ item, content, isModelCall }) => {
    const isOther = isModelCall || quirksOf(item.scopeName).namesFields === true;
    return item.kind === 'span' && !item.marked && !isOther && !isRefusal(content);
  });
  const byObject = findWritten(wantedBy(asking, 'objects'), items, tree, objectsOf);
  const byText = findWritten(wantedBy(asking, 'shown'), items, tree, textsOf, asides);
  const isUntold = createUntoldCheck(asking, items);
  return candidates.map((candidate) => {
    const key = spanKeyOf(candidate.item) ?? '';
    if (!byObject.has(key) && isUntold(candidate)) return { ...candidate, isUntold: true };
    const written = byObject.get(key) ?? byText.get(key);
    if (written === undefined || candidate.item.kind !== 'span' || isRefusal(candidate.content)) return candidate;
    const answer = { text: written.text };
    return { ...candidate, content: { ...candidate.content, answer, hasUnreadState: false } };
  });
}

/** What is looked for below candidates, by their spans. */
function wantedBy(asking: readonly Candidate[], member: 'objects' | 'shown'): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    asking.flatMap(({ item, content }) => {
      const key = spanKeyOf(item);
      const names = isRefusal(content) ? undefined : content[member];
      return key === null || names === undefined ? [] : [[key, new Set(names)] as const];
    }),
  );
}

/** The last of what was looked for, by the spans above it; not of what is below an aside of theirs. */
function findWritten(
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
  items: readonly ReducedItem[],
  tree: SpanTree,
  writtenBy: (item: ReducedItem) => readonly WrittenObject[],
  asides: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, Written> {
  const found = new Map<string, Written>();
  if (wanted.size === 0) return found;
  for (const item of items) {
    for (const { hash, text } of writtenBy(item)) {
      for (const above of tree.ancestorsOf(item)) {
        const known = found.get(above);
        const isWanted = wanted.get(above)?.has(hash) === true;
        if (isWanted && (known === undefined || isLater(item, known.by))) found.set(above, { text, by: item });
        if (asides.has(above)) break;
      }
    }
  }
  return found;
}

function objectsOf(item: ReducedItem): readonly WrittenObject[] {
  const said = saidByCall(item);
  if (said === undefined) return item.written;
  const hash = hashObject(readObject(said) ?? null);
  return hash === undefined ? item.written : [{ hash, text: said }];
}

function textsOf(item: ReducedItem): readonly WrittenObject[] {
  const said = item.answer?.isStep === true ? undefined : saidByCall(item);
  return said === undefined ? [] : [{ hash: nameShown(said), text: said }];
}
