import { baseUrlOf } from './addresses.ts';
import { parseConfig } from './config.ts';
import { restoreFastStrings } from './restore-fast-strings.ts';
import { runUntilAsked } from './run-until-asked.ts';
import { openService, type ServiceOptions } from './start-service.ts';

const EXIT_FATAL = 70;

/** Runs a service until it is asked to stop: the whole of a server app. */
export async function runService(options: ServiceOptions): Promise<void> {
  restoreFastStrings();
  await runUntilAsked('answer-evidence', async (report) => {
    const config = parseConfig(process.env);
    const service = await openService(config, options, report, (error) => {
      report(`stopping at once: ${error.message}`);
      process.exit(EXIT_FATAL);
    });
    report(`ready at ${baseUrlOf(config, service.port)}`);
    if (!service.isAttested) report('nothing outside this machine attests this log yet; see docs/trust.md');
    return service;
  });
}
