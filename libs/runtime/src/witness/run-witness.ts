import { listeningUrl } from '../ground/addresses.ts';
import { readSecretFiles } from '../ground/secret-files.ts';
import { asksForHelp, end } from '../start/command-line.ts';
import { runUntilAsked } from '../start/run-until-asked.ts';
import { openWitness } from './open-witness.ts';
import { parseWitnessArguments, parseWitnessOptions, WITNESS_USAGE } from './witness-options.ts';

const PROGRAM = 'witness';

/** Runs a witness until it is asked to stop, or answers `--help`: the whole of its app. */
export async function runWitness(args: readonly string[]): Promise<void> {
  if (asksForHelp(args)) return end(PROGRAM, { exitCode: 0, text: WITNESS_USAGE });
  const given = parseWitnessArguments(args);
  if (typeof given === 'string') return end(PROGRAM, { exitCode: 2, text: `${given}\n${WITNESS_USAGE}` });
  await runUntilAsked(PROGRAM, async (report) => {
    const options = parseWitnessOptions(given, readSecretFiles(process.env));
    const witness = await openWitness(options, report);
    report(`ready at ${listeningUrl(options.config, witness.port)}`);
    return witness;
  });
}
