import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { changesOf } from './mutations.ts';
import { Fault, type Target } from './target.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** An input is at most 64 KiB. What takes longer twice is not a pause of the machine. */
const PROCESSOR_MS_MAX = 400;

/** What came of a run; `fault` is undefined when nothing was wrong. */
type FuzzRun = {
  readonly inputs: number;
  readonly slowestMs: number;
  readonly fault: { readonly input: Uint8Array; readonly words: string } | undefined;
};

/** The inputs that are kept for a target, by their paths in the repository. */
export function readCorpus(target: Target): ReadonlyMap<string, Uint8Array> {
  const own = `tools/fuzz/corpus/${target.name}`;
  const paths = [
    ...readdirSync(join(ROOT, own)).map((name) => `${own}/${name}`),
    ...(target.seeds ?? []).flatMap(list),
  ];
  return new Map(paths.sort().map((path) => [path, readFileSync(join(ROOT, path))]));
}

function list(pattern: string): readonly string[] {
  return globSync(pattern, { cwd: ROOT });
}

/** Gives the target changed inputs of its corpus for so long, or until one shows a fault, which is then reduced. */
export async function runTarget(
  target: Target,
  options: { readonly seed: number; readonly ms: number },
): Promise<FuzzRun> {
  let inputs = 0;
  let slowestMs = 0;
  const corpus = [...readCorpus(target).values()];
  const property = fc.asyncProperty(changesOf(corpus, target.words), async (input) => {
    inputs += 1;
    slowestMs = Math.max(slowestMs, await readOnce(target, input));
  });
  const checked = await fc.check(property, {
    seed: options.seed,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: options.ms,
    endOnFailure: false,
  });
  const [input] = checked.counterexample ?? [];
  const words = checked.errorInstance instanceof Error ? (checked.errorInstance.stack ?? '') : '';
  return { inputs, slowestMs, fault: input === undefined ? undefined : { input, words } };
}

/** The milliseconds of a processor that one input took. Rejects with the fault that it shows. */
export async function readOnce(target: Target, input: Uint8Array): Promise<number> {
  const firstMs = await measure(target, input);
  if (firstMs <= PROCESSOR_MS_MAX) return firstMs;
  const secondMs = await measure(target, input);
  if (secondMs > PROCESSOR_MS_MAX)
    throw new Fault(`${input.length} bytes took ${Math.round(secondMs)} ms of a processor`);
  return secondMs;
}

async function measure(target: Target, input: Uint8Array): Promise<number> {
  const before = process.cpuUsage();
  try {
    // A copy: a parser that writes into its input would change the next run of it.
    await target.read(input.slice());
  } catch (error) {
    if (!target.refusals.some((refusal) => error instanceof refusal)) throw error;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** A name for an input that showed a fault; the same input has the same. */
export function nameOf(input: Uint8Array): string {
  return `found-${createHash('sha256').update(input).digest('hex').slice(0, 12)}`;
}
