import { UnreachableError, verifySignature } from '@answer-evidence/client';
import type { TrustFile } from '@answer-evidence/contracts';
import { findStall, type ReadLeaf, readLeaf, readVerified, watchLog } from '@answer-evidence/monitor';
import type { ReadTlog } from '@answer-evidence/verify';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, FINDING_EXIT } from '../exit-codes.ts';
import { formatJsonLine } from '../output/terminal-text.ts';
import { openTlogSource } from '../tlog-source.ts';
import { readKeptFiles } from './kept-files.ts';
import { openLeafFile } from './leaf-file.ts';
import { createReport, formatReport, type Looked, planTelling } from './report.ts';
import type { StateFile } from './state-file.ts';
import type { Webhook } from './webhook.ts';

/** What a monitor was told to do. Times are microseconds. */
export type MonitorPlan = {
  readonly sources: readonly string[];
  readonly trust: TrustFile;
  readonly statePath: string;
  readonly receipts: string | undefined;
  readonly webhook: Webhook | undefined;
  readonly stall: number | null;
  readonly grace: number;
  readonly isJson: boolean;
};

/** What one look at one log may read and take. What is left is read the next time. */
const READ_MAX_BYTES = 268_435_456;
const READ_MAX_MS = 300_000;
/** Beyond these a host is taken for one that cannot be reached: entries are long since left for the next time. */
const GIVE_UP_FACTOR = 2;

/** Looks at every log once, reports, and keeps what was verified. Returns the exit code of the worst that was found. */
export async function runRound(context: Context, state: StateFile, plan: MonitorPlan): Promise<ExitCode> {
  const codes: ExitCode[] = [];
  const { leaves, faults } = await readLeaves(context, plan);
  for (const [n, source] of plan.sources.entries()) {
    const looked = await look(context, state, plan, source, leaves);
    // A file that cannot be read belongs to no log; it is reported with the first.
    const whole = n === 0 ? { ...looked, findings: [...looked.findings, ...faults] } : looked;
    codes.push(...(await tell(context, state, plan, whole)));
  }
  warnOfStrangers(context, state, plan, leaves);
  return worstOf(codes);
}

async function readLeaves({ io }: Context, { receipts }: MonitorPlan) {
  const read = (receipts === undefined ? [] : await readKeptFiles(io, receipts)).map(readLeaf);
  return {
    leaves: read.flatMap((leaf) => ('kind' in leaf ? [] : [leaf])),
    faults: read.flatMap((leaf) => ('kind' in leaf ? [leaf] : [])),
  };
}

async function look(
  context: Context,
  state: StateFile,
  plan: MonitorPlan,
  source: string,
  kept: readonly ReadLeaf[],
): Promise<Looked> {
  const { io } = context;
  const now = io.now();
  const { trust, stall, grace } = plan;
  const known = () => state.state().logs.find((log) => log.source === source);
  const { read, canGoOn } = limitReading(io, await openTlogSource(io, source, context.registry()), source);
  try {
    const places = openLeafFile(io, plan.statePath, source);
    const world = { source, read, trust, verify: verifySignature, now, stall, grace, kept, canGoOn, leaves: places };
    return { source, ...(await watchLog(known(), { ...world, keep: (log) => state.keepLog(log) })) };
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    const log = known();
    const findings = log === undefined ? [] : findStall(log, { now, stall });
    return { source, log, findings, notices: [], unreachable: error.message };
  }
}

/** Counts what is read of a log, whose host is not trusted with this machine's time and disk. */
function limitReading(io: Context['io'], read: ReadTlog, source: string) {
  const start = io.elapsedMs();
  let bytesRead = 0;
  const isWithin = (factor: number) =>
    bytesRead < READ_MAX_BYTES * factor && io.elapsedMs() - start < READ_MAX_MS * factor;
  const limited: ReadTlog = async (path) => {
    if (!isWithin(GIVE_UP_FACTOR)) throw new UnreachableError(source, 'reading the log takes too long', 1, undefined);
    const bytes = await read(path);
    bytesRead += bytes?.length ?? 0;
    return bytes;
  };
  return { read: limited, canGoOn: () => isWithin(1) };
}

/** Prints and posts what a look has found, and only then keeps what it has moved on to. */
async function tell(
  context: Context,
  state: StateFile,
  plan: MonitorPlan,
  looked: Looked,
): Promise<readonly ExitCode[]> {
  const { io } = context;
  const report = await createReport(io, plan.statePath, looked);
  io.stdout.write(plan.isJson ? formatJsonLine(report) : `${formatReport(report)}\n`);
  const codes: ExitCode[] = looked.findings.map(({ kind }) => FINDING_EXIT[kind]);
  if (looked.unreachable !== undefined) codes.push(EXIT.unreachable);
  const telling = planTelling(state.state().reported, looked, io.now());
  const isDue = plan.webhook !== undefined && telling.isDue;
  if (isDue && !(await plan.webhook(formatJsonLine(report)))) {
    context.note('the webhook did not take the report; it is sent again at the next look');
    await state.keepReported(telling.untold);
    return [...codes, EXIT.failed];
  }
  // First the log: what was reported as lost is forgotten by it, and must not be before somebody was told.
  if (looked.log !== undefined) await state.keepLog(looked.log);
  await state.keepReported(isDue ? telling.told : telling.untold);
  return codes;
}

/** Kept leaves that none of the logs can be asked about are not proven by anybody's silence. */
function warnOfStrangers(context: Context, state: StateFile, plan: MonitorPlan, leaves: readonly ReadLeaf[]): void {
  const workspaceOf = (origin: string) => origin.slice(0, origin.lastIndexOf('/'));
  const logs = state.state().logs.filter(({ source }) => plan.sources.includes(source));
  // Nothing is known of a log that was never reached, so nothing is said of what it may hold.
  if (logs.length < plan.sources.length) return;
  const known = new Set(logs.map(({ checkpoint }) => workspaceOf(readVerified(checkpoint).origin)));
  for (const { name, given } of leaves)
    if (!known.has(workspaceOf(given.origin)))
      context.note(`${name} is not checked: it is from ${given.origin}, which is none of the logs`);
}

/** A finding counts for more than a host that could not be reached, and the worst finding has the lowest code. */
function worstOf(codes: readonly ExitCode[]): ExitCode {
  const findings = codes.filter((code) => code > EXIT.unreachable);
  if (findings.length > 0) return Math.min(...findings) as ExitCode;
  return (codes.length === 0 ? EXIT.ok : Math.max(...codes)) as ExitCode;
}
