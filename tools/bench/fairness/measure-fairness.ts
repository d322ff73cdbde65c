import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod';
import { closingAll } from '../closing-all.ts';
import { percentileOf } from '../figures.ts';
import { runSteady } from '../load/run-paced.ts';
import { findPort, readProcessState } from '../machine/read-metrics.ts';
import { runNodeProgram } from '../machine/run-program.ts';
import { APPLICATION_KEY } from '../service/create-body.ts';
import { type BenchService, issueToken, openService } from '../service/open-service.ts';
import { formatAttachedSpans, HOSTILE_LOADS } from './loads.ts';
import { startHostile } from './run-hostile.ts';

/** Creates of the neighbour, each due at its time whatever became of those before. */
const CREATES_PER_SECOND = 20;
const ATTACHED_SPANS = 5_000;
const P99_MS_MAX = 250;
/** When after the last load the memory is looked at, in seconds. */
const SETTLED_SECONDS = [15, 60] as const;
const MIB = 1024 * 1024;

const configFile = z.object({ auth: z.object({ token: z.string() }) });
const createdRecord = z.object({ id: z.string() });

/** Lone creates of one workspace, while a token of another one sends each hostile load; a table. */
export async function measureFairness(seconds: number, progress: (line: string) => void): Promise<string> {
  progress('starting the service with its PostgreSQL, and a second workspace');
  // As it is delivered: its limits are what stands against a load.
  return closingAll(async (opened) => {
    const port = await findPort();
    const service = await openService({ SERVICE_RATE_LIMITS: '', SERVICE_METRICS_PORT: String(port) });
    opened.push(() => service.close());
    const neighbour = await openNeighbour(service);
    const recordId = await createLargeRecord(service);
    await runSteady(neighbour, CREATES_PER_SECOND, seconds);
    const alone = await runSteady(neighbour, CREATES_PER_SECOND, seconds);
    const idle = await readProcessState(port);
    const lines = [`${describe(alone)}  loop ${format(idle.loopMaxMs)}  nobody else`];
    progress(`${lines[0]}; ${describeMemory(idle)}`);
    const target = { baseUrl: service.baseUrl, recordId, token: service.managerToken };
    for (const [number, { name, parallel }] of HOSTILE_LOADS.entries()) {
      const run = await startHostile(number, target);
      const latencies = await runSteady(neighbour, CREATES_PER_SECOND, seconds);
      const { statuses, cores } = await run.stop();
      const state = await readProcessState(port);
      const answered = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
      const line =
        `${describe(latencies)}  loop ${format(state.loopMaxMs)}  ${name}, ${parallel} at a time ` +
        `(${answered.join(', ')}; the load took ${cores.toFixed(2)} of a core; ${describeMemory(state)})`;
      progress(line);
      lines.push(line);
    }
    lines.push(`before all loads ${describeMemory(idle)}`);
    let waited = 0;
    for (const seconds of SETTLED_SECONDS) {
      await delay((seconds - waited) * 1000);
      waited = seconds;
      lines.push(`${seconds} s after all loads ${describeMemory(await readProcessState(port))}`);
    }
    return [`A create of another workspace, ${CREATES_PER_SECOND} in a second, beside:`, ...lines].join('\n');
  });
}

/** The same service as another workspace sees it. */
async function openNeighbour(service: BenchService): Promise<BenchService> {
  const file = join(service.dataDir, 'neighbour.yaml');
  const operator = new URL('../../../apps/operator/src/main.ts', import.meta.url);
  const names = ['--slug', 'neighbour', '--name', 'Neighbour', '--manager', 'manager', '--config', file];
  await runNodeProgram(operator, ['workspace-create', ...names], { SERVICE_DATA_DIR: service.dataDir });
  const { auth } = configFile.parse(parseYaml(await readFile(file, 'utf8')));
  return {
    ...service,
    managerToken: auth.token,
    applicationToken: await issueToken(service.baseUrl, auth.token),
  };
}

/** A record with thousands of traces, whose bundle is large. */
async function createLargeRecord(service: BenchService): Promise<string> {
  const key = 'attached';
  const record = createdRecord.parse(
    JSON.parse(
      await post(service, service.createUrl, 201, {
        application_key: APPLICATION_KEY,
        idempotency_key: key,
        question: { text: 'What is large?' },
        answer: { text: 'This one.' },
      }),
    ),
  );
  const spans = formatAttachedSpans(key, ATTACHED_SPANS);
  await post(service, `${service.createUrl}/otel/v1/traces`, 200, spans);
  return record.id;
}

async function post(service: BenchService, url: string, status: number, body: object): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.managerToken}`, 'Content-Type': 'application/json' },
    body: body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${url} was answered with ${response.status}: ${text}`);
  return text;
}

function describe(latencies: readonly number[]): string {
  const [p50, p99] = [percentileOf(latencies, 0.5), percentileOf(latencies, 0.99)];
  const holds = p99 < P99_MS_MAX ? '   ' : ' NO';
  return `p50 ${format(p50)}  p99 ${format(p99)}${holds}  max ${format(Math.max(...latencies))}`;
}

type Memory = { readonly residentBytes: number; readonly heapBytes: number; readonly bufferBytes: number };

function describeMemory({ residentBytes, heapBytes, bufferBytes }: Memory): string {
  return `${toMib(residentBytes)} resident, ${toMib(heapBytes)} of it heap, ${toMib(bufferBytes)} buffers`;
}

function format(ms: number): string {
  return `${ms.toFixed(1)} ms`.padStart(10);
}

function toMib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}
