import { setTimeout } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { type Cost, costOf, type Costs, createCosts, formatCost } from '../costs.ts';
import { createFigure, type Figure, type Result } from '../figures.ts';
import { createMarkedBatches } from '../load/marked-batches.ts';
import { cpuBetween, readCpu } from '../machine/read-cpu.ts';

const SPANS = 512;
const LANES = 4;
const TARGET = 1.8;
const POLL_MS = 20;

/**
 * Spans that are acknowledged, and records that are in the ledger in the end, of batches of 512 spans in protobuf, the
 * default of OTLP, with texts as long as those of the creates; both against creates over HTTP. The load runs in this
 * process, which takes its part of the machine.
 */
export async function measureOtlpRecords(
  bench: Bench,
  creates: Figure,
): Promise<{ readonly results: readonly Result[]; readonly costs: Costs }> {
  const { rounds, roundSeconds } = bench.options;
  const acknowledged: number[] = [];
  const recorded: number[] = [];
  const costs: Cost[] = [];
  const createBatch = createMarkedBatches(SPANS);
  await measureRound(bench, createBatch, 2);
  for (let round = 1; round <= rounds; round++) {
    const one = await measureRound(bench, createBatch, roundSeconds);
    acknowledged.push(one.acknowledged);
    recorded.push(one.recorded);
    costs.push(one.cost);
    const figures = `${Math.round(one.acknowledged)} acknowledged/s, ${Math.round(one.recorded)} recorded/s`;
    bench.progress(`round ${round} of ${rounds}: spans over OTLP: ${figures}; ${formatCost(one.cost)}`);
  }
  const compare = (name: string, values: readonly number[], target: number | null): Result => {
    const measured = createFigure(name, '/s', values);
    const ratio = measured.median / creates.median;
    return {
      number: 8,
      work: `${name}, batches of ${SPANS}`,
      measured,
      against: creates,
      ratio,
      target: target === null ? 'none' : `≥ ${target}`,
      holds: target === null ? null : ratio >= target,
    };
  };
  return {
    results: [
      compare('spans acknowledged', acknowledged, null),
      compare('records from spans, end to end', recorded, TARGET),
    ],
    costs: createCosts('records from spans', costs),
  };
}

type Round = { readonly acknowledged: number; readonly recorded: number; readonly cost: Cost };

async function measureRound(
  { service }: Bench,
  createBatch: (name: string) => Uint8Array<ArrayBuffer>,
  seconds: number,
): Promise<Round> {
  const before = await service.countLeaves();
  const cpuBefore = readCpu(service.pid, service.postmasterPid);
  const started = performance.now();
  let spans = 0;
  const prefix = service.nextPrefix();
  let batches = 0;
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      while (performance.now() - started < seconds * 1_000) {
        const response = await fetch(`${service.createUrl}/otel/v1/traces`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${service.applicationToken}`, 'Content-Type': 'application/x-protobuf' },
          body: createBatch(`${prefix}-${batches++}`),
        });
        if (response.status === 503) {
          await response.arrayBuffer();
          await setTimeout(POLL_MS);
          continue;
        }
        if (response.status !== 200 || (await response.text()) !== '')
          throw new Error(`a batch of spans was answered ${response.status}`);
        spans += SPANS;
      }
    }),
  );
  const acknowledgedSeconds = (performance.now() - started) / 1_000;
  while ((await service.countLeaves()) - before < spans) await setTimeout(POLL_MS);
  const recordedSeconds = (performance.now() - started) / 1_000;
  const cost = costOf(cpuBetween(cpuBefore, readCpu(service.pid, service.postmasterPid)), spans);
  return { acknowledged: spans / acknowledgedSeconds, recorded: spans / recordedSeconds, cost };
}
