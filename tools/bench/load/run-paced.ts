import * as z from 'zod';
import { runNodeProgram } from '../machine/run-program.ts';
import type { BenchService } from '../service/open-service.ts';

const program = new URL('paced-program.ts', import.meta.url);
const latencies = z.array(z.number()).min(1);

/** Latencies in milliseconds of creates at a constant rate, each from the moment it was due. */
export async function runSteady(service: BenchService, perSecond: number, seconds: number): Promise<readonly number[]> {
  return run(service, 'steady', [String(perSecond), String(seconds)]);
}

/** Latencies in milliseconds of creates that follow one another on an otherwise idle service. */
export async function runLone(service: BenchService, count: number): Promise<readonly number[]> {
  return run(service, 'lone', [String(count)]);
}

async function run(service: BenchService, mode: string, amounts: readonly string[]): Promise<readonly number[]> {
  const args = [mode, service.createUrl, service.nextPrefix(), ...amounts];
  const stdout = await runNodeProgram(program, args, { BENCH_TOKEN: service.applicationToken });
  return latencies.parse(JSON.parse(stdout));
}
