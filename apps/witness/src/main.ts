import { keepCompiled } from '@answer-evidence/runtime/keep-compiled';

keepCompiled();
const { runWitness } = await import('@answer-evidence/runtime/witness');
await runWitness(process.argv.slice(2));
