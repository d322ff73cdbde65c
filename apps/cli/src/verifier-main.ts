import { createProcessIo } from './process-io.ts';
import { runVerifier } from './run-verifier.ts';

process.exitCode = await runVerifier(process.argv.slice(2), createProcessIo());
