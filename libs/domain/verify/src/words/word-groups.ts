import type { CheckName, Outcome } from '@answer-evidence/contracts';

/** What the checks of a record are about, in the order in which people are told. */
export const WORD_GROUPS = ['text', 'record', 'history', 'log', 'outside'] as const;
export type WordGroup = (typeof WORD_GROUPS)[number];

/** What a group of checks came to. There is no verdict over several groups. */
export type GroupState = 'fails' | 'partly' | 'open' | 'holds' | 'none';

type GroupOf = { readonly checks: readonly CheckName[]; readonly decisive: readonly CheckName[] };

/** Without a decisive check, the others of its group say nothing. */
const GROUPS: Readonly<Record<WordGroup, GroupOf>> = {
  text: { checks: ['question_commitment', 'answer_commitment', 'corrections'], decisive: [] },
  record: {
    checks: ['source_refs', 'semantic_refs', 'trace_refs', 'record_hash', 'evidence_binding'],
    decisive: ['record_hash'],
  },
  history: { checks: ['event_chain', 'event_completeness', 'status_derivation'], decisive: [] },
  log: {
    checks: [
      'leaf_entry',
      'log_order',
      'merkle_inclusion',
      'checkpoint_signature',
      'checkpoint_consistency',
      'receipt',
    ],
    decisive: ['merkle_inclusion', 'checkpoint_signature'],
  },
  outside: { checks: ['reconciliation', 'witness_cosignatures', 'external_anchor', 'anchored'], decisive: [] },
};

/** A check with its outcome. */
export type Decided = { readonly check: string; readonly outcome: Outcome };

/** A group of checks, with what it came to. */
export type GroupedChecks<Check extends Decided> = {
  readonly group: WordGroup;
  readonly state: GroupState;
  readonly checks: readonly Check[];
};

/** The checks of a record by groups; what fails comes first. */
export function groupChecks<Check extends Decided>(checks: readonly Check[]): readonly GroupedChecks<Check>[] {
  const groups = WORD_GROUPS.map((group) => {
    const { checks: names, decisive } = GROUPS[group];
    const own = checks.filter(({ check }) => names.some((name) => name === check));
    return { group, state: stateOf(own, decisive), checks: own };
  });
  return groups.toSorted((a, b) => Number(b.state === 'fails') - Number(a.state === 'fails'));
}

function stateOf(checks: readonly Decided[], decisive: readonly string[]): GroupState {
  // A list of the caller attests nothing; it can only contradict.
  const outcomes = checks
    .filter(({ check, outcome }) => check !== 'reconciliation' || outcome === 'FAIL')
    .map(({ outcome }) => outcome);
  if (outcomes.includes('FAIL')) return 'fails';
  if (checks.some(({ check, outcome }) => outcome === 'SKIP' && decisive.includes(check))) return 'open';
  if (outcomes.includes('PASS')) return outcomes.includes('SKIP') ? 'partly' : 'holds';
  return outcomes.includes('SKIP') ? 'open' : 'none';
}

/** What somebody may say of a record, from less to more. */
export const LEVELS = ['signed', 'witnessed', 'anchored', 'compared'] as const;
export type Level = (typeof LEVELS)[number];

/** Whether it may be said, cannot be told here, or is contradicted by a check. */
export type LevelState = 'said' | 'open' | 'denied';

/** What every level rests on: the record is the one in a tree that a trusted key signed. */
const FOUNDATION = ['record_hash', 'leaf_entry', 'merkle_inclusion', 'checkpoint_signature'];
const LEVEL_CHECKS: Readonly<Record<Level, readonly string[]>> = {
  signed: [],
  witnessed: ['witness_cosignatures'],
  anchored: ['external_anchor'],
  compared: ['reconciliation'],
};

/** What may be said of a record by these checks, level by level. */
export function findLevels(
  checks: readonly Decided[],
): readonly { readonly level: Level; readonly state: LevelState }[] {
  const outcomes = new Map(checks.map(({ check, outcome }) => [check, outcome]));
  return LEVELS.map((level) => {
    const own = [...FOUNDATION, ...LEVEL_CHECKS[level]].map((name) => outcomes.get(name));
    if (own.includes('FAIL')) return { level, state: 'denied' };
    return { level, state: own.every((outcome) => outcome === 'PASS') ? 'said' : 'open' };
  });
}

const URGENCY: readonly Outcome[] = ['FAIL', 'SKIP', 'PASS', 'NA'];

/** Checks for people: those that fail first, then those that are not decided. */
export function sortByUrgency<Check extends { readonly outcome: Outcome }>(checks: readonly Check[]): readonly Check[] {
  return checks.toSorted((a, b) => URGENCY.indexOf(a.outcome) - URGENCY.indexOf(b.outcome));
}
