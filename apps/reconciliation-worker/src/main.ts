import { runService } from '@answer-evidence/runtime';

await runService({ stages: ['reconcile'], firstWorkspace: false });
