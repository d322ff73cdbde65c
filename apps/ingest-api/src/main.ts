import { fixMallocThreshold } from '@answer-evidence/runtime/fix-malloc-threshold';

fixMallocThreshold();
const { runRole } = await import('@answer-evidence/runtime/service');
await runRole('ingest-api', process.argv.slice(2));
