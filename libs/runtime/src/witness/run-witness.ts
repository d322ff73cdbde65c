import { baseUrlOf } from '../start/addresses.ts';
import { runUntilAsked } from '../start/run-until-asked.ts';
import { openWitness } from './open-witness.ts';
import { parseWitnessOptions } from './witness-options.ts';

/** Runs a witness until it is asked to stop: the whole of its app. */
export async function runWitness(args: readonly string[]): Promise<void> {
  await runUntilAsked('witness', async (report) => {
    const options = parseWitnessOptions(args, process.env);
    const witness = await openWitness(options, report);
    report(`ready at ${baseUrlOf(options.config, witness.port)}`);
    return witness;
  });
}
