import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findFreePort } from '@answer-evidence/testing';

const PROGRAM = fileURLToPath(new URL('health.mjs', import.meta.url));
const DEADLINE_MS = 60_000;
let folder: string;
const servers: { close(): unknown }[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-health-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await rm(folder, { recursive: true });
});

async function listen(server: Pick<Server, 'listen' | 'address' | 'close'>): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** The exit code, and what the check keeps for the next one. */
async function check(port: number): Promise<readonly [number, readonly string[]]> {
  const env = { ...process.env, SERVICE_METRICS_PORT: String(port), TMPDIR: folder };
  const { code } = await promisify(execFile)(process.execPath, [PROGRAM], { env }).then(
    () => ({ code: 0 }),
    (error: { code: number }) => error,
  );
  return [code, await readdir(folder)];
}

const answering = (readiness: number) =>
  createServer((request, response) => void response.writeHead(request.url === '/readyz' ? readiness : 200).end());

describe('the health check of the image', () => {
  it(
    'tells what serves from what does not, from what has not begun, and from what says nothing',
    async () => {
      expect(await check(await listen(answering(200)))).toEqual([0, []]);
      expect(await check(await listen(answering(503)))).toEqual([1, []]);
      expect(await check(await findFreePort())).toEqual([1, []]);
      // As a process that is stopped: the kernel takes the connection.
      const silent = await listen(createRawServer((socket) => void socket.on('error', () => undefined)) as never);
      expect(await check(silent)).toEqual([1, ['answer-evidence-silent-checks']]);
      // One response, and it begins to count again.
      expect(await check(await listen(answering(503)))).toEqual([1, []]);
    },
    DEADLINE_MS,
  );
});
