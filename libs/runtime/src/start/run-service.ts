import { HeadError } from '@answer-evidence/ports';
import { listeningUrl } from '../ground/addresses.ts';
import { SETTINGS } from '../ground/config.ts';
import { type Role, roleOf, ROLES } from '../ground/roles.ts';
import { STAGE_NAMES, type StageName } from '../ground/stage-names.ts';
import { unwrapMasterKeys } from '../ground/wrapped-master-key.ts';
import { followDatabaseToken } from '../open/platform-grants.ts';
import { restoreFastStrings } from '../v8/restore-fast-strings.ts';
import { end, endingOf } from './command-line.ts';
import { followSecrets } from './follow-secrets.ts';
import { runUntilAsked } from './run-until-asked.ts';
import { parseStages } from './stages/parse-stages.ts';
import { openService } from './start-service.ts';

/** A head cannot be trusted: a person has to look. */
const EXIT_FATAL = 70;
/** The next start decides: the database is on another server. */
const EXIT_AGAIN = 75;

const PROGRAM = 'answer-evidence';

const STAGES_HELP = `
  --stages LIST  Run only these stages: some of ${STAGE_NAMES.join(', ')}.`;

/** Runs the process of a role until it is asked to stop, or answers `--help`: the whole of a server app. */
export async function runRole(role: Role, args: readonly string[]): Promise<void> {
  return run(ROLES[role], args, '');
}

/** Runs the stages that the arguments name, or all of them: the one program of which every role is a form. */
export async function runServer(args: readonly string[]): Promise<void> {
  const given = parseStages(args);
  if (typeof given === 'string') return end(PROGRAM, { exitCode: 2, text: given });
  return run(given.stages, given.rest, STAGES_HELP);
}

async function run(stages: readonly StageName[], args: readonly string[], optionsHelp: string): Promise<void> {
  const ending = endingOf(args, formatHelp(stages, optionsHelp));
  if (ending !== undefined) return end(PROGRAM, ending);
  restoreFastStrings();
  await runUntilAsked(PROGRAM, async (report) => {
    const environment = await unwrapMasterKeys(process.env);
    const { config } = await followDatabaseToken(followSecrets(environment, report).config, report);
    const role = roleOf(stages);
    const service = await openService(
      config,
      { stages, firstWorkspace: role === 'all-in-one' && config.SERVICE_FIRST_WORKSPACE === 'on' },
      report,
      (error) => {
        report(`stopping at once: ${error.message}`);
        process.exit(error instanceof HeadError && error.code === 'server_changed' ? EXIT_AGAIN : EXIT_FATAL);
      },
    );
    // Nobody else knows which one was free.
    if (config.SERVICE_METRICS_PORT === 0) report(`metrics at port ${service.metricsPort}`);
    report(`ready at ${listeningUrl(config, service.port)} as ${role}, stages ${stages.join(', ')}`);
    if (config.SERVICE_BASE_URL !== undefined) report(`callers reach the service at ${config.SERVICE_BASE_URL}`);
    if (service.grpcPort !== undefined) report(`OTLP over gRPC at port ${service.grpcPort}`);
    if (!service.isAttested)
      report('nobody outside vouches for any log yet; run answer-evidence trust witnesses join, and see docs/trust.md');
    return service;
  });
}

function formatHelp(stages: readonly StageName[], optionsHelp: string): string {
  const settings = Object.entries(SETTINGS).map(([name, { purpose }]) => `  ${name}\n      ${purpose}.`);
  return `Runs the Answer Evidence Service until it is asked to stop. Stages: ${stages.join(', ')}.

Options:${optionsHelp}
  -h, --help  Print this help.

Environment variables, whose forms and defaults are in docs/configuration.md:
${settings.join('\n')}`;
}
