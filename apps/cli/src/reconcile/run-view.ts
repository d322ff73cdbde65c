import { FINDING_TYPES, type ReconciliationRun, type RunCounts } from '@answer-evidence/contracts';
import { asFields, asTable, type Block, type Cell } from '../output/blocks.ts';

const NUMBERS = ['references', 'records', 'matched', 'hashes_not_comparable', ...FINDING_TYPES] as const;
type Numbered = (typeof NUMBERS)[number];

const TITLES: Readonly<Record<Numbered, string>> = {
  references: 'references',
  records: 'records',
  matched: 'matched',
  hashes_not_comparable: 'not comparable',
  missing_service: 'missing',
  unexpected_service: 'unexpected',
  late_service: 'late',
  duplicate_reference: 'doubled reference',
  duplicate_service: 'doubled',
  unanchored_service: 'unanchored',
};

/** The sums over all runs that are completed. */
export function sumCounts(runs: readonly ReconciliationRun[]): Readonly<Record<Numbered, number>> {
  const sum = (name: keyof RunCounts) => runs.reduce((total, run) => total + (run.counts?.[name] ?? 0), 0);
  return Object.fromEntries(NUMBERS.map((name) => [name, sum(name)])) as Record<Numbered, number>;
}

/** One table for people: a row a run, and their sums when there is more than one. */
export function viewRuns(runs: readonly ReconciliationRun[], withSums: boolean): Block {
  const rows = runs.map((run): Cell[] => [
    run.window_start,
    run.window_end,
    run.id,
    run.status,
    ...NUMBERS.map((name) => run.counts?.[name] ?? null),
  ]);
  const sums = sumCounts(runs);
  const total: Cell[] = ['all', null, null, null, ...NUMBERS.map((name) => sums[name])];
  return asTable(
    ['from', 'to', 'run', 'status', ...NUMBERS.map((name) => TITLES[name])],
    withSums && runs.length > 1 ? [...rows, total] : rows,
  );
}

/** One run for people. */
export function viewRun(run: ReconciliationRun): Block {
  const { counts, checkpoint, failure } = run;
  return asFields([
    ['run', run.id],
    ['status', run.status],
    ['progress', `${run.progress} %`],
    ['application', run.application_key],
    ['environment', run.environment],
    ['window', `${run.window_start} to ${run.window_end}`],
    ['matched on', run.match_on],
    ['lateness allowed', `${run.max_lateness_seconds} s`],
    ['asked for', run.created_at],
    ['completed', run.completed_at],
    ['may still come until', run.lateness_open_until],
    ['speaks of', checkpoint === null ? null : `the first ${checkpoint.tree_size} leaves of ${checkpoint.origin}`],
    ...(failure === null ? [] : [['failed', `${failure.code}: ${failure.detail}`] as const]),
    ...(counts === null
      ? []
      : Object.entries(counts).map(([name, count]) => [name.replaceAll('_', ' '), count] as const)),
  ]);
}
