import { runService } from '@answer-evidence/runtime';

await runService({ stages: ['evidence'], firstWorkspace: false }, process.argv.slice(2));
