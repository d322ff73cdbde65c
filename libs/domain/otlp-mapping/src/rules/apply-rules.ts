import type { OtlpApplicationRules, OtlpRules } from '@answer-evidence/contracts';
import { isRefusal } from '../item/refusal.ts';
import type { ReducedItem } from '../read/reduced-item.ts';
import { judgeItem, type Verdict } from './judge-item.ts';
import type { RuleFacts } from './rule-facts.ts';

/** Items as rules leave them, and what the rules say of those that they keep from being records, by their position. */
export type RuledItems = {
  readonly items: readonly ReducedItem[];
  readonly verdicts: ReadonlyMap<number, Verdict>;
};

/**
 * Applies the rules of each application to its items. Marked items are as they were, and so is what others add to an
 * answer: their refs, and their place in the trace. Nothing else reads the rules, so what is kept of an item stays
 * decided by those that were in force when it came.
 */
export function applyRules(
  items: readonly ReducedItem[],
  facts: ReadonlyMap<number, RuleFacts>,
  rules: OtlpRules,
): RuledItems {
  const byApplication = new Map(rules.map((one) => [one.application_key, one]));
  const verdicts = new Map<number, Verdict>();
  if (byApplication.size === 0) return { items, verdicts };
  const ruled = items.map((item): ReducedItem => {
    const of = item.applicationKey === null ? undefined : byApplication.get(item.applicationKey);
    if (of === undefined || item.marked) return item;
    const root = {
      ...(isRootBy(of, item) && { isRoot: true }),
      ...(of.siblings === 'last' && { joinsSiblings: true as const }),
    };
    const known = facts.get(item.index);
    const verdict = known === undefined ? null : judgeItem(of, { ...item, ...known });
    if (verdict === null) return { ...item, ...root, ...mayAnswerBy(of, item) };
    verdicts.set(item.index, verdict);
    return { ...item, ...root, ...mayAnswerBy(of, item), ...leftBy(verdict, item), reason: verdict.reason };
  });
  return { items: ruled, verdicts };
}

/** What other processes call may be what a person asks first, and nothing waits for the caller then. */
function isRootBy({ root_parents: parents }: OtlpApplicationRules, { hasRemoteParent }: ReducedItem): boolean {
  return parents === 'remote' && hasRemoteParent === true;
}

/** Where only marked items are answers, nothing waits for one. */
function mayAnswerBy({ answers }: OtlpApplicationRules, { mayAnswer }: ReducedItem): Pick<ReducedItem, 'mayAnswer'> {
  return { mayAnswer: mayAnswer && answers === 'all' };
}

/** What is left of the contents of an item: of what is not included, what a span above it may take its answer from. */
function leftBy({ reason }: Verdict, { answer, message }: ReducedItem): Pick<ReducedItem, 'answer' | 'message'> {
  const mayServe = reason === 'not_included_by_rule' && answer?.isModelCall === true && !isRefusal(answer.content);
  return mayServe ? { answer: { ...answer, isStep: true }, message } : { answer: null, message: null };
}
