import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import type { ClientOptions } from '@answer-evidence/client';
import { SERVICE_VERSION } from '@answer-evidence/contracts';
import { trimSlashes } from '@answer-evidence/encoding';

/** Where requests go that are sent without the client. */
export type Endpoint = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** Requests that a process which can no longer wait has not sent. */
type LastRequests = Endpoint & {
  readonly bodies: readonly string[];
  readonly timeoutMs: number;
};

/** Where the client of these options records answers. */
export function createEndpoint({ registry, token = '' }: ClientOptions): Endpoint {
  return {
    url: `${trimSlashes(registry)}/api/answer-audit-logs`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'service-version': SERVICE_VERSION,
    },
  };
}

/** Programs that run `-e` as what follows. Any other, such as an application with Node inside, would begin anew. */
const RUNTIMES = /^(node|nodejs|bun)(\.exe)?$/;

/** Sends what it reads on standard input, four at a time, and writes how many the service has. */
const PROGRAM = `
const chunks = [];
process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', async () => {
  const { url, headers, bodies, timeoutMs } = JSON.parse(Buffer.concat(chunks).toString());
  const signal = AbortSignal.timeout(timeoutMs);
  const left = [...bodies];
  let sent = 0;
  const send = async () => {
    for (let body = left.shift(); body !== undefined; body = left.shift()) {
      const request = { method: 'POST', headers, body, redirect: 'manual', signal };
      const response = await fetch(url, request).catch(() => undefined);
      if (response?.ok) sent += 1;
      await response?.arrayBuffer().catch(() => undefined);
    }
  };
  await Promise.all([send(), send(), send(), send()]);
  process.stdout.write(String(sent), () => process.exit(0));
});
`;

/**
 * Sends requests while the process waits, by a process of its own, which gets all of it on its standard input. Each has
 * an idempotency key, so one that was being sent makes no second record. Returns how many the service has.
 */
export function sendAtExit(requests: LastRequests): number {
  if (!RUNTIMES.test(basename(process.execPath)) || 'electron' in process.versions) return 0;
  const { stdout, status } = spawnSync(process.execPath, ['-e', PROGRAM], {
    input: JSON.stringify(requests),
    // It has the `fetch` of the platform only, which follows the proxies of the environment if it is told to.
    env: { ...process.env, NODE_USE_ENV_PROXY: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: requests.timeoutMs + STARTING_MS,
    windowsHide: true,
  });
  return status === 0 ? Number(stdout.toString()) || 0 : 0;
}

/** What starting the process may take on top. */
const STARTING_MS = 1_000;
