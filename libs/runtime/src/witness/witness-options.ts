import { parseArgs } from 'node:util';
import { type Config, parseConfig } from '../ground/config.ts';

/** How a witness is started. */
export type WitnessOptions = {
  readonly config: Config;
  /** The name of its key; undefined: the one that the key was made with. */
  readonly name: string | undefined;
  /** The logs that it knows: vkeys given one by one, and a file of them. */
  readonly vkeys: readonly string[];
  readonly logsFile: string | undefined;
};

/** How a witness is called. */
export const WITNESS_USAGE = `npm run witness -- --name witness.example/w1 --log VKEY [--log VKEY] [--logs FILE] [--port N]
    Cosigns the checkpoints of logs that only ever grow.
    In place of the options: SERVICE_WITNESS_NAME, SERVICE_WITNESS_LOGS and SERVICE_HTTP_PORT.`;

/** Beside the service's own ports, so that both can run on one machine as they are. */
const DEFAULTS = { SERVICE_HTTP_PORT: '8090', SERVICE_METRICS_PORT: '9465' };

/** Joins the command line with the environment; what the former says counts. Throws `StartError`. */
export function parseWitnessOptions(
  { name, log = [], logs, port }: WitnessArguments,
  environment: Readonly<Record<string, string | undefined>>,
): WitnessOptions {
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

type WitnessArguments = {
  readonly name?: string | undefined;
  readonly log?: readonly string[] | undefined;
  readonly logs?: string | undefined;
  readonly port?: string | undefined;
};

/** The arguments of the command line, or what is wrong with them. */
export function parseWitnessArguments(args: readonly string[]): WitnessArguments | string {
  const option = { type: 'string' } as const;
  const options = { name: option, log: { ...option, multiple: true }, logs: option, port: option } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    return error instanceof Error ? error.message : 'the arguments are invalid';
  }
}
