import { EXIT } from './exit-codes.ts';
import { followProxies } from './follow-proxies.ts';
import { createProcessIo } from './process-io.ts';
import { runCli } from './run-cli.ts';

const fault = await followProxies(process.env);
if (fault !== undefined) process.stderr.write(`error: ${fault}\n`);
process.exitCode = fault === undefined ? await runCli(process.argv.slice(2), createProcessIo()) : EXIT.usage;
