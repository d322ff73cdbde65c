import { runOperator } from '@answer-evidence/runtime/operator';

process.exitCode = await runOperator(process.argv.slice(2));
