import type { Command } from 'commander';
import type { TrustFile } from '@answer-evidence/contracts';
import { MICROS_PER_SECOND, trimSlashes } from '@answer-evidence/encoding';
import { NoteError, parseVkey, parseWitnessPolicy, WitnessPolicyError } from '@answer-evidence/note';
import { resolveRegistry } from '../config.ts';
import type { Context } from '../context.ts';
import { waitFor } from '../io.ts';
import { type MonitorPlan, runRound } from '../monitor/run-round.ts';
import { openStateFile } from '../monitor/state-file.ts';
import { createWebhook } from '../monitor/webhook.ts';
import { parseTime } from '../options.ts';
import { readTrustFile } from '../trust-files.ts';
import { UsageError } from '../usage-error.ts';

type Options = {
  readonly state: string;
  readonly trust: string;
  readonly receipts?: string;
  readonly webhook?: string;
  readonly stall?: string;
  readonly grace: string;
  readonly interval: string;
  readonly once?: true;
  readonly json?: true;
};

/**
 * `monitor`: follows logs from outside, with nothing but a trust file and what it has verified before.
 * `knowsWorkspaces`: a log may be named by its workspace, of the registry that the program works with.
 */
export function addMonitorCommand(program: Command, context: Context, knowsWorkspaces = true): void {
  program
    .command('monitor')
    .description('follow logs from outside and report forks, rollbacks, unknown keys, missing entries and stalls')
    .argument(
      '<log...>',
      `URL of a log such as https://host/tlog/demo, a folder of tiles${knowsWorkspaces ? ', or a workspace' : ''}`,
    )
    .requiredOption('--state <file>', 'file with the verified state; created if missing')
    .requiredOption('--trust <file>', 'trust file with your trusted keys; see `trust export`')
    .option(
      '--receipts <folder>',
      'folder of receipts (.tlog-proof, with .entry) and bundles (.json) that must be in the log',
    )
    .option('--stall <time>', 'report a log that has not grown for this long, such as 24h; default: never')
    .option('--grace <time>', 'how long cosignatures and the leaves of new receipts may take', '1h')
    .option('--interval <time>', 'time between rounds', '60s')
    .option('--once', 'run one round and exit')
    .option('--webhook <url>', 'post new findings to this URL as JSON')
    .option('--json', 'print one JSON object per round and log; the same as --output json')
    .addHelpText(
      'after',
      '\nExit codes: 4 fork; 5 rollback; 6 unknown key; 7 missing entry; 8 missing cosignature; 9 stall;' +
        ' 10 the log does not serve what it signed; 11 a kept file does not hold; 3 host not reached, nothing found;' +
        ' the lowest of 4 to 11 that applies.',
    )
    .action(async (logs: readonly string[], options: Options) => {
      const plan = await readPlan(context, logs, options, knowsWorkspaces);
      const intervalMs = 1000 * parseTime('--interval', options.interval);
      if (intervalMs === 0) throw new UsageError('--interval must be at least 1s');
      const state = await openStateFile(context.io, options.state);
      try {
        for (;;) {
          context.end(await runRound(context, state, plan));
          if (options.once === true) return;
          await waitFor(context.io, intervalMs);
        }
      } finally {
        state.close();
      }
    });
}

async function readPlan(
  context: Context,
  logs: readonly string[],
  options: Options,
  knowsWorkspaces: boolean,
): Promise<MonitorPlan> {
  const { io } = context;
  const trust = await readTrustFile(io, options.trust);
  assertReadable(trust, options.trust);
  const sources: string[] = [];
  for (const log of logs) sources.push(await findSource(context, log, knowsWorkspaces));
  if (options.webhook !== undefined) context.keepSecret(options.webhook);
  return {
    sources: [...new Set(sources)],
    trust,
    statePath: options.state,
    receipts: options.receipts,
    webhook: options.webhook === undefined ? undefined : createWebhook(io, options.webhook),
    stall: options.stall === undefined ? null : MICROS_PER_SECOND * parseTime('--stall', options.stall),
    grace: MICROS_PER_SECOND * parseTime('--grace', options.grace),
    isJson: options.json === true || context.isJson(),
  };
}

const WORKSPACE = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Where a log is read. A workspace is one of the configured registry. */
async function findSource(context: Context, log: string, knowsWorkspaces: boolean): Promise<string> {
  const source = trimSlashes(log);
  if (knowsWorkspaces && WORKSPACE.test(source))
    return `${await resolveRegistry(context.io, context.registry())}/tlog/${source}`;
  if (!/^https?:\/\//.test(source)) return source;
  if (!URL.canParse(source)) throw new UsageError('a log must be a URL, a folder or a workspace');
  const { username, password, search, hash } = new URL(source);
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    throw new UsageError('the URL of a log must have no user name, password, query or fragment');
  return source;
}

/** What a look would stumble over: a key or a policy of the trust file that cannot be read. */
function assertReadable({ logs, witness_policy: policy }: TrustFile, path: string): void {
  try {
    for (const { vkey } of logs.flatMap(({ keys }) => keys)) parseVkey(vkey);
    if (policy !== null) parseWitnessPolicy(policy);
  } catch (error) {
    if (error instanceof NoteError) throw new UsageError(`${path}: a key cannot be read: ${error.message}`);
    if (!(error instanceof WitnessPolicyError)) throw error;
    throw new UsageError(`${path}: the witness policy cannot be read: ${error.message}`);
  }
}
