import { type Command, Option } from 'commander';
import {
  FINDING_TYPES,
  type FindingType,
  MATCH_FIELDS,
  type MatchField,
  type ReconciliationRun,
} from '@answer-evidence/contracts';
import { formatTimestamp, parseTimestamp, readDateTime } from '@answer-evidence/encoding';
import type { Context } from '../context.ts';
import type { Io } from '../io.ts';
import { collect, parseMoment, parseTime } from '../options.ts';
import { type NamedFindings, nameFindings, viewFindings } from '../reconcile/finding-view.ts';
import { type PlannedWindow, planWindows, type WindowPlan } from '../reconcile/plan-windows.ts';
import { readReferences, type ReferenceOptions, TIME_FORMATS } from '../reconcile/read-references.ts';
import { sumCounts, viewRuns } from '../reconcile/run-view.ts';
import { createRequest, findLastEnd, type RunQuestion, runWindows } from '../reconcile/run-windows.ts';
import { UsageError } from '../usage-error.ts';

type Options = ReferenceOptions & {
  readonly application: string;
  readonly environment?: string;
  readonly matchOn: MatchField;
  readonly from?: string;
  readonly to: string;
  readonly since?: 'last';
  readonly maxLateness?: string;
  readonly ignore: readonly FindingType[];
  readonly wait: boolean;
  readonly timeout: string;
};

/** Options of every command that reads a file of references. */
export function addReferenceOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--format <format>', 'file format; default: by file extension, else JSONL').choices(['jsonl', 'csv']),
    )
    .option('--columns <mapping>', 'column names, such as reference_id=message,occurred_at=asked_at')
    .addOption(
      new Option('--time-format <format>', 'format of the times in the file').choices(TIME_FORMATS).default('rfc3339'),
    );
}

/** `reconcile run`. */
export function addRunCommand(reconcile: Command, context: Context): void {
  const command = reconcile
    .command('run')
    .description('compare your own list with the stored records; exits with status 1 if there are findings')
    .argument('<file>', 'the list: JSONL, or CSV with a header line; - is standard input')
    .requiredOption('--application <key>', 'application that served the answers')
    .option('--environment <name>', 'environment; default: production')
    .addOption(
      new Option('--match-on <field>', 'record field that the list refers to')
        .choices(MATCH_FIELDS)
        .makeOptionMandatory(),
    )
    .option('--from <time>', 'start of the window, inclusive: RFC 3339, or how long ago, such as 24h')
    .option('--to <time>', 'end of the window, exclusive: likewise', 'now')
    .addOption(
      new Option('--since <run>', 'begin where the last completed run ended').choices(['last']).conflicts('from'),
    )
    .option('--max-lateness <time>', 'how much later than the answer a record may be created, such as 10m; default: 5m')
    .addOption(
      new Option('--ignore <type>', 'finding types that do not cause exit status 1; repeatable')
        .choices(FINDING_TYPES)
        .argParser((value: string, before: readonly string[]) => collect(assertFindingType(value), before))
        .default([]),
    )
    .option('--wait', 'wait until the runs are completed (default)', true)
    .option('--no-wait', 'start the runs and return at once')
    .option('--timeout <time>', 'maximum time to wait for all runs', '30m');
  addReferenceOptions(command).action((path: string, options: Options) => run(context, path, options));
}

async function run(context: Context, path: string, options: Options): Promise<void> {
  const question: RunQuestion = {
    application_key: options.application,
    match_on: options.matchOn,
    ...(options.environment === undefined ? {} : { environment: options.environment }),
    ...(options.maxLateness === undefined
      ? {}
      : { max_lateness_seconds: parseTime('--max-lateness', options.maxLateness) }),
  };
  const timeoutMs = parseTime('--timeout', options.timeout) * 1000;
  const to = readTime(context.io, '--to', options.to);
  if (options.from === undefined && options.since === undefined) throw new UsageError('give --from, or --since last');
  const given = options.from === undefined ? undefined : readTime(context.io, '--from', options.from);
  if (given !== undefined && given >= to) throw new UsageError('--from must be before --to');
  const references = await readReferences(context.io, path, options);
  const client = await context.connect();
  const from = given ?? (await lastEnd(client, question));
  if (from >= to) {
    showNothing(context, references.length, []);
    return context.note(`Nothing to do: the last run already covers everything up to ${formatTimestamp(from)}.`);
  }
  const plan = planWindows(references, from, to);
  if (plan.windows.length === 0) return sayEmpty(context, plan, options.since !== undefined);
  assertWaiting(options, plan.windows);
  const runs = options.wait
    ? await runWindows(context.io, client, question, plan.windows, timeoutMs)
    : [await client.reconciliations.create(createRequest(question, firstOf(plan.windows)))];
  const counted = FINDING_TYPES.filter((type) => !options.ignore.includes(type));
  report(context, runs, plan, options, await nameFindings(client, runs, counted));
}

