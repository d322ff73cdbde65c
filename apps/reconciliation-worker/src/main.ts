import { runService } from '@answer-evidence/runtime';

await runService({ stages: ['reconcile'], firstWorkspace: false }, process.argv.slice(2));
