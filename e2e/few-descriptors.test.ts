import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readToken, type ServiceProcess, startProcess } from '../tools/scenery/service-process.ts';
import { answer } from '../tools/scenery/test-service.ts';
import { openReadyData } from './support/ready-data.ts';

const SILENT = 900;
const PROBES = 20;

let dataDir: string;
const processes: ServiceProcess[] = [];

function start(descriptors: number): ServiceProcess {
  const prefix = ['sh', '-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh'];
  const started = startProcess({ dataDir, prefix, environment: { SERVICE_OTLP_GRPC_PORT: '0' } });
  processes.push(started);
  return started;
}

beforeAll(async () => {
  dataDir = await openReadyData('descriptors');
}, 60_000);
afterAll(async () => {
  for (const one of processes) await one.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('a process that may open few files', () => {
  it('refuses to start with hardly any, and says what to do', async () => {
    const started = start(264);
    expect((await started.exited).code).not.toBe(0);
    expect(started.stderr.join('\n')).toMatch(/may open 264 files and connections, and needs 8448; raise the limit/);
  }, 60_000);

  it('takes fewer connections, says so, and answers beside a crowd of silent ones', async () => {
    const started = start(400);
    const address = new URL(await started.ready);
    expect(started.stderr.join('\n')).toMatch(/warning: this process may open 400 files .* takes 72 connections per/);
    const token = await readToken(dataDir);
    const sockets: Socket[] = [];
    for (let n = 0; n < SILENT; n++) {
      const socket = connect(Number(address.port), address.hostname).on('error', () => undefined);
      sockets.push(socket);
      await once(socket, 'connect');
    }
    const statuses: (number | undefined)[] = [];
    const body = JSON.stringify(answer('beside a crowd'));
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    // Those that came a moment ago are not idle yet, so a client tries again.
    for (let n = 0; statuses.length < PROBES && n < 20 * PROBES; n++) {
      const reply = await fetch(new URL('/api/answer-audit-logs', address), { method: 'POST', headers, body }).catch(
        () => undefined,
      );
      if (reply === undefined) await pause(50);
      else statuses.push(reply.status);
      await reply?.arrayBuffer();
    }
    for (const socket of sockets) socket.destroy();
    expect(statuses).toEqual(Array.from({ length: PROBES }, () => 201));
  }, 60_000);
});
