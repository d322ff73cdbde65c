import { parseArgs } from 'node:util';
import { type Config, parseConfig } from '../start/config.ts';
import { StartError } from '../start/start-error.ts';

/** How a witness is started. */
export type WitnessOptions = {
  readonly config: Config;
  /** The name of its key; undefined: the one that the key was made with. */
  readonly name: string | undefined;
  /** The logs that it knows: vkeys given one by one, and a file of them. */
  readonly vkeys: readonly string[];
  readonly logsFile: string | undefined;
};

const USAGE =
  'usage: npm run witness -- --name witness.example/w1 --log VKEY [--log VKEY] [--logs FILE] [--port N]; ' +
  'or set SERVICE_WITNESS_NAME, SERVICE_WITNESS_LOGS and SERVICE_HTTP_PORT';

/** Beside the service's own ports, so that both can run on one machine as they are. */
const DEFAULTS = { SERVICE_HTTP_PORT: '8090', SERVICE_METRICS_PORT: '9465' };

/** Reads the command line and the environment; what the former says counts. Throws `StartError`. */
export function parseWitnessOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): WitnessOptions {
  const { name, log = [], logs, port } = parseArguments(args);
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const config = parseConfig({ ...DEFAULTS, ...given, ...(port === undefined ? {} : { SERVICE_HTTP_PORT: port }) });
  return {
    config,
    name: name ?? config.SERVICE_WITNESS_NAME,
    vkeys: log,
    logsFile: logs ?? config.SERVICE_WITNESS_LOGS,
  };
}

function parseArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        name: { type: 'string' },
        log: { type: 'string', multiple: true },
        logs: { type: 'string' },
        port: { type: 'string' },
      },
    }).values;
  } catch {
    throw new StartError(USAGE);
  }
}
