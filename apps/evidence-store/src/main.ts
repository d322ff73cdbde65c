import { runService } from '@answer-evidence/runtime';

await runService({ stages: ['evidence'], firstWorkspace: false });
