import { setTimeout } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { costOf } from '../costs.ts';
import type { Figure, Result } from '../figures.ts';
import { createMarkedBatches } from '../load/marked-batches.ts';
import { createSender, RefusedError, type Send, SPANS } from '../load/send-request.ts';
import { cpuBetween, readCpu } from '../machine/read-cpu.ts';
import type { Rate, Round } from './round.ts';

const BATCH_SPANS = 512;
const LANES = 4;
const TARGET = 1.8;
const POLL_MS = 20;
/** The thread that reads batches ends when there are none for a while, and compiles what it runs when it is back. */
const WARM_UP_SECONDS = 3;

/**
 * Measures rounds of batches of 512 spans in protobuf, the default of OTLP, with texts as long as those of the creates.
 * The load runs in this process, over plain sockets.
 */
export function openSpans({ service }: Bench): (seconds: number) => Promise<Round> {
  const writers = createMarkedBatches(BATCH_SPANS, LANES);
  const send = createSender(`${service.createUrl}/otel/v1/traces`, service.applicationToken, SPANS, LANES);

  async function sendFor(seconds: number): Promise<number> {
    const ends = performance.now() + seconds * 1_000;
    const prefix = service.nextPrefix();
    let batches = 0;
    let spans = 0;
    await Promise.all(
      writers.map(async (write) => {
        while (performance.now() < ends)
          if (await isTaken(send, write(`${prefix}-${batches++}`))) spans += BATCH_SPANS;
          else await setTimeout(POLL_MS);
      }),
    );
    return spans;
  }

  return async (seconds) => {
    await sendFor(WARM_UP_SECONDS);
    const before = await service.countLeaves();
    const cpuBefore = readCpu(service.pid, service.postmasterPid);
    const started = performance.now();
    const secondsSince = () => (performance.now() - started) / 1_000;
    const spans = await sendFor(seconds);
    const acknowledged = spans / secondsSince();
    while ((await service.countLeaves()) - before < spans) await setTimeout(POLL_MS);
    const perSecond = spans / secondsSince();
    return {
      perSecond,
      acknowledged,
      cost: costOf(cpuBetween(cpuBefore, readCpu(service.pid, service.postmasterPid)), spans),
    };
  };
}

/** False where the service has no room for it at the moment. */
async function isTaken(send: Send, batch: Uint8Array): Promise<boolean> {
  try {
    await send(batch);
    return true;
  } catch (error) {
    if (error instanceof RefusedError && error.status === 503) return false;
    throw error;
  }
}

/** Spans that are acknowledged, and records that are in the ledger in the end, both against creates over HTTP. */
export function compareSpans({ acknowledged, perSecond }: Rate, creates: Figure): readonly Result[] {
  const compare = (name: string, measured: Figure, target: number | null): Result => {
    const ratio = measured.median / creates.median;
    return {
      number: 8,
      work: `${name}, batches of ${BATCH_SPANS}`,
      measured,
      against: creates,
      ratio,
      target: target === null ? 'none' : `≥ ${target}`,
      holds: target === null ? null : ratio >= target,
    };
  };
  return [
    ...(acknowledged === undefined ? [] : [compare('spans acknowledged', acknowledged, null)]),
    compare('records from spans, end to end', perSecond, TARGET),
  ];
}
