import { runWitness } from '@answer-evidence/runtime/witness';

await runWitness(process.argv.slice(2));
