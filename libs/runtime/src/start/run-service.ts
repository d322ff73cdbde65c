import { parseConfig } from './config.ts';
import { baseUrlOf } from './first-workspace.ts';
import type { Report } from './report.ts';
import { StartError } from './start-error.ts';
import { openService, type RunningService, type ServiceOptions } from './start-service.ts';

const EXIT_FATAL = 70;

/** Runs a service until it is asked to stop: the whole of a server app. */
export async function runService(options: ServiceOptions): Promise<void> {
  const report: Report = (line) => process.stderr.write(`answer-evidence: ${line}\n`);
  // From the first moment: as the first process of a container, one without a handler cannot be asked at all.
  const asked = stopAsked();
  let service: RunningService;
  try {
    const config = parseConfig(process.env);
    service = await openService(config, options, report, (error) => {
      report(`stopping at once: ${error.message}`);
      process.exit(EXIT_FATAL);
    });
    report(`ready at ${baseUrlOf(config, service.port)}`);
    report('nothing outside this machine vouches for this log yet');
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    report(error.message);
    process.exit(1);
  }
  await asked;
  report('stopping: finishing what is in hand');
  try {
    await service.close();
  } catch (error) {
    report(`not everything closed: ${error instanceof Error ? error.message : 'unknown reason'}`);
    process.exit(1);
  }
  process.exit(0);
}

/** Resolves at the first SIGTERM or SIGINT; later ones change nothing, the stop is under way. */
function stopAsked(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
}
