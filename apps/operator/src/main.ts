import { keepCompiled } from '@answer-evidence/runtime/keep-compiled';

keepCompiled();
const { runOperator } = await import('@answer-evidence/runtime/operator');
process.exitCode = await runOperator(process.argv.slice(2));
