import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@answer-evidence/testing';

const PROGRAM = fileURLToPath(new URL('stream-collector-program.ts', import.meta.url));

/** An event as a collector wrote it down. */
type CollectedEvent = { readonly leaf: number; readonly subject: string; readonly event: any };

/** A collector as a process of its own, on one port for ever, that can be killed and started again. */
type StreamCollector = {
  readonly port: number;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** What it has written down so far, in the order in which it came. */
  read(): Promise<readonly CollectedEvent[]>;
};

/** `https`: a collector over HTTP; `syslog`: a receiver over TLS, whose certificate and key are in the folder. */
export async function createCollector(kind: 'https' | 'syslog', folder: string): Promise<StreamCollector> {
  const port = await findFreePort();
  const file = `${folder}/${kind}.events`;
  let child: ChildProcess | undefined;
  return {
    port,
    async start() {
      const started = spawn(process.execPath, [PROGRAM, kind, String(port), file, folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child = started;
      await new Promise<void>((resolve, reject) => {
        started.stdout.once('data', () => resolve());
        started.once('exit', () => reject(new Error('the collector ended')));
      });
    },
    async kill() {
      const killed = child;
      if (killed === undefined) return;
      await new Promise<void>((resolve) => {
        killed.once('exit', () => resolve());
        killed.kill('SIGKILL');
      });
      child = undefined;
    },
    read: async () => parseEvents(await readFile(file, 'utf8').catch(() => '')),
  };
}

/** Whole lines; one may have been cut off when its writer was killed, before it confirmed it. */
export function parseEvents(text: string): readonly CollectedEvent[] {
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      try {
        const event = JSON.parse(line);
        const plain = event.unmapped === undefined ? event : { ...event.unmapped, ...JSON.parse(event.raw_data) };
        return [{ leaf: plain.leaf_index, subject: plain.subject, event }];
      } catch {
        return [];
      }
    });
}

/** Which places of the log, from the first that arrived on, did not arrive; and which arrived after a later one. */
export function judgeArrivals(events: readonly CollectedEvent[], treeSize: number) {
  const arrived = new Set<number>();
  const late: number[] = [];
  const newest = new Map<string, number>();
  for (const { leaf, subject } of events) {
    if (arrived.has(leaf)) continue;
    arrived.add(leaf);
    if (leaf < (newest.get(subject) ?? -1)) late.push(leaf);
    newest.set(subject, leaf);
  }
  const missing = Array.from({ length: treeSize }, (_, leaf) => leaf).filter((leaf) => !arrived.has(leaf));
  return { missing, late };
}
