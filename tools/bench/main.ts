import '../help/before-run.ts';
import { writeFile } from 'node:fs/promises';
import { type Bench, openBench } from './bench.ts';
import { closingAll } from './closing-all.ts';
import type { Costs } from './costs.ts';
import { measureFairness } from './fairness/measure-fairness.ts';
import type { Result } from './figures.ts';
import { formatReport } from './format-report.ts';
import { describeMachine } from './machine/describe-machine.ts';
import { findPrograms, MissingProgramError } from './machine/find-programs.ts';
import { measureBytes } from './measurements/bytes.ts';
import { measureConsole } from './measurements/console.ts';
import { measureHalfLoad } from './measurements/half-load.ts';
import { measureLists } from './measurements/lists.ts';
import { measureLoneCreate } from './measurements/lone-create.ts';
import { measureOfflineVerification } from './measurements/offline-verification.ts';
import { measureOtlpDecoding } from './measurements/otlp-decoding.ts';
import { compareSpans } from './measurements/otlp-records.ts';
import { compareRates, measureRates, warmUpCreates } from './measurements/rates.ts';
import { measureReconciliation } from './measurements/reconciliation.ts';
import { measureWords } from './measurements/words.ts';
import { measureObserve } from './observe/measure-observe.ts';
import { type Options, parseOptions, UsageError } from './options.ts';
import { measureProcesses } from './processes/measure-processes.ts';

const EXIT_CANNOT_MEASURE = 2;

async function run(options: Options): Promise<void> {
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  if (options.only.has('bytes')) process.stdout.write(`${await measureBytes(progress)}\n`);
  if (options.only.has('console')) process.stdout.write(`${await measureConsole(progress)}\n`);
  if (options.only.has('fairness')) process.stdout.write(`${await measureFairness(options.roundSeconds, progress)}\n`);
  if (options.only.has('words')) process.stdout.write(`${await measureWords(progress)}\n`);
  if (options.only.has('lists')) process.stdout.write(`${await measureLists(progress)}\n`);
  if (options.only.has('observe')) process.stdout.write(`${await measureObserve(options.rounds, progress)}\n`);
  if (options.only.has('processes')) process.stdout.write(`${await measureProcesses(options, progress)}\n`);
  if ([...options.only].some((one) => typeof one === 'number')) await runNumbered(options);
}

async function runNumbered(options: Options): Promise<void> {
  const programs = findPrograms(process.env['PATH'] ?? '');
  await closingAll(async (opened) => {
    const bench = await openBench(options, programs, (line) => process.stderr.write(`${line}\n`));
    opened.push(() => bench.close());
    const machine = await describeMachine(bench.service.dataDir, bench.service.postgres);
    const { results, costs } = await measure(bench);
    process.stdout.write(`\n${formatReport(machine, results, costs)}\n`);
    if (options.jsonFile !== undefined)
      await writeFile(options.jsonFile, `${JSON.stringify({ machine, results, costs }, null, 2)}\n`);
  });
}

async function measure(
  bench: Bench,
): Promise<{ readonly results: readonly Result[]; readonly costs: readonly Costs[] }> {
  const { only } = bench.options;
  const results: Result[] = [];
  const costs: Costs[] = [];
  await warmUpCreates(bench);
  // The lone ones before the load: after it PostgreSQL still writes back what it left.
  if (only.has(4)) results.push(await measureLoneCreate(bench));
  if (only.has(5)) results.push(await measureOfflineVerification(bench));
  if (only.has(6)) results.push(...measureOtlpDecoding(bench));
  if (only.has(7)) results.push(await measureReconciliation(bench));
  if (only.has(1) || only.has(2) || only.has(3) || only.has(8)) {
    const rates = await measureRates(bench, { noop: only.has(1), raw: only.has(2), spans: only.has(8) });
    const { creates, noop, spans } = rates;
    results.push(...compareRates(rates));
    if (spans !== undefined) results.push(...compareSpans(spans, creates.perSecond));
    costs.push(...[creates, noop, spans].flatMap((rate) => rate?.costs ?? []));
    if (only.has(3)) results.push(await measureHalfLoad(bench, creates.perSecond));
  }
  return { results: results.sort((a, b) => a.number - b.number), costs };
}

try {
  await run(parseOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError) && !(error instanceof MissingProgramError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = EXIT_CANNOT_MEASURE;
}
