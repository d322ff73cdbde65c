import '../help/before-run.ts';
import { buildConsole } from './build-console.ts';

// Before a start, only what has changed is built, and the service starts without its console if that fails.
const isIfNeeded = process.argv.includes('--if-needed');
const outcome = await buildConsole(process.cwd(), { isIfNeeded, report: (line) => console.error(line) });
if (outcome === 'failed' && !isIfNeeded) process.exitCode = 1;
