import { fixMallocThreshold } from '@answer-evidence/runtime/fix-malloc-threshold';

fixMallocThreshold();
const { runService } = await import('@answer-evidence/runtime');
await runService({ stages: ['otlp'], firstWorkspace: false }, process.argv.slice(2));
