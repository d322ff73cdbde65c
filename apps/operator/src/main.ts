import { runOperator } from '@answer-evidence/runtime';

process.exitCode = await runOperator(process.argv.slice(2));
