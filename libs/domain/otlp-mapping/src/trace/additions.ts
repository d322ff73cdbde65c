import { type JsonObject, REFS_MAX } from '@answer-evidence/contracts';
import type { Retrieved } from '../item/prompts.ts';
import type { ReducedItem } from '../read/reduced-item.ts';
import type { Candidate } from './candidates.ts';
import { createFailureCheck } from './failed-runs.ts';
import { spanKeyOf, type SpanTree } from './span-tree.ts';
import { createRefsOf } from './tool-runs.ts';

/** What other items of a trace add to an answer. */
export type Additions = {
  readonly sourceRefs: readonly JsonObject[];
  readonly semanticRefs: readonly JsonObject[];
  readonly retrieved: readonly FoundBy[];
};

/** What was retrieved, and when its span started: nanoseconds, 0 where that is not known. */
type FoundBy = Retrieved & { readonly startedAtUnixNano: bigint };

export const NOTHING_ADDED: Additions = { sourceRefs: [], semanticRefs: [], retrieved: [] };

/** What was added to whom, and the items that added something. */
type Collected = { readonly of: ReadonlyMap<Candidate, Additions>; readonly from: readonly ReducedItem[] };

/** What is collected where nothing adds to anything. */
export const NO_ADDITIONS: Collected = { of: new Map(), from: [] };

/** Documents, models and judgements that items name which are no part of an answer themselves. */
export function collectAdditions(
  items: readonly ReducedItem[],
  answers: readonly Candidate[],
  tree: SpanTree,
): Collected {
  const of = new Map<Candidate, { sourceRefs: JsonObject[]; semanticRefs: JsonObject[]; retrieved: FoundBy[] }>();
  const from: ReducedItem[] = [];
  if (answers.length === 0) return { of, from };
  const own = new Set(answers.flatMap(({ members }) => members));
  const adding = items.filter((item) => {
    const adds = item.sourceRefs.length + item.semanticRefs.length > 0 || item.retrieved !== null;
    return adds && !own.has(item);
  });
  if (adding.length === 0) return { of, from };
  const owners = createOwners(answers, tree);
  const hasFailed = createFailureCheck(items, tree);
  const refsOf = createRefsOf(items, tree);
  for (const item of adding.toSorted(compareStarts)) {
    const [sources, semantics] = [item.sourceRefs, refsOf(item)];
    const to = owners.find(item, hasFailed(item));
    if (to.length === 0) continue;
    from.push(item);
    for (const answer of to) {
      const added = of.get(answer) ?? { sourceRefs: [], semanticRefs: [], retrieved: [] };
      of.set(answer, added);
      if (added.sourceRefs.length < COLLECTED_MAX) added.sourceRefs.push(...sources);
      if (added.semanticRefs.length < COLLECTED_MAX) added.semanticRefs.push(...semantics);
      if (item.retrieved !== null && added.retrieved.length < REFS_MAX) {
        added.retrieved.push({ ...item.retrieved, startedAtUnixNano: item.startedAtUnixNano });
      }
    }
  }
  return { of, from };
}

/** By their start and ids, so that it does not matter in which order they came. */
function compareStarts(a: ReducedItem, b: ReducedItem): number {
  const [startA, startB] = [a.startedAtUnixNano, b.startedAtUnixNano];
  if (startA !== startB) return startA < startB ? -1 : 1;
  const [idA, idB] = [a.spanId ?? '', b.spanId ?? ''];
  return idA < idB ? -1 : idA > idB ? 1 : 0;
}

/** Most answers that one item adds to: thousands of answers and retrievals under one span would be millions of refs. */
const OWNERS_MAX = 8;
/** Refs that are collected for one answer, of which some may be equal. */
const COLLECTED_MAX = 5 * REFS_MAX;

/** Tells whose answer an item adds to. */
type Owners = { find(item: ReducedItem, hasFailed: boolean): readonly Candidate[] };

/**
 * An item below an answer belongs to it. Another one belongs to the answers that share its nearest span above, such as
 * a retrieval beside the call of a model under one request; where no such span is known, to the only answer of its
 * trace. What is part of a run that failed belongs to no answer beside it. A judgement that names the answer's response
 * belongs to that.
 */
function createOwners(answers: readonly Candidate[], tree: SpanTree): Owners {
  const bySpan = new Map<string, Candidate[]>();
  const byTrace = new Map<string, Candidate[]>();
  const below = new Map<string, Candidate[]>();
  const add = (map: Map<string, Candidate[]>, key: string | null, answer: Candidate): void => {
    if (key === null) return;
    const known = map.get(key);
    if (known === undefined) map.set(key, [answer]);
    else known.push(answer);
  };
  for (const answer of answers) {
    add(bySpan, spanKeyOf(answer.item), answer);
    add(byTrace, answer.item.traceId, answer);
    for (const above of tree.ancestorsOf(answer.item)) add(below, above, answer);
  }
  const byResponse = Map.groupBy(answers, ({ item }) => item.responseId);
  const named = (item: ReducedItem): readonly Candidate[] => {
    const found = item.responseId === null ? [] : (byResponse.get(item.responseId) ?? []);
    return found.length > OWNERS_MAX ? [] : found.filter((answer) => answer.item.traceId === item.traceId);
  };
  return {
    find(item, hasFailed) {
      if (item.traceId === null || !byTrace.has(item.traceId)) return [];
      const span = spanKeyOf(item);
      const ways = [...(span === null ? [] : [span]), ...tree.ancestorsOf(item)];
      for (const above of ways) {
        const found = bySpan.get(above) ?? (hasFailed ? undefined : below.get(above));
        if (found !== undefined) return found.length <= OWNERS_MAX ? found : named(item);
      }
      const all = hasFailed ? [] : (byTrace.get(item.traceId) ?? []);
      return all.length === 1 ? all : named(item);
    },
  };
}
