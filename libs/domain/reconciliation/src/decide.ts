import {
  FINDING_TYPES,
  type FindingType,
  type ReconciliationFinding,
  type RunCounts,
} from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { compareBoth, type Comparison } from './compare-hashes.ts';
import { lateBySeconds, type ReconciledRecord, type Reference, type RunRules, searchEnd } from './facts.ts';
import { compareNullable } from './order.ts';

/** What a run came to. */
export type Decision = {
  /** The records read for it, in log order: those of the window, and late ones that a reference names. */
  readonly records: readonly ReconciledRecord[];
  /** In the order of `compareFindings`. */
  readonly findings: readonly ReconciliationFinding[];
  readonly counts: RunCounts;
};

/** Most times that a finding about a repeated reference lists. */
const TIMES_LISTED_MAX = 10;

/**
 * Decides a run. `records` are those of the application and environment below the snapshot's size; others than those
 * created from the window's start to its end and the lateness are not looked at. The order of references and of records
 * decides nothing:
 *
 * - of references with one `reference_id`, the first by time (then by hashes) stands for all;
 * - of the records that it names, it is matched with the first in the log whose hashes do not differ, else with the
 *   first;
 * - statuses decide nothing: a corrected, voided or redacted record was served.
 *
 * Each reference comes to one of: matched, missing, repeated. Each record of the set comes to one of: matched, other
 * hashes than its reference, surplus, unexpected, named by an earlier run.
 */
export function decide(
  rules: RunRules,
  references: readonly Reference[],
  records: readonly ReconciledRecord[],
): Decision {
  const until = searchEnd(rules);
  const named = groupReferences(references);
  const candidates = records
    .filter(({ createdAt }) => rules.windowStart <= createdAt && createdAt < until)
    .sort((a, b) => a.leafIndex - b.leafIndex);
  const isNamed = ({ matchValue }: ReconciledRecord) => matchValue !== null && named.has(matchValue);
  const set = candidates.filter((record) => record.createdAt < rules.windowEnd || isNamed(record));
  const byValue = groupRecords(set);
  const findings: ReconciliationFinding[] = [];
  const counts = { ...NOTHING_COUNTED, references: references.length, records: set.length };
  for (const repetitions of named.values()) {
    const [reference] = repetitions;
    if (reference === undefined) continue;
    counts.repeated_references += repetitions.length - 1;
    if (repetitions.length > 1) findings.push(describeRepeated(repetitions));
    const judged = judgeReference(rules, reference, byValue.get(reference.referenceId) ?? []);
    // One by one: a list of any length cannot be spread into arguments.
    for (const finding of judged.findings) findings.push(finding);
    if (judged.comparison === null) continue;
    if (isDifferent(judged.comparison)) counts.hash_mismatches++;
    else counts.matched++;
    if (!isDifferent(judged.comparison) && isUnclear(judged.comparison)) counts.hashes_not_comparable++;
  }
  for (const record of set) {
    if (isNamed(record)) continue;
    if (record.namedEarlier === null) findings.push(describeUnexpected(rules, record));
    else counts.named_earlier++;
  }
  for (const { type } of findings) counts[type]++;
  return { records: set, findings: findings.sort(compareFindings), counts };
}

/** The order of findings: by type as in `FINDING_TYPES`, then reference, then record; no two are equal. */
export function compareFindings(
  a: Pick<ReconciliationFinding, 'type' | 'reference_id' | 'answer_log_id'>,
  b: Pick<ReconciliationFinding, 'type' | 'reference_id' | 'answer_log_id'>,
): number {
  return (
    FINDING_TYPES.indexOf(a.type) - FINDING_TYPES.indexOf(b.type) ||
    compareNullable(a.reference_id, b.reference_id) ||
    compareNullable(a.answer_log_id, b.answer_log_id)
  );
}

/** Of references with one id, which stands for all: the first by time, then by hashes, none before any. */
export function compareReferences(a: Reference, b: Reference): number {
  return (
    a.occurredAt - b.occurredAt ||
    compareNullable(a.questionHash, b.questionHash) ||
    compareNullable(a.answerHash, b.answerHash)
  );
}

const NOTHING_COUNTED: { -readonly [Name in keyof RunCounts]: number } = {
  references: 0,
  repeated_references: 0,
  records: 0,
  matched: 0,
  hashes_not_comparable: 0,
  hash_mismatches: 0,
  named_earlier: 0,
  missing_service: 0,
  unexpected_service: 0,
  late_service: 0,
  duplicate_reference: 0,
  duplicate_service: 0,
  unanchored_service: 0,
} satisfies Record<FindingType | keyof RunCounts, number>;

function groupReferences(references: readonly Reference[]): ReadonlyMap<string, readonly Reference[]> {
  const groups = new Map<string, Reference[]>();
  for (const reference of references) {
    const group = groups.get(reference.referenceId);
    if (group === undefined) groups.set(reference.referenceId, [reference]);
    else group.push(reference);
  }
  for (const group of groups.values()) group.sort(compareReferences);
  return groups;
}

