import { fixMallocThreshold } from '@answer-evidence/runtime/fix-malloc-threshold';

fixMallocThreshold();
const { runServer } = await import('@answer-evidence/runtime/service');
await runServer(process.argv.slice(2));
