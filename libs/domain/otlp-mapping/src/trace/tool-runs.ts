import type { JsonObject } from '@answer-evidence/contracts';
import type { ReducedItem } from '../read/reduced-item.ts';
import { spanKeyOf, type SpanTree } from './span-tree.ts';

/**
 * Tells the refs of an item, in which a tool that ran once is named once: a run below one of the same name and
 * arguments is the same run, as a framework and the client below it both show it. Either may leave the arguments out.
 */
export function createRefsOf(
  items: readonly ReducedItem[],
  tree: SpanTree,
): (item: ReducedItem) => readonly JsonObject[] {
  const refs = new Map(items.flatMap((item) => (item.semanticRefs.some(isRun) ? [[item, item.semanticRefs]] : [])));
  const bySpan = new Map([...refs.keys()].flatMap((item) => (item.kind === 'span' ? [[spanKeyOf(item), item]] : [])));
  if (bySpan.size < 2) return ({ semanticRefs }) => semanticRefs;
  for (const item of bySpan.values()) {
    for (const above of tree.ancestorsOf(item)) {
      const outer = bySpan.get(above);
      if (outer === undefined) continue;
      const [same] = (refs.get(item) ?? []).filter((run) => isRun(run) && findSame(run, refs.get(outer)) !== undefined);
      if (same === undefined) continue;
      const known = findSame(same, refs.get(outer));
      refs.set(item, refs.get(item)?.filter((ref) => ref !== same) ?? []);
      refs.set(outer, refs.get(outer)?.map((ref) => (ref === known ? { ...same, ...known } : ref)) ?? []);
      break;
    }
  }
  return (item) => refs.get(item) ?? item.semanticRefs;
}

const ARGUMENTS = 'arguments_hash';

function isRun({ ref_type: type, step }: JsonObject): boolean {
  return type === 'tool_call' && step === 'executed';
}

function findSame(run: JsonObject, others: readonly JsonObject[] = []): JsonObject | undefined {
  return others.find((one) => {
    const isOpen = run[ARGUMENTS] === undefined || one[ARGUMENTS] === undefined;
    return isRun(one) && one['name'] === run['name'] && (isOpen || one[ARGUMENTS] === run[ARGUMENTS]);
  });
}
