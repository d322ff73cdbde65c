import type { Bench } from '../bench.ts';
import { createFigure, type Figure, type Result } from '../figures.ts';
import { runWrk } from '../load/run-wrk.ts';
import { readMainThreadMicros } from '../machine/read-cpu.ts';

/** The rates that measurements 1, 2 and 3 speak of; those that nobody asked for are missing. */
type Rates = { readonly creates: Figure; readonly noop: Figure | undefined; readonly raw: Figure | undefined };

const WARM_UP_SECONDS = 4;
const NOOP_TARGET = 0.5;
const RAW_TARGET = 0.6;

type Contender = { readonly name: string; readonly measure: (seconds: number) => Promise<number> };

/** Lets the service compile what a create runs; nothing is measured before. */
export async function warmUpCreates(bench: Bench): Promise<void> {
  bench.progress('warming up');
  await measureCreates(bench, WARM_UP_SECONDS);
}

/** Measures the rates in alternating rounds (A B C A B C …), so that a slowing machine slows all of them. */
export async function measureRates(bench: Bench, wanted: { noop: boolean; raw: boolean }): Promise<Rates> {
  const creates: Contender = { name: 'creates over HTTP', measure: (seconds) => measureCreates(bench, seconds) };
  const noop: Contender = { name: 'Express no-op JSON POST', measure: (seconds) => measureNoop(bench, seconds) };
  const raw: Contender = { name: 'raw INSERT by pgbench', measure: (seconds) => bench.raw.measureRate(seconds) };
  const contenders = [creates, ...(wanted.noop ? [noop] : []), ...(wanted.raw ? [raw] : [])];
  for (const { measure } of contenders.slice(1)) await measure(WARM_UP_SECONDS);
  const { rounds, roundSeconds } = bench.options;
  const values = new Map<Contender, number[]>(contenders.map((contender) => [contender, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const contender of contenders) {
      const value = await contender.measure(roundSeconds);
      values.get(contender)?.push(value);
      bench.progress(`round ${round} of ${rounds}: ${contender.name}: ${Math.round(value)}/s`);
    }
  }
  const figureOf = (contender: Contender) => createFigure(contender.name, '/s', values.get(contender) ?? []);
  return {
    creates: figureOf(creates),
    noop: wanted.noop ? figureOf(noop) : undefined,
    raw: wanted.raw ? figureOf(raw) : undefined,
  };
}

/** Measurements 1 and 2, as far as their rates were measured. */
export function compareRates({ creates, noop, raw }: Rates): readonly Result[] {
  const compare = (number: 1 | 2, against: Figure, target: number): Result => {
    const ratio = creates.median / against.median;
    const work = 'creates, durable, with receipt, 64 connections, 1 KB';
    return { number, work, measured: creates, against, ratio, target: `≥ ${target}`, holds: ratio >= target };
  };
  return [
    ...(noop === undefined ? [] : [compare(1, noop, NOOP_TARGET)]),
    ...(raw === undefined ? [] : [compare(2, raw, RAW_TARGET)]),
  ];
}

/** Every 201 must stand in the ledger: a rate of answers that were not kept would be no rate of creates. */
async function measureCreates({ programs, service, progress }: Bench, seconds: number): Promise<number> {
  const before = await service.countLeaves();
  const cpuBefore = readMainThreadMicros(service.pid);
  const prefix = service.nextPrefix();
  const { requests, perSecond } = await runWrk(
    programs.wrk,
    service.createUrl,
    service.applicationToken,
    prefix,
    seconds,
  );
  const cpu = (readMainThreadMicros(service.pid) - cpuBefore) / requests;
  progress(`a create takes ${cpu.toFixed(1)} µs of the main thread`);
  const kept = (await service.countLeaves()) - before;
  if (kept < requests) throw new Error(`${requests} creates were answered with 201 and ${kept} were kept`);
  return perSecond;
}

async function measureNoop({ programs, service, noop }: Bench, seconds: number): Promise<number> {
  const { wrk } = programs;
  return (await runWrk(wrk, noop.baseUrl, service.applicationToken, service.nextPrefix(), seconds)).perSecond;
}