function groupRecords(records: readonly ReconciledRecord[]): ReadonlyMap<string, readonly ReconciledRecord[]> {
  const groups = new Map<string, ReconciledRecord[]>();
  for (const record of records) {
    if (record.matchValue === null) continue;
    const group = groups.get(record.matchValue);
    if (group === undefined) groups.set(record.matchValue, [record]);
    else group.push(record);
  }
  return groups;
}

/** One reference and the records that it names, in log order. `comparison`: with its own record; null without one. */
function judgeReference(
  rules: RunRules,
  reference: Reference,
  records: readonly ReconciledRecord[],
): { readonly findings: readonly ReconciliationFinding[]; readonly comparison: Comparison | null } {
  const compared = records.map((record) => ({ record, comparison: compareBoth(reference, record) }));
  const own = compared.find(({ comparison }) => !isDifferent(comparison)) ?? compared[0];
  if (own === undefined) return { findings: [describeAbsent(rules, reference)], comparison: null };
  const findings: ReconciliationFinding[] = isDifferent(own.comparison)
    ? [describeMismatch(reference, own.record, own.comparison)]
    : describeMatched(rules, reference, own.record);
  for (const { record, comparison } of compared) {
    if (record !== own.record) findings.push(describeSurplus(reference, record, comparison, own.record.id));
  }
  return { findings, comparison: own.comparison };
}

function isDifferent({ question, answer }: Comparison): boolean {
  return question === 'different' || answer === 'different';
}

function isUnclear({ question, answer }: Comparison): boolean {
  return question === 'not_comparable' || answer === 'not_comparable';
}

function factsOf({ createdAt, status }: ReconciledRecord) {
  return { created_at: formatTimestamp(createdAt), record_status: status };
}

function describeAbsent(rules: RunRules, { referenceId, occurredAt }: Reference): ReconciliationFinding {
  return {
    type: 'missing_service',
    reference_id: referenceId,
    answer_log_id: null,
    detail: {
      reason: 'no_record',
      occurred_at: formatTimestamp(occurredAt),
      provisional: rules.decidedAt < searchEnd(rules),
    },
  };
}

function describeMismatch(
  reference: Reference,
  record: ReconciledRecord,
  comparison: Comparison,
): ReconciliationFinding {
  return {
    type: 'missing_service',
    reference_id: reference.referenceId,
    answer_log_id: record.id,
    detail: {
      reason: 'hash_mismatch',
      occurred_at: formatTimestamp(reference.occurredAt),
      ...factsOf(record),
      fields: (['question', 'answer'] as const).filter((field) => comparison[field] === 'different'),
      referenced: { question: reference.questionHash, answer: reference.answerHash },
      recorded: { question: record.question.hash, answer: record.answer.hash },
    },
  };
}

function describeMatched(rules: RunRules, reference: Reference, record: ReconciledRecord): ReconciliationFinding[] {
  const about = { reference_id: reference.referenceId, answer_log_id: record.id };
  const findings: ReconciliationFinding[] = [];
  const lateBy = lateBySeconds(rules, reference.occurredAt, record.createdAt);
  if (lateBy > 0)
    findings.push({
      type: 'late_service',
      ...about,
      detail: {
        occurred_at: formatTimestamp(reference.occurredAt),
        ...factsOf(record),
        max_lateness_seconds: rules.maxLatenessSeconds,
        late_by_seconds: lateBy,
      },
    });
  if (rules.anchoredTreeSize !== null && record.leafIndex >= rules.anchoredTreeSize)
    findings.push({
      type: 'unanchored_service',
      ...about,
      detail: { ...factsOf(record), leaf_index: record.leafIndex, anchored_tree_size: rules.anchoredTreeSize },
    });
  return findings;
}

function describeSurplus(
  { referenceId }: Reference,
  record: ReconciledRecord,
  comparison: Comparison,
  firstId: string,
): ReconciliationFinding {
  return {
    type: 'duplicate_service',
    reference_id: referenceId,
    answer_log_id: record.id,
    detail: { first_answer_log_id: firstId, ...factsOf(record), ...comparison },
  };
}

function describeRepeated(repetitions: readonly Reference[]): ReconciliationFinding {
  const [first] = repetitions;
  const times = [...new Set(repetitions.map(({ occurredAt }) => occurredAt))].sort((a, b) => a - b);
  return {
    type: 'duplicate_reference',
    reference_id: first?.referenceId ?? '',
    answer_log_id: null,
    detail: {
      times: repetitions.length,
      occurred_at: times.slice(0, TIMES_LISTED_MAX).map(formatTimestamp),
      differ: repetitions.some((other) => first !== undefined && compareReferences(first, other) !== 0),
    },
  };
}

function describeUnexpected(rules: RunRules, record: ReconciledRecord): ReconciliationFinding {
  return {
    type: 'unexpected_service',
    reference_id: null,
    answer_log_id: record.id,
    detail: { match_value: record.matchValue, ...factsOf(record), provisional: rules.decidedAt < rules.windowEnd },
  };
}
