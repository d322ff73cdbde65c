import { fixMallocThreshold } from '@answer-evidence/runtime/fix-malloc-threshold';
import { keepCompiled } from '@answer-evidence/runtime/keep-compiled';

fixMallocThreshold();
keepCompiled();
const { runServer } = await import('@answer-evidence/runtime/service');
await runServer(process.argv.slice(2));
