import { quirksOf } from '../dialects/quirks.ts';
import type { ReducedItem } from '../read/reduced-item.ts';
import { createSpanTree, spanKeyOf, type SpanTree } from './span-tree.ts';

/** What the passes know of a trace, or of several, beside the candidates that are left. */
export type KnownTrace = {
  readonly items: readonly ReducedItem[];
  readonly tree: SpanTree;
  /** Agents that are checks, or tools, because they are part of another one. */
  readonly nested: ReadonlySet<string>;
  /** Spans of which what runs below answers nobody beside another answer; those nested are among them. */
  readonly asides: ReadonlySet<string>;
  /** Spans of which what runs below answers nobody at all; those nested are among them, and those silenced. */
  readonly checks: ReadonlySet<string>;
  /** What has not come by now never comes. */
  readonly isOver: boolean;
};

/** What is known of items. Where no candidate is among them, no tree is needed: `placed` is empty. */
export function createTrace(
  placed: readonly ReducedItem[],
  items: readonly ReducedItem[],
  isOver: boolean,
): KnownTrace {
  const tree = createSpanTree(placed);
  const nested = findNestedChecks(items, tree);
  const silenced = keysOf(items.filter(({ kind, isSilenced = false }) => kind === 'span' && isSilenced));
  const asides = new Set([...keysOf(items.filter(({ isAside }) => isAside)), ...nested, ...silenced]);
  const checks = new Set([...findInnerChecks(items, tree), ...nested, ...silenced]);
  return { items, tree, nested, asides, checks, isOver };
}

function keysOf(items: readonly ReducedItem[]): readonly string[] {
  return items.flatMap((item) => spanKeyOf(item) ?? []);
}

function findNestedChecks(items: readonly ReducedItem[], tree: SpanTree): ReadonlySet<string> {
  const agents = items.filter(({ isCheckIfNested }) => isCheckIfNested);
  if (agents.length < 2) return new Set();
  const all = new Set(keysOf(agents));
  const tools = items.filter(({ isAside, kind }) => isAside && kind === 'span');
  return new Set(keysOf(agents.filter((item) => tree.isBelow(item, all) || runsWithin(item, [...agents, ...tools]))));
}

/**
 * Whether a span that stands beside others ran while one of them did: the SDK ends an agent before it hands over to
 * another one, so what runs within is part of it.
 */
function runsWithin(item: ReducedItem, others: readonly ReducedItem[]): boolean {
  if (quirksOf(item.scopeName).nestedAgents?.stand !== 'beside') return false;
  const [start, end] = [item.startedAtUnixNano, item.endedAtUnixNano];
  return others.some((other) => {
    if (other.traceId !== item.traceId || other.scopeName !== item.scopeName || other === item) return false;
    const [before, after] = [other.startedAtUnixNano, other.endedAtUnixNano];
    return before <= start && end <= after && (before < start || end < after);
  });
}

/** Checks that are part of an agent or a chain: one that stands alone may wrap the call that it is about. */
function findInnerChecks(items: readonly ReducedItem[], tree: SpanTree): ReadonlySet<string> {
  const checks = items.filter(({ isCheck }) => isCheck);
  if (checks.length === 0) return new Set();
  const outer = new Set(
    items.flatMap((item) => (item.kind === 'span' && item.isOfGenAi && !item.isCheck ? (spanKeyOf(item) ?? []) : [])),
  );
  return new Set(checks.flatMap((item) => (tree.isBelow(item, outer) ? (spanKeyOf(item) ?? []) : [])));
}
