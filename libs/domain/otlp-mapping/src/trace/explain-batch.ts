import type { ExplainedItem, OtlpExplanation, OtlpRules } from '@answer-evidence/contracts';
import { MAPPING_VERSION } from '../dialects/mapping-table.ts';
import type { AnswerItem } from '../item/answer-item.ts';
import type { OtlpBatch, OtlpSignal, RejectedItem } from '../item/otlp-item.ts';
import { isOutside } from '../read/ignored-reason.ts';
import { findNames } from '../read/listed-attributes.ts';
import { isNamedId } from '../read/named-ids.ts';
import { type ReducedItem, reduceItems } from '../read/reduced-item.ts';
import { applyRules } from '../rules/apply-rules.ts';
import type { Verdict } from '../rules/judge-item.ts';
import { namedBy, readByRules, type TextRules } from '../rules/read-by-rules.ts';
import { findFacts, type RuleFacts } from '../rules/rule-facts.ts';
import { createFailureCheck } from './failed-runs.ts';
import { LOST, whyUnasked, whyUnread } from './ignored-items.ts';
import { decideItems } from './map-batch.ts';
import { createSpanTree, spanKeyOf } from './span-tree.ts';

const ITEMS_MAX = 1_000;
const NAMES_MAX = 200;
const NAME_LENGTH_MAX = 100;

/** What of a request an explanation is made of. Plain data. */
export type ReadForExplanation = {
  readonly signal: OtlpSignal;
  readonly items: readonly ReducedItem[];
  readonly facts: ReadonlyMap<number, RuleFacts>;
  /** Of the first items. */
  readonly names: readonly Pick<ExplainedItem, 'read' | 'not_read'>[];
  readonly rejected: readonly RejectedItem[];
};

/** Reads what an explanation needs, by the rules that say where texts stand. */
export function readForExplanation(
  { signal, items, rejected }: OtlpBatch,
  rules: readonly TextRules[] = [],
): ReadForExplanation {
  const reduced = readByRules(items, reduceItems(items), rules);
  const named = new Map(rules.map((of) => [of.application_key, namedBy(of)]));
  const names = items.slice(0, ITEMS_MAX).map((item, n) => {
    const { read, notRead } = findNames(item);
    const ruled = named.get(reduced[n]?.applicationKey ?? '') ?? new Set();
    const more = notRead.filter((name) => ruled.has(name));
    return { read: bound([...read, ...more]), not_read: bound(notRead.filter((name) => !ruled.has(name))) };
  });
  return { signal, items: reduced, facts: findFacts(items, reduced), names, rejected };
}

/** The answers among the items that are explained: what they say, and whose they are, is to be judged by the caller. */
export function findExplainedAnswers({ items, facts }: ReadForExplanation, rules: OtlpRules): readonly AnswerItem[] {
  const shown = new Set(items.slice(0, ITEMS_MAX).map(({ index }) => index));
  return decideItems(applyRules(items, facts, rules).items).items.filter(({ index }) => shown.has(index));
}

/**
 * What would become of the items of a request by these rules if nothing else of their traces came. `judged`: why
 * answers are refused that the mapping takes, by their position.
 */
