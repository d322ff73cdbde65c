import type { Bench } from '../bench.ts';
import { costOf, type Costs, createCosts, formatCost } from '../costs.ts';
import { createFigure, type Figure, type Result } from '../figures.ts';
import { runWrk } from '../load/run-wrk.ts';
import { cpuBetween, readCpu } from '../machine/read-cpu.ts';
import { openSpans } from './otlp-records.ts';
import type { Rate, Round } from './round.ts';

/** The rates that measurements 1, 2, 3 and 8 speak of; those that nobody asked for are missing. */
type Rates = {
  readonly creates: Rate;
  readonly noop: Rate | undefined;
  readonly raw: Figure | undefined;
  readonly spans: Rate | undefined;
};

const WARM_UP_SECONDS = 4;
const NOOP_TARGET = 0.4;
const RAW_TARGET = 0.55;
/** How much more of the main thread a create may take than the no-op, and how much of the cores may be idle, in %. */
const MAIN_THREAD_TARGET = 2.2;
const IDLE_TARGET = 10;

type Contender = { readonly name: string; readonly measure: (seconds: number) => Promise<Round> };

/** Lets the service compile what a create runs; nothing is measured before. */
export async function warmUpCreates(bench: Bench): Promise<void> {
  bench.progress('warming up');
  await measureCreates(bench, WARM_UP_SECONDS);
}

/** Measures the rates in alternating rounds (A B C A B C …), so that a slowing machine slows all of them. */
export async function measureRates(
  bench: Bench,
  wanted: { readonly noop: boolean; readonly raw: boolean; readonly spans: boolean },
): Promise<Rates> {
  const creates: Contender = { name: 'creates over HTTP', measure: (seconds) => measureCreates(bench, seconds) };
  const noop: Contender = { name: 'Express no-op JSON POST', measure: (seconds) => measureNoop(bench, seconds) };
  const raw: Contender = {
    name: 'raw INSERT by pgbench',
    measure: async (seconds) => ({ perSecond: await bench.raw.measureRate(seconds) }),
  };
  const spans: Contender = { name: 'records from spans', measure: openSpans(bench) };
  const contenders = [
    creates,
    ...(wanted.spans ? [spans] : []),
    ...(wanted.noop ? [noop] : []),
    ...(wanted.raw ? [raw] : []),
  ];
  for (const { measure } of contenders.slice(1)) await measure(WARM_UP_SECONDS);
  const { rounds, roundSeconds } = bench.options;
  const measured = new Map<Contender, Round[]>(contenders.map((contender) => [contender, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const contender of contenders) {
      const one = await contender.measure(roundSeconds);
      measured.get(contender)?.push(one);
      const cost = one.cost === undefined ? '' : `; ${formatCost(one.cost)}`;
      bench.progress(`round ${round} of ${rounds}: ${contender.name}: ${Math.round(one.perSecond)}/s${cost}`);
    }
  }
  const roundsOf = (contender: Contender): readonly Round[] => measured.get(contender) ?? [];
  const figureOf = (contender: Contender, part: 'perSecond' | 'acknowledged' = 'perSecond') =>
    createFigure(
      contender.name,
      '/s',
      roundsOf(contender).flatMap((round) => round[part] ?? []),
    );
  const rateOf = (contender: Contender): Rate => ({
    perSecond: figureOf(contender),
    acknowledged: contender === spans ? figureOf(spans, 'acknowledged') : undefined,
    costs: createCosts(
      contender.name,
      roundsOf(contender).flatMap(({ cost }) => cost ?? []),
    ),
  });
  return {
    creates: rateOf(creates),
    noop: wanted.noop ? rateOf(noop) : undefined,
    raw: wanted.raw ? figureOf(raw) : undefined,
    spans: wanted.spans ? rateOf(spans) : undefined,
  };
}

/** Measurements 1 and 2, as far as their rates were measured. */
export function compareRates({ creates, noop, raw }: Rates): readonly Result[] {
  const compare = (number: 1 | 2, against: Figure, target: number): Result => {
    const ratio = creates.perSecond.median / against.median;
    const work = 'creates, durable, with receipt, 64 connections, 1 KB';
    return { number, work, measured: creates.perSecond, against, ratio, target: `≥ ${target}`, holds: ratio >= target };
  };
  return [
    ...(noop === undefined
      ? []
      : [compare(1, noop.perSecond, NOOP_TARGET), ...compareCosts(creates.costs, noop.costs)]),
    ...(raw === undefined ? [] : [compare(2, raw, RAW_TARGET)]),
  ];
}

function compareCosts(creates: Costs, noop: Costs): readonly Result[] {
  const ratio = creates.mainThread.median / noop.mainThread.median;
  return [
    {
      number: 1,
      work: 'processor time of a create in the main thread',
      measured: { ...creates.mainThread, name: 'create' },
      against: { ...noop.mainThread, name: noop.work },
      ratio,
      target: `≤ ${MAIN_THREAD_TARGET}`,
      holds: ratio <= MAIN_THREAD_TARGET,
    },
    {
      number: 1,
      work: 'all cores, during creates',
      measured: { ...creates.idle, name: 'idle' },
      against: null,
      ratio: null,
      target: `< ${IDLE_TARGET} %`,
      holds: creates.idle.median < IDLE_TARGET,
    },
  ];
}

/** Every 201 must stand in the ledger: a rate of answers that were not kept would be no rate of creates. */
async function measureCreates({ programs, service }: Bench, seconds: number): Promise<Round> {
  const before = await service.countLeaves();
  const cpuBefore = readCpu(service.pid, service.postmasterPid);
  const prefix = service.nextPrefix();
  const { requests, perSecond } = await runWrk(
    programs.wrk,
    service.createUrl,
    service.applicationToken,
    prefix,
    seconds,
  );
  const cost = costOf(cpuBetween(cpuBefore, readCpu(service.pid, service.postmasterPid)), requests);
  const kept = (await service.countLeaves()) - before;
  if (kept < requests) throw new Error(`${requests} creates were answered with 201 and ${kept} were kept`);
  return { perSecond, cost };
}

async function measureNoop({ programs, service, noop }: Bench, seconds: number): Promise<Round> {
  const before = readCpu(noop.pid);
  const { wrk } = programs;
  const { requests, perSecond } = await runWrk(
    wrk,
    noop.baseUrl,
    service.applicationToken,
    service.nextPrefix(),
    seconds,
  );
  return { perSecond, cost: costOf(cpuBetween(before, readCpu(noop.pid)), requests) };
}
