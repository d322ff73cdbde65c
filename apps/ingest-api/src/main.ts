import { fixMallocThreshold } from '@answer-evidence/runtime/fix-malloc-threshold';
import { keepCompiled } from '@answer-evidence/runtime/keep-compiled';

fixMallocThreshold();
keepCompiled();
const { runRole } = await import('@answer-evidence/runtime/service');
await runRole('ingest-api', process.argv.slice(2));
