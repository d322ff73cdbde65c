import { performance } from 'node:perf_hooks';
import { fileStartError } from '../ground/file-start-error.ts';
import type { Report } from '../ground/report.ts';
import { StartError } from '../ground/start-error.ts';
import { createReport } from './create-report.ts';

type Running = { close(): Promise<void> };

/** Opens what a process is for, runs it until it is asked to stop, and closes it. Reports `StartError` in one line. */
export async function runUntilAsked(program: string, open: (report: Report) => Promise<Running>): Promise<void> {
  const report = createReport(program, process.stderr);
  // From the first moment: as the first process of a container, one without a handler cannot be asked at all.
  const asked = stopAsked();
  ignoreInspectorSignal();
  ignoreFullOutput();
  let running: Running;
  try {
    running = await open(report);
  } catch (error) {
    const told = fileStartError(error);
    if (!(told instanceof StartError)) throw error;
    report(told.message);
    process.exit(1);
  }
  await asked;
  report('stopping: finishing requests in progress');
  try {
    await running.close();
  } catch (error) {
    report(`shutdown was incomplete: ${error instanceof Error ? error.message : 'unknown reason'}`);
    process.exit(1);
  }
  process.exit(0);
}

/** npm passes on what a terminal has sent to everybody: what comes together is one request. */
const TOGETHER_MS = 1_000;

/**
 * Resolves at the first SIGTERM or SIGINT. A later one ends the process at once, whatever it waits for, by the signal
 * itself: an exit would wait for threads, such as one that reads a folder of a server that is gone.
 */
function stopAsked(): Promise<void> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        askedAt ??= performance.now();
        if (performance.now() - askedAt < TOGETHER_MS) return resolve();
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
      });
  });
}

/** The log writes by itself and counts what it loses. What else cannot be written is no reason to end. */
function ignoreFullOutput(): void {
  process.stdout.on('error', () => undefined);
}

/**
 * SIGUSR1 would open Node's inspector, which lets anyone who reaches its port run code in this process. Commands of
 * package.json switch it off before this line is reached, by `--disable-sigusr1`.
 */
function ignoreInspectorSignal(): void {
  process.on('SIGUSR1', () => undefined);
}
