import { runWitness } from '@answer-evidence/runtime';

await runWitness(process.argv.slice(2));