function report(
  context: Context,
  runs: readonly ReconciliationRun[],
  plan: WindowPlan,
  options: Options,
  { found, more }: NamedFindings,
): void {
  const done = runs.filter(({ status }) => status === 'completed');
  const sums = sumCounts(runs);
  const findings = FINDING_TYPES.reduce((total, type) => total + sums[type], 0);
  const counted = FINDING_TYPES.filter((type) => !options.ignore.includes(type));
  const notRun = plan.windows.slice(runs.length).map(formatStretch);
  const notCompared = [...plan.gaps.map(formatStretch), ...notRun];
  context.show({
    json: { runs, totals: sums, findings, found, references_left_out: plan.outside, not_compared: notCompared },
    blocks: () => [viewRuns(runs, true), ...(found.length === 0 ? [] : [viewFindings(found)])],
  });
  for (const { run: id, type, count } of more)
    context.note(`${count} more findings of the type ${type}: reconcile findings ${id} --type ${type}`);
  if (plan.outside > 0) context.note(formatLeftOut(plan.outside));
  for (const { window_start: start, window_end: end } of notCompared)
    context.note(`Not compared: ${start} to ${end}${notRun.length > 0 ? '' : ': no references in this window'}.`);
  for (const { id, status, failure } of runs) {
    if (failure !== null) context.note(`The run ${id} has failed: ${failure.detail}.`);
    else if (options.wait && status !== 'completed')
      context.note(`The run ${id} is still ${status}; see: reconcile show ${id}`);
  }
  for (const { id, lateness_open_until: until } of done)
    if (until !== null) context.note(`Of the run ${id}, missing records may still arrive until ${until}.`);
  const isIncomplete = notCompared.length > 0 || (options.wait && done.length < runs.length);
  if (isIncomplete || counted.some((type) => sums[type] > 0)) context.settle([{ outcome: 'FAIL' }]);
}

/** A quiet night is no fault: the next run since the last one covers it, as long as one window does. */
function sayEmpty(context: Context, plan: WindowPlan, isSinceLast: boolean): void {
  if (!isSinceLast)
    throw new UsageError('no references in the window; a run needs at least one: check --from and --to');
  const stretches = plan.gaps.map(formatStretch);
  showNothing(context, plan.outside, stretches);
  for (const { window_start: start, window_end: end } of stretches)
    context.note(
      `Not compared: ${start} to ${end}: no references in this window. The next run with --since last starts there too.`,
    );
}

/** The result of no run at all, in the form of a result. */
function showNothing(context: Context, leftOut: number, notCompared: readonly object[]): void {
  const nothing = { runs: [], totals: sumCounts([]), findings: 0, found: [], references_left_out: leftOut };
  context.show({ json: { ...nothing, not_compared: notCompared }, blocks: () => [] });
  if (leftOut > 0) context.note(formatLeftOut(leftOut));
}

function formatLeftOut(references: number): string {
  return `${references} references are outside the window and were ignored.`;
}

function assertWaiting(options: Options, windows: readonly PlannedWindow[]): void {
  if (!options.wait && windows.length > 1)
    throw new UsageError(
      `this needs ${windows.length} runs, and each must be completed before the next starts: leave out --no-wait`,
    );
}

function firstOf(windows: readonly PlannedWindow[]): PlannedWindow {
  const [first] = windows;
  if (first === undefined) throw new UsageError('no window');
  return first;
}

async function lastEnd(client: Parameters<typeof findLastEnd>[0], question: RunQuestion): Promise<number> {
  const last = await findLastEnd(client, question);
  if (last === undefined)
    throw new UsageError('there is no completed run of this kind yet: give --from for the first one');
  return parseTimestamp(last);
}

function readTime(io: Io, option: string, text: string): number {
  const read = readDateTime(parseMoment(io, text));
  if ('fault' in read) throw new UsageError(`${option} ${read.fault}; or say how long ago, such as 24h`);
  return read.micros;
}

function formatStretch({ from, to }: { readonly from: number; readonly to: number }) {
  return { window_start: formatTimestamp(from), window_end: formatTimestamp(to) };
}

function assertFindingType(text: string): FindingType {
  const type = FINDING_TYPES.find((known) => known === text);
  if (type === undefined) throw new UsageError(`--ignore must be one of ${FINDING_TYPES.join(', ')}`);
  return type;
}
