import { runService } from '@answer-evidence/runtime';

await runService(
  { stages: ['workspace', 'ingest', 'evidence', 'trust', 'reconcile', 'otlp'], firstWorkspace: true },
  process.argv.slice(2),
);
