import { runService } from '@answer-evidence/runtime';

await runService({ stages: ['workspace', 'ingest'], firstWorkspace: false }, process.argv.slice(2));
