import type { Outcome } from '@answer-evidence/contracts';

/** Two values that were compared: hashes, indexes, sizes or names of states, never text. */
export type Compared = { readonly expected: string; readonly actual: string };

/** What a check came to, before it has its name. */
export type Verdict = { readonly outcome: Outcome; readonly detail: string; readonly compared: Compared | null };

/** A check came out wrong; `message` is the sentence that is shown. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure';
  readonly compared: Compared | null;

  constructor(message: string, compared: Compared | null = null) {
    super(message);
    this.compared = compared;
  }
}

/** It was re-computed and holds. */
export function pass(detail: string, compared: Compared | null = null): Verdict {
  return { outcome: 'PASS', detail, compared };
}

/** It applies and could not be decided with what was given. */
export function skip(detail: string): Verdict {
  return { outcome: 'SKIP', detail, compared: null };
}

/** It does not apply; `detail` says by which statement of the log. */
export function notApplicable(detail: string): Verdict {
  return { outcome: 'NA', detail, compared: null };
}

/** Throws `CheckFailure` with both values unless they are the same. */
export function assertSame(what: string, expected: string | number, actual: string | number): void {
  if (expected !== actual) {
    throw new CheckFailure(`${what} does not have the expected value`, {
      expected: String(expected),
      actual: String(actual),
    });
  }
}

/** One verdict for parts without FAIL: SKIP when one was undecided, else PASS; `none` is the reason without parts. */
export function worstOf(verdicts: readonly Verdict[], none: string): Verdict {
  for (const outcome of ['SKIP', 'PASS'] as const) {
    const of = verdicts.filter((verdict) => verdict.outcome === outcome);
    const [first] = of;
    if (first === undefined) continue;
    return of.length === 1 ? first : { ...first, detail: `${first.detail} (${of.length} such parts)` };
  }
  return verdicts[0] ?? notApplicable(none);
}

/** Makes one check: what it throws is its FAIL, so no content hides other checks. No shown message quotes input. */
export async function runCheck<Name extends string>(
  check: Name,
  make: () => Verdict | Promise<Verdict>,
  doesNotProve: Readonly<Record<Name, string>>,
): Promise<Verdict & { readonly check: Name; readonly does_not_prove: string }> {
  let verdict: Verdict;
  try {
    verdict = await make();
  } catch (error) {
    verdict = {
      outcome: 'FAIL',
      detail: reasonOf(error),
      compared: error instanceof CheckFailure ? error.compared : null,
    };
  }
  return { check, ...verdict, does_not_prove: doesNotProve[check] };
}

/** Makes the checks in their order, each seeing the outcomes of those before it in `context.outcomes`. */
export async function runChecks<Name extends string, Case extends { readonly outcomes: Map<string, Outcome> }>(
  names: readonly Name[],
  functions: Readonly<Record<Name, (context: Case) => Verdict | Promise<Verdict>>>,
  context: Case,
  doesNotProve: Readonly<Record<Name, string>>,
): Promise<Awaited<ReturnType<typeof runCheck<Name>>>[]> {
  const results = [];
  for (const name of names) {
    const result = await runCheck(name, () => functions[name](context), doesNotProve);
    context.outcomes.set(name, result.outcome);
    results.push(result);
  }
  return results;
}

const SPEAKING = new Set([
  'CheckFailure',
  'BundleFormatError',
  'NoteError',
  'MerkleError',
  'EncodingError',
  'TimestampError',
  'SegmentError',
]);

function reasonOf(error: unknown): string {
  if (error instanceof Error && SPEAKING.has(error.name)) return error.message;
  return `the check could not be run (${error instanceof Error ? error.name : typeof error})`;
}
