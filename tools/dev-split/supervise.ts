/** The process that runs an installation: `main.ts` starts it with the folder and the options, apart from itself. */
import { SplitFailure } from './failure.ts';
import { type Installation, openInstallation, type StartOptions } from './installation.ts';
import { readProcess, readState, removeState, writeState } from './state.ts';

const [folder = '', words = '{}'] = process.argv.slice(2);
const options = JSON.parse(words) as StartOptions;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

let installation: Installation | undefined;
const asked = new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
});

try {
  endLeftovers();
  write();
  installation = await openInstallation(folder, options, { say, onEnd: write });
  write();
  say(`ready at ${installation.url}`);
  await asked;
  say('stopping');
  await installation.close();
  removeState(folder);
  process.exit(0);
} catch (error) {
  if (!(error instanceof SplitFailure)) throw error;
  say(`cannot start: ${error.message}`);
  process.exit(1);
}

function write(): void {
  const { pid } = process;
  const isReady = installation !== undefined;
  writeState(folder, { pid, isReady, url: installation?.url ?? '', parts: installation?.parts() ?? [] });
}

/** Ends the processes of a supervisor that was killed: only those that began when it wrote them down. */
function endLeftovers(): void {
  for (const { pid, since } of readState(folder)?.parts ?? [])
    if (pid !== undefined && since !== undefined && readProcess(pid, 'lstart') === since) {
      say(`ending process ${pid}, which an earlier start left behind`);
      process.kill(pid, 'SIGTERM');
    }
}
