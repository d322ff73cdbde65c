import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const LANES = '4';
/** Marked answers of a batch. */
export const MARKED = 38;
const HERE = import.meta.dirname;

/** What speaks OTLP over gRPC or HTTP. */
export type Protocol = 'grpc' | 'http/protobuf';

/** A program that exports batches, one for each language. */
export type Language = 'go' | 'python' | 'java';
const COMMANDS: Readonly<Record<Language, readonly [cwd: string, program: string, ...args: string[]]>> = {
  go: ['go', 'go', 'run', '.'],
  python: ['python', 'uv', 'run', '--quiet', 'send.py'],
  java: ['java', 'mvn', '--quiet', 'compile', 'exec:java'],
};

/** A program that exports until it is told to finish. */
export type Sender = {
  /** Batches that were acknowledged to it, by number. */
  readonly acknowledged: ReadonlySet<number>;
  /** How often an export failed for good, by the exporter's words. */
  readonly failures: ReadonlyMap<string, number>;
  /** Rejects if the program ended with an error. */
  readonly ended: Promise<void>;
  /** Waits for what is under way. */
  finish(): Promise<void>;
  kill(): void;
};

/** Starts a program with the variables that an application is given. */
export function startSender(
  language: Language,
  { endpoint, protocol, token }: { endpoint: string; protocol: Protocol; token: string },
): Sender {
  const [folder, program, ...args] = COMMANDS[language];
  const child = spawn(program, args, {
    cwd: `${HERE}/${folder}`,
    env: {
      ...process.env,
      LANES,
      MARKED: String(MARKED),
      OTEL_SERVICE_NAME: 'support-bot',
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${token}`,
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
    // `go run` and `uv run` start the program as a child of theirs.
    detached: true,
  });
  const acknowledged = new Set<number>();
  const failures = new Map<string, number>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, outcome, batch, words = ''] = /^(acknowledged|failed) (\d+) ?(.*)$/.exec(line) ?? [];
    if (outcome === 'acknowledged') acknowledged.add(Number(batch));
    if (outcome === 'failed') failures.set(shorten(words), (failures.get(shorten(words)) ?? 0) + 1);
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))));
  });
  ended.catch(() => undefined);
  return {
    acknowledged,
    failures,
    ended,
    async finish() {
      child.stdin.end();
      await ended;
    },
    kill: () => killGroup(child),
  };
}

/** Without what differs from one failure to the next. */
function shorten(words: string): string {
  return words.replaceAll(/\d{3,}/g, 'N').slice(0, 160);
}

function killGroup({ pid, exitCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
