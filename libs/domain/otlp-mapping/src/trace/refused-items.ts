import type { RejectedItem } from '../item/otlp-item.ts';
import { isRefusal } from '../item/refusal.ts';
import type { ReducedItem } from '../read/reduced-item.ts';

/** Items with those marked that are refused by themselves, and why these are. */
type Judged = { readonly items: readonly ReducedItem[]; readonly rejected: readonly RejectedItem[] };

/**
 * Refuses the items whose contents or fields cannot be read. Each is refused once, when it comes, whether its trace is
 * decided then or held; it stays in its place, so that what is below it is a step as before.
 */
export function refuseUnreadable(items: readonly ReducedItem[]): Judged {
  const rejected: RejectedItem[] = [];
  const judged = items.map((item) => {
    const reason = item.isRefused === true ? undefined : findRefusal(item);
    if (reason === undefined) return item;
    rejected.push({ index: item.index, traceId: item.traceId, spanId: item.spanId, reason });
    return refusedOf(item, reason);
  });
  return rejected.length === 0 ? { items, rejected } : { items: judged, rejected };
}

/** An item without what it said, refused for a reason that is told elsewhere. */
export function refusedOf(item: ReducedItem, reason: string, left: ReducedItem = item): ReducedItem {
  const { isModelCall = false, isStep = false } = item.answer ?? {};
  const answer = { content: { reason }, fields: { reason }, isModelCall, isStep };
  return { ...left, message: item.message, answer, asked: null, written: [], reason: null, isRefused: true };
}

/** Fields refuse what is an answer by itself: of a question alone, or of a run, they may not be needed. */
function findRefusal({ answer, marked }: ReducedItem): string | undefined {
  if (answer === null) return undefined;
  const { content, fields } = answer;
  if (isRefusal(content)) return content.reason;
  return isRefusal(fields) && (marked || content.answer !== null) ? fields.reason : undefined;
}
