import type { Command } from 'commander';
import { verifySignature } from '@answer-evidence/client';
import { type JsonValue, RECONCILIATION_CHECKS, type ReconciliationCore } from '@answer-evidence/contracts';
import { canonicalize, JsonError, parseJson, parseJsonText, parseTimestamp } from '@answer-evidence/encoding';
import type { Reference } from '@answer-evidence/reconciliation';
import { verifyTimestampOver } from '@answer-evidence/rfc3161';
import {
  BundleFormatError,
  readReconciliationProof,
  type ReconciliationVerification,
  verifyReconciliation,
} from '@answer-evidence/verify';
import type { Context } from '../context.ts';
import { addDemandOptions, assertKnownDemands, type DemandOptions } from '../demands.ts';
import { EXIT } from '../exit-codes.ts';
import { readInput } from '../files.ts';
import { collect } from '../options.ts';
import { asChecks, asFields, type Block } from '../output/blocks.ts';
import { piecesOf, readReferences, type ReferenceOptions } from '../reconcile/read-references.ts';
import { readLines } from '../reconcile/read-rows.ts';
import { openLog, verifyWithLog } from '../tlog-source.ts';
import { readTrustFile } from '../trust-files.ts';
import { UsageError } from '../usage-error.ts';
import { addReferenceOptions } from './reconcile-run.ts';

type Options = ReferenceOptions &
  DemandOptions & {
    readonly references: string;
    readonly records: string;
    readonly trust: string;
    readonly findings?: string;
    readonly tlog?: string;
    readonly earlierProof: readonly string[];
    readonly earlierReferences: readonly string[];
  };

/** `reconcile verify`: checks a run's proof against the caller's list, the record set and pins, offline. */
export function addReconcileVerifyCommand(reconcile: Command, context: Context): void {
  const command = reconcile
    .command('verify')
    .description('recompute a run offline and compare it with the log')
    .argument('<proof>', 'proof file, or -')
    .requiredOption(
      '--references <file>',
      'the list that you started the run with; it may cover more time than the run',
    )
    .requiredOption('--records <file>', 'the record set; see `reconcile records`')
    .requiredOption('--trust <file>', 'trust file with your trusted keys; see `trust export`')
    .option('--findings <file>', 'findings as JSONL, to compare too; see `reconcile findings`')
    .option('--tlog <url or folder>', 'log as tlog-tiles, to check that it holds each record of the set')
    .option('--earlier-proof <file>', 'proof of an earlier run that names records of this one; repeatable', collect, [])
    .option('--earlier-references <file>', 'list of the earlier run, in the same order; repeatable', collect, []);
  addDemandOptions(addReferenceOptions(command)).action(async (path: string, options: Options) => {
    const { io } = context;
    assertKnownDemands(options, RECONCILIATION_CHECKS);
    const trust = await readTrustFile(io, options.trust);
    if (options.earlierProof.length !== options.earlierReferences.length)
      throw new UsageError('give --earlier-references once for each --earlier-proof');
    const all = await readReferences(io, options.references, options);
    const findings = options.findings === undefined ? {} : { findings: await readFindings(io, options.findings) };
    try {
      const proof = await readProof(io, path);
      const earlier = await Promise.all(
        options.earlierProof.map(async (file, n) => {
          const value = await readProof(io, file);
          return {
            proof: value,
            references: inWindow(value, await readReferences(io, options.earlierReferences[n] ?? '', options)),
          };
        }),
      );
      const log = options.tlog === undefined ? undefined : await openLog(context, options.tlog, proof);
      const files = { references: inWindow(proof, all), earlier, ...findings };
      const openRecords = await openLines(io, options.records);
      const material = { verifySignature, verifyTimestamp: verifyTimestampOver };
      const { verification, assertRead } = await verifyWithLog(log, (opened) =>
        verifyReconciliation(proof, { ...files, records: openRecords() }, trust, { ...material, ...opened }),
      );
      const core = findCore(proof);
      context.show({ json: verification, blocks: () => viewVerification(verification, core, options.summary) });
      if (files.references.length < all.length)
        context.note(
          `${all.length - files.references.length} of ${all.length} references are outside the window of the run and were not checked.`,
        );
      context.settleDemanded(verification.checks, options);
      if (context.exitCode() === EXIT.ok) assertRead();
    } catch (error) {
      if (!(error instanceof UnreadableProof) && !(error instanceof BundleFormatError)) throw error;
      // Evidence that cannot be read is evidence that failed, not a command that was given wrongly.
      const file = error instanceof UnreadableProof ? error.path : path;
      context.note(`FAIL  ${file} is not the proof of a run: ${error.message}`);
      context.settle([{ outcome: 'FAIL' }]);
    }
  });
}

