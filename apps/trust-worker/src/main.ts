import { runService } from '@answer-evidence/runtime';

await runService({ stages: ['trust'], firstWorkspace: false }, process.argv.slice(2));
