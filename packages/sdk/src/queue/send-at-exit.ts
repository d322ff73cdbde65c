import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import type { ClientOptions } from '@answer-evidence/client';
import { SERVICE_VERSION } from '@answer-evidence/contracts';
import { createAnswerRecord } from '@answer-evidence/contracts/operations';
import { trimSlashes } from '@answer-evidence/encoding';

/** Where requests go that are sent without the client. */
export type Endpoint = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** Answers that a process which can no longer wait has not sent. */
export type Unsent = {
  /** Without one they are lost. */
  readonly endpoint: Endpoint | undefined;
  readonly bodies: readonly string[];
  /** Is told how many of them the service has. */
  settle(sent: number): void;
};

/**
 * How long an end waits: so long after the newest answer that was sent, three times as long while a request is under
 * way. A slow machine or service is waited for, one that is unavailable is not. In all, so long after a signal and
 * where the process cannot notice one; then those who sent it soon kill.
 */
export const END = { idleMs: 5_000, mostMs: 25_000 } as const;

/** Where the client of these options records answers. */
export function createEndpoint({ registry, token = '' }: ClientOptions): Endpoint {
  return {
    url: trimSlashes(registry) + createAnswerRecord.path,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'service-version': SERVICE_VERSION,
    },
  };
}

/** Programs that run `-e` as what follows. Any other, such as an application with Node inside, would begin anew. */
const RUNTIMES = /^(node|nodejs|bun)(\.exe)?$/;

/** Options of Node about the network; others could run what is not meant to run here. */
const OF_NETWORK = /^--(use|no-use|tls|openssl|dns|network|no-network|experimental-network)-[a-z0-9.=-]+$/;

/**
 * Sends what it reads on standard input, four at a time to each endpoint, and writes how many each has. What may pass
 * is tried again.
 */
const PROGRAM = `
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function post(url, headers, body, signal) {
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
  await response.arrayBuffer().catch(() => undefined);
  return response.status;
}
async function send({ url, headers, bodies }, idleMs, mostMs) {
  const left = [...bodies];
  const most = AbortSignal.timeout(mostMs);
  let sent = 0;
  let moved = Date.now();
  let isOver = false;
  const work = async () => {
    for (let failures = 0; left.length > 0 && !isOver && !most.aborted; ) {
      const body = left.shift();
      const signal = AbortSignal.any([most, AbortSignal.timeout(3 * idleMs)]);
      const status = await post(url, headers, body, signal).catch(() => 503);
      if (status < 300) {
        [sent, moved, failures] = [sent + 1, Date.now(), 0];
      } else if (status === 408 || status === 425 || status === 429 || status >= 500) {
        left.push(body);
        isOver ||= Date.now() - moved >= idleMs;
        await sleep(Math.min(100 * 2 ** failures++, 1000));
      }
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return sent;
}
const chunks = [];
process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', async () => {
  const { targets, idleMs, mostMs } = JSON.parse(Buffer.concat(chunks).toString());
  const sent = await Promise.all(targets.map((target) => send(target, idleMs, mostMs)));
  process.stdout.write(JSON.stringify(sent), () => process.exit(0));
});
`;

/**
 * Sends answers while the process waits, by a process of its own, which gets all of it on its standard input. Each has
 * an idempotency key, so one that was being sent makes no second record.
 */
export function sendAtExit(unsent: readonly Unsent[]): void {
  const targets = unsent.filter(({ endpoint }) => endpoint !== undefined);
  const sent = targets.length === 0 || !canStart() ? [] : startSender(targets);
  for (const one of unsent) one.settle(sent[targets.indexOf(one)] ?? 0);
}

function canStart(): boolean {
  return RUNTIMES.test(basename(process.execPath)) && !('electron' in process.versions);
}

/** How many of the answers of each the service has. */
function startSender(targets: readonly Unsent[]): readonly number[] {
  const { NODE_OPTIONS: options = '', ...environment } = process.env;
  const { stdout, status } = spawnSync(process.execPath, [...process.execArgv.filter(isOfNetwork), '-e', PROGRAM], {
    input: JSON.stringify({ ...END, targets: targets.map(({ endpoint, bodies }) => ({ ...endpoint, bodies })) }),
    // It has the `fetch` of the platform only, which follows the proxies of the environment if it is told to.
    env: {
      ...environment,
      NODE_USE_ENV_PROXY: '1',
      NODE_OPTIONS: options.split(/\s+/).filter(isOfNetwork).join(' '),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: END.mostMs + STARTING_MS,
    windowsHide: true,
  });
  return status === 0 ? (JSON.parse(stdout.toString()) as readonly number[]) : [];
}

function isOfNetwork(option: string): boolean {
  return OF_NETWORK.test(option);
}

/** What starting the process may take on top. It ends by itself, and a slow machine needs seconds to begin it. */
const STARTING_MS = 60_000;