/** A file that is to hold a proof, and does not hold JSON. */
class UnreadableProof extends Error {
  override readonly name = 'UnreadableProof';
  readonly path: string;

  constructor(path: string, cause: JsonError) {
    super(cause.message, { cause });
    this.path = path;
  }
}

async function readProof(io: Context['io'], path: string): Promise<JsonValue> {
  const bytes = await readInput(io, path);
  try {
    return parseJson(bytes);
  } catch (error) {
    throw error instanceof JsonError ? new UnreadableProof(path, error) : error;
  }
}

/** The references in the run's window: a list may cover more time than one run. All of them if the proof is invalid. */
function inWindow(proof: JsonValue, references: readonly Reference[]): readonly Reference[] {
  const core = findCore(proof);
  if (core === undefined) return references;
  const [from, to] = [parseTimestamp(core.window_start), parseTimestamp(core.window_end)];
  return references.filter(({ occurredAt }) => from <= occurredAt && occurredAt < to);
}

/** What the log holds of a run; nothing of what is no proof, which the verifier says by name. */
function findCore(proof: JsonValue): ReconciliationCore | undefined {
  try {
    const read = readReconciliationProof(proof);
    return read.kind === 'proof' ? read.proof.run.core : undefined;
  } catch (error) {
    if (error instanceof BundleFormatError) return undefined;
    throw error;
  }
}

/** Opens the lines of a file as often as they are wanted; standard input comes once, and is kept. */
async function openLines(io: Context['io'], path: string): Promise<() => AsyncIterable<string>> {
  const kept = path === '-' ? [await io.readStdin()] : undefined;
  return () => readLines(path, kept ?? piecesOf(io, path));
}

async function readFindings(io: Context['io'], path: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of readLines(path, piecesOf(io, path))) lines.push(toCanonical(line));
  return lines;
}

/** Other programs write the same finding with other spaces. */
function toCanonical(line: string): string {
  try {
    return canonicalize(parseJsonText(line));
  } catch {
    return line;
  }
}

function viewVerification(
  { run_id: id, checkpoint, counts, checks, pins }: ReconciliationVerification,
  core: ReconciliationCore | undefined,
  isSummary: boolean | undefined,
): readonly Block[] {
  const fields = asFields([
    ['run', id],
    // What was asked for is the caller's to compare: a run may be right and be of less than that.
    ['application', core?.application_key ?? null],
    ['environment', core?.environment ?? null],
    ['window', core === undefined ? null : `${core.window_start} to ${core.window_end}`],
    ['matched on', core?.match_on ?? null],
    ['log', checkpoint?.origin ?? null],
    ['checkpoint', checkpoint === null ? null : `tree size ${checkpoint.tree_size}, root ${checkpoint.root_hash}`],
    ...Object.entries(counts ?? {}).map(([name, count]) => [`decided: ${name.replaceAll('_', ' ')}`, count] as const),
    ...pins.map((pin) => ['pin used', pin] as const),
    ...(pins.length === 0 ? [['pin used', 'none'] as const] : []),
  ]);
  return [fields, asChecks(checks, isSummary)];
}
