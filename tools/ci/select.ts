import { apartFrom, SECOND_FORM_APART } from './apart.ts';
import { findInputs } from './find-inputs.ts';
import { digestOf, type Sources } from './read-sources.ts';

/** A test file in a shape of the service. */
export type Run = { readonly file: string; readonly shape: 'one' | 'split'; readonly digest: string };

/** The digest of the inputs with which each run last passed, by `keyOf`. */
export type Passed = Readonly<Record<string, string>>;

/** What starts the second form, besides the test file itself. */
const SPLIT = ['jest.split.config.mjs', 'e2e/support/split-global-setup.ts'];

/** Every run there is, with the digest of what can change its result. */
export function listRuns(
  sources: Sources,
  shapes: { readonly one: readonly string[]; readonly split: readonly string[] },
) {
  const one = shapes.one.map((file) => runOf(file, 'one', findInputs([file], sources, apartFrom(file))));
  const split = shapes.split.map((file) => {
    const apart = [...apartFrom(file), ...SECOND_FORM_APART];
    return runOf(file, 'split', findInputs([file, ...SPLIT], sources, apart));
  });
  return [...one, ...split];

  function runOf(file: string, shape: Run['shape'], inputs: readonly string[]): Run {
    const lines = inputs.map((input) => `${input} ${sources.digests.get(input)}\n`);
    return { file, shape, digest: digestOf(lines.join('')) };
  }
}

/** The name of a run in the record. */
export function keyOf({ file, shape }: Run): string {
  return shape === 'one' ? file : `${file} (split)`;
}

/** The runs that have not passed with what they depend on now. */
export function selectRuns(runs: readonly Run[], passed: Passed): readonly Run[] {
  return runs.filter((run) => passed[keyOf(run)] !== run.digest);
}

/** The record after these runs passed; runs that are gone leave it. */
export function recordPassed(runs: readonly Run[], before: Passed, passed: readonly Run[]): Passed {
  const now = new Map(passed.map((run) => [keyOf(run), run.digest]));
  const entries = runs.map(keyOf).flatMap((key) => {
    const digest = now.get(key) ?? before[key];
    return digest === undefined ? [] : [[key, digest] as const];
  });
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
