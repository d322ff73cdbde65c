import {
  decideItems,
  decideUnfinished,
  linksOf,
  LOST,
  type MappedBatch,
  type ReducedItem,
  splitTrace,
} from '@answer-evidence/otlp-mapping';
import type { TraceName } from '@answer-evidence/ports';
import type { OtlpDeps } from '../deps.ts';
import type { HeldTrace } from './trace-part.ts';

/** How many traces of a workspace may wait, and about how many bytes of them, before others are decided at once. */
const OPEN_TRACES_MAX = 100_000;
const OPEN_BYTES_MAX = 256 * 1024 * 1024;
/** How many traces are asked for by one statement. */
const NAMES_AT_ONCE = 500;
/** How old a count of them may be. */
const USAGE_FRESH_MS = 2_000;

/** What of a request is decided by it alone, and what waits or is needed by what comes later. */
type SortedTraces = {
  readonly decided: MappedBatch;
  readonly held: readonly HeldTrace[];
  /** Traces that were decided as they are, because too many wait. */
  readonly crowdedOut: number;
};

type SortTraces = (
  workspaceId: string,
  items: readonly ReducedItem[],
  /** The application whose items are taken; undefined: any. */
  bound: string | undefined,
) => Promise<SortedTraces>;

/** Sorts the items of a request. */
export function createSortTraces(deps: Pick<OtlpDeps, 'otlp' | 'turn'>): SortTraces {
  const isCrowded = createUsageCheck(deps);

  /** Those traces that are kept. Names are asked for a part at a time: to bind thousands holds up everything else. */
  async function findKnown(workspaceId: string, names: readonly TraceName[]): Promise<ReadonlySet<string>> {
    const known = new Set<string>();
    for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
      if (from > 0) await deps.turn();
      const found = await deps.otlp.findTraces(workspaceId, names.slice(from, from + NAMES_AT_ONCE));
      for (const name of found) known.add(textOf(name));
    }
    return known;
  }

  return async (workspaceId, items, bound) => {
    const traces = [...Map.groupBy(items, ({ traceId }) => traceId).values()].map((of) => ({
      items: of,
      name: nameOf(of, bound),
    }));
    const known = await findKnown(
      workspaceId,
      traces.flatMap(({ name }) => name ?? []),
    );
    const decided: MappedBatch[] = [];
    const held: HeldTrace[] = [];
    let crowdedOut = 0;
    for (const [n, { items: of, name }] of traces.entries()) {
      if (n > 0) await deps.turn();
      if (name === null) decided.push(decideItems(of));
      else if (known.has(textOf(name)) && !(await isCrowded(workspaceId))) {
        const isMarked = of.some(({ marked }) => marked);
        decided.push(isMarked ? decideItems(of) : decideItems([]));
        const isRipe =
          isMarked || splitTrace(of).waiting.length < of.length || of.some(({ message }) => message !== null);
        held.push({ ...name, items: isMarked ? of.map(linksOf) : of, isOpen: true, isRipe });
      } else {
        const split = splitTrace(of);
        const isKept = split.waiting.length > 0 || mayHaveMore(of, split.decided);
        const isCrowdedOut = isKept && (await isCrowded(workspaceId));
        const mustDecide = isCrowdedOut && split.waiting.length > 0;
        decided.push(mustDecide ? decideUnfinished(of) : split.decided);
        if (mustDecide) crowdedOut += 1;
        if (isKept && !isCrowdedOut) held.push({ ...name, ...partOf(of, split.waiting, split.decided), isRipe: false });
      }
    }
    return { decided: merge(decided), held, crowdedOut };
  };
}

/**
 * What of a trace is kept: what waits, and of the rest where it stands, and whether it made a record. While something
 * waits, nobody was told of what is no answer: it keeps its reason, for the case that the trace leaves no record.
 */
export function partOf(items: readonly ReducedItem[], waiting: readonly ReducedItem[], decided: MappedBatch) {
  const open = new Set(waiting);
  const made = new Set(decided.items.map(({ signal, spanId }) => `${signal}:${spanId}`));
  const told = new Set(decided.rejected.map(({ spanId }) => spanId));
  const left = (item: ReducedItem): ReducedItem => {
    const links = linksOf(item);
    if (made.has(`${item.kind}:${item.spanId}`)) return { ...links, isRecorded: true };
    const isTold = open.size === 0 || item.isRefused === true || told.has(item.spanId);
    return isTold ? links : { ...links, reason: item.reason ?? (item.answer === null ? null : LOST) };
  };
  return {
    items: items.map((item) => (open.has(item) ? item : left(item))),
    isOpen: items.some((item) => open.has(item)),
  };
}

/** Names a trace whose items may wait: of one application, which the token may send, and with its id. */
function nameOf([first, ...more]: readonly ReducedItem[], bound: string | undefined): TraceName | null {
  if (first === undefined) return null;
  const { applicationKey, traceId } = first;
  if (traceId === null || applicationKey === null || (bound !== undefined && bound !== applicationKey)) return null;
  if (more.some((item) => item.applicationKey !== applicationKey)) return null;
  return [first, ...more].some(({ mayAnswer }) => mayAnswer) ? { applicationKey, traceId } : null;
}

/**
 * Whether what is below a decided answer, or below what rules silence, may come later and must be known as that: not
 * where a lone span was the answer, of which those below name it themselves, nor where marks decide and the root is
 * there.
 */
function mayHaveMore(items: readonly ReducedItem[], { items: answers }: MappedBatch): boolean {
  if (items.some(({ isSilenced }) => isSilenced === true)) return true;
  if (answers.length === 0 || items.length === 1) return false;
  return !items.some(({ marked }) => marked) || !items.some(({ isRoot }) => isRoot);
}

function textOf({ applicationKey, traceId }: TraceName): string {
  return `${applicationKey}\n${traceId}`;
}

function merge(parts: readonly MappedBatch[]): MappedBatch {
  return {
    items: parts.flatMap(({ items }) => items),
    rejected: parts.flatMap(({ rejected }) => rejected),
    ignored: parts.reduce((sum, { ignored }) => sum + ignored, 0),
    droppedAttributes: parts.reduce((sum, { droppedAttributes }) => sum + droppedAttributes, 0),
  };
}

function createUsageCheck(deps: Pick<OtlpDeps, 'otlp'>): (workspaceId: string) => Promise<boolean> {
  const known = new Map<string, { readonly at: number; readonly isFull: Promise<boolean> }>();
  return (workspaceId) => {
    const before = known.get(workspaceId);
    if (before !== undefined && performance.now() - before.at < USAGE_FRESH_MS) return before.isFull;
    const isFull = deps.otlp
      .traceUsage(workspaceId)
      .then(({ count, sizeBytes }) => count >= OPEN_TRACES_MAX || sizeBytes >= OPEN_BYTES_MAX);
    isFull.catch(() => known.delete(workspaceId));
    known.set(workspaceId, { at: performance.now(), isFull });
    return isFull;
  };
}
