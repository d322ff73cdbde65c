import { fixMallocThreshold } from '@answer-evidence/runtime/fix-malloc-threshold';

fixMallocThreshold();
const { runService } = await import('@answer-evidence/runtime');
await runService(
  { stages: ['workspace', 'ingest', 'evidence', 'trust', 'reconcile', 'otlp'], firstWorkspace: true },
  process.argv.slice(2),
);
