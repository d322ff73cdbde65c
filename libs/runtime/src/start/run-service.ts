import { baseUrlOf } from './addresses.ts';
import { end, endingOf } from './command-line.ts';
import { parseConfig, SETTINGS } from './config.ts';
import { restoreFastStrings } from './restore-fast-strings.ts';
import { runUntilAsked } from './run-until-asked.ts';
import { openService, type ServiceOptions } from './start-service.ts';

const EXIT_FATAL = 70;

const PROGRAM = 'answer-evidence';

/** Runs a service until it is asked to stop, or answers `--help`: the whole of a server app. */
export async function runService(options: ServiceOptions, args: readonly string[]): Promise<void> {
  const ending = endingOf(args, formatHelp(options));
  if (ending !== undefined) return end(PROGRAM, ending);
  restoreFastStrings();
  await runUntilAsked(PROGRAM, async (report) => {
    const config = parseConfig(process.env);
    const service = await openService(config, options, report, (error) => {
      report(`stopping at once: ${error.message}`);
      process.exit(EXIT_FATAL);
    });
    report(`ready at ${baseUrlOf(config, service.port)}`);
    if (service.grpcPort !== undefined) report(`OTLP over gRPC at port ${service.grpcPort}`);
    if (!service.isAttested) report('nothing outside this machine attests this log yet; see docs/trust.md');
    return service;
  });
}

function formatHelp({ stages }: ServiceOptions): string {
  const settings = Object.entries(SETTINGS).map(([name, { purpose }]) => `  ${name}\n      ${purpose}.`);
  return `Runs the Answer Evidence Service until it is asked to stop. Stages of this program: ${stages.join(', ')}.

Options:
  -h, --help  Print this help.

Environment variables, whose forms and defaults are in docs/configuration.md:
${settings.join('\n')}`;
}
