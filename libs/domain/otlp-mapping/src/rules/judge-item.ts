import {
  isScope,
  type OtlpApplicationRules,
  type OtlpRule,
  type RuleReason,
  SPAN_KINDS,
} from '@answer-evidence/contracts';
import { MODEL_RULES } from '../dialects/tables.ts';
import type { ReducedItem } from '../read/reduced-item.ts';
import type { RuleFacts } from './rule-facts.ts';

/** Why rules keep an item from being a record, and the rule of the list that does, from 0. */
export type Verdict = { readonly reason: RuleReason; readonly rule: number | null };

/** What rules see of an item. */
export type Judged = Pick<ReducedItem, 'kind' | 'scopeName' | 'isRoot' | 'hasRemoteParent'> & RuleFacts;

/**
 * Judges an item that is not marked; null where the rules let it be. Only marked items are answers if the rules say so;
 * else what a rule excludes is none; else, if any rule includes, only what one of those matches.
 */
export function judgeItem({ answers, include, exclude }: OtlpApplicationRules, item: Judged): Verdict | null {
  if (answers === 'marked') return { reason: 'not_marked_by_rule', rule: null };
  const excluding = exclude.findIndex((rule) => matchesRule(rule, item));
  if (excluding >= 0) return { reason: 'excluded_by_rule', rule: excluding };
  const isIncluded = include.length === 0 || include.some((rule) => matchesRule(rule, item));
  return isIncluded ? null : { reason: 'not_included_by_rule', rule: null };
}

/** What `operation_name` is compared with. */
const [OPERATION_KEY = ''] = MODEL_RULES.operation;

/** Whether an item is all that a rule names. A log record has no kind and is no root, whichever is named. */
export function matchesRule(rule: OtlpRule, item: Judged): boolean {
  const { kind, scopeName, spanKind, attributes, resource } = item;
  const isFirst = item.isRoot || item.hasRemoteParent === true;
  const find = (name: string) => (attributes.has(name) ? attributes.get(name) : resource.get(name));
  return (
    (rule.scope_name === undefined || isScope(rule.scope_name, scopeName)) &&
    (rule.operation_name === undefined || attributes.get(OPERATION_KEY) === rule.operation_name) &&
    (rule.span_kind === undefined || (spanKind !== null && SPAN_KINDS[spanKind] === rule.span_kind)) &&
    (rule.is_root === undefined || (kind === 'span' && isFirst === rule.is_root)) &&
    (rule.attributes ?? []).every(({ name, value }) => find(name) === value)
  );
}