export function explainBatch(
  read: ReadForExplanation,
  rules: OtlpRules,
  judged: ReadonlyMap<number, string> = new Map(),
): OtlpExplanation {
  const { items, verdicts } = applyRules(read.items, read.facts, rules);
  const decided = decideItems(items);
  const answers = new Map(decided.items.map((answer) => [answer.index, answer]));
  const answered = new Set(decided.items.flatMap(({ traceId }) => traceId ?? []));
  const tree = createSpanTree(items);
  const hasFailed = createFailureCheck(items, tree);
  const above = new Set(decided.items.flatMap((answer) => (answer.signal === 'span' ? (spanKeyOf(answer) ?? []) : [])));
  const refusals = new Map([...judged, ...decided.rejected.map(({ index, reason }) => [index, reason] as const)]);

  function judge(item: ReducedItem): Pick<ExplainedItem, 'outcome' | 'reason' | 'detail'> {
    const refusal = refusals.get(item.index);
    if (refusal !== undefined) return { outcome: 'refused', reason: null, detail: refusal };
    const answer = answers.get(item.index);
    if (answer !== undefined)
      return { outcome: 'answer', reason: null, detail: describeLack(answer) ?? describeWarnings(answer) };
    const verdict = verdicts.get(item.index);
    const isAnswered = item.traceId !== null && answered.has(item.traceId);
    const beside = isAnswered && !isOutside(item.reason) ? 'another item of its trace is the answer' : null;
    const detail = verdict === undefined ? (whyUnread(item) ?? beside) : describeVerdict(verdict, item);
    if (item.reason === null && hasFailed(item)) return { outcome: 'ignored', reason: 'failed', detail };
    const mayBeStep = verdict === undefined && !isOutside(item.reason) && item.reason !== 'failed';
    const isBelow = mayBeStep && tree.isBelow(item, above);
    const isStep = isBelow || item.reason === null || item.reason === 'other_operation' || item.answer?.isStep === true;
    const adds =
      item.sourceRefs.length + item.semanticRefs.length > 0 || item.message !== null || item.retrieved !== null;
    if (isAnswered && (isStep || adds))
      return { outcome: 'part', reason: null, detail: verdict === undefined ? null : detail };
    return { outcome: 'ignored', reason: item.reason ?? LOST, detail };
  }

  const explained = read.names.flatMap((names, n): readonly ExplainedItem[] => {
    const item = items[n];
    return item === undefined ? [] : [{ ...placeOf(item), scope_name: item.scopeName, ...judge(item), ...names }];
  });
  const refused = read.rejected.slice(0, ITEMS_MAX).map((item): ExplainedItem => {
    const none = { scope_name: '', reason: null, read: [], not_read: [] };
    return { ...placeOf(item), outcome: 'refused', detail: item.reason, ...none };
  });
  return {
    mapping_version: MAPPING_VERSION,
    signal: read.signal,
    item_count: items.length + read.rejected.length,
    items: [...explained, ...refused].sort((a, b) => a.index - b.index).slice(0, ITEMS_MAX),
  };
}

/** The same where the workspace wants hashes of the ids of people and sessions: those of answers are read then. */
export function showHashedIds(explanation: OtlpExplanation): OtlpExplanation {
  const items = explanation.items.map((item) => {
    if (item.outcome !== 'answer') return item;
    const read = [...item.read, ...item.not_read.filter(isNamedId)];
    return { ...item, read, not_read: item.not_read.filter((name) => !isNamedId(name)) };
  });
  return { ...explanation, items };
}

/** What an answer lacks to become a record by itself. */
function describeLack(given: AnswerItem): string | null {
  const { question, answer } = given;
  const lacks = [...(question === null ? ['a question'] : []), ...(answer === null ? ['an answer'] : [])];
  if (lacks.length === 0) return null;
  const why = whyUnasked(given);
  const lack = `without ${lacks.join(' and ')}: no record is created of it, only attached to one that has its key`;
  return why === undefined ? lack : `${lack}; ${why}`;
}

/** What is left out of an answer that becomes a record. */
function describeWarnings({ warnings }: AnswerItem): string | null {
  return warnings === undefined ? null : warnings.join('; ');
}

/** Rules are counted from 1, as people do. */
function describeVerdict({ reason, rule }: Verdict, { applicationKey, answer }: ReducedItem): string {
  const of = `of the application ${applicationKey ?? ''}`;
  if (reason === 'excluded_by_rule') return `excluded by rule ${(rule ?? 0) + 1} ${of}`;
  if (reason === 'not_marked_by_rule') return `only marked items are answers by the rules ${of}`;
  const serves = answer?.isStep === true ? '; its answer may be that of a span above it' : '';
  return `included by no rule ${of}${serves}`;
}

function placeOf({ index, traceId, spanId }: Pick<ReducedItem, 'index' | 'traceId' | 'spanId'>) {
  return { index, trace_id: traceId, span_id: spanId };
}

function bound(names: readonly string[]): string[] {
  return names.slice(0, NAMES_MAX).map((name) => name.toWellFormed().slice(0, NAME_LENGTH_MAX).toWellFormed());
}
