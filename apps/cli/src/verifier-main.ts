import { EXIT } from './exit-codes.ts';
import { followProxies } from './follow-proxies.ts';
import { createProcessIo } from './process-io.ts';
import { runVerifier } from './run-verifier.ts';

const fault = await followProxies(process.env);
if (fault !== undefined) process.stderr.write(`error: ${fault}\n`);
process.exitCode = fault === undefined ? await runVerifier(process.argv.slice(2), createProcessIo()) : EXIT.usage;
