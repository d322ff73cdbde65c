import { runService } from '@answer-evidence/runtime';

await runService({ stages: ['otlp'], firstWorkspace: false }, process.argv.slice(2));
