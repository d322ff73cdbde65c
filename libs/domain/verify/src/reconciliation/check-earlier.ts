import { formatReferenceSet, lineSetOf } from '@answer-evidence/reconciliation';
import { createCheckpointContext } from '../checkpoint-context.ts';
import { checkCheckpointSignature } from '../checks/checkpoint.ts';
import { findGaps, isInGap, skipForGaps } from '../log-gaps.ts';
import { assertSame, CheckFailure, notApplicable, pass, skip, type Verdict } from '../verdict.ts';
import { checkRunEntry, checkRunInclusion, checkStatement, type ProofCase } from './check-log.ts';
import type { ProofContext } from './proof-context.ts';
import { readReconciliationProof } from './read-proof.ts';

/** A run that was verified to have been completed before, with the values that its list names. */
type EarlierRun = { readonly runId: string; readonly leafIndex: number; readonly values: ReadonlySet<string> };

/** The records that an earlier run accounts for, against the proofs and lists of those runs. */
export async function checkEarlierRuns(context: ProofContext): Promise<Verdict> {
  const named = context.records().filter(({ facts }) => facts.namedEarlier !== null);
  const own = new Set(context.files.references.map(({ referenceId }) => referenceId));
  for (const { facts } of named) {
    if (facts.matchValue === null || own.has(facts.matchValue))
      throw new CheckFailure(`the record at leaf ${facts.leafIndex} needs no earlier run`);
  }
  if (named.length === 0) return notApplicable('no record of the set depends on an earlier run');
  const shown = context.files.earlier ?? [];
  const { tree_size: size } = context.bundle.run.core.snapshot;
  const entries = shown.length === 0 ? undefined : await context.options.log?.entriesBelow?.(size);
  const runs: EarlierRun[] = [];
  for (const earlier of shown) runs.push(await readEarlier(context, earlier, entries));
  const missing = new Set<string>();
  for (const { facts } of named) {
    const run = runs.find(({ runId }) => runId === facts.namedEarlier);
    if (run === undefined) missing.add(facts.namedEarlier ?? '');
    else if (!run.values.has(facts.matchValue ?? ''))
      throw new CheckFailure(`the run ${run.runId} does not name the record at leaf ${facts.leafIndex}`);
  }
  if (missing.size > 0)
    return skip(
      `${named.length} records are expected because earlier runs name them; these runs are missing: ${[...missing].sort().join(', ')}`,
    );
  const gaps = await findGaps(context.options.log, size);
  if (runs.some(({ leafIndex }) => isInGap(gaps, leafIndex)))
    return skipForGaps(gaps, 'not every earlier run was looked up in it');
  return pass(`${named.length} records are named by runs that precede this one in the log`);
}

async function readEarlier(
  { bundle, trust, options, pins, outcomes }: ProofContext,
  earlier: NonNullable<ProofContext['files']['earlier']>[number],
  entries: readonly (string | undefined)[] | undefined,
): Promise<EarlierRun> {
  const read = readReconciliationProof(earlier.proof);
  if (read.kind === 'malformed') throw new CheckFailure(`of an earlier run, ${read.reason}`);
  const own = bundle.run.core;
  const { core, leaf_index: leafIndex } = read.proof.run;
  const name = `the earlier run ${core.run_id}`;
  assertSame(`the log of ${name}`, bundle.origin, read.proof.origin);
  for (const field of ['application_key', 'environment', 'match_on'] as const)
    assertSame(`${field} of ${name}`, own[field], core[field]);
  if (leafIndex >= own.snapshot.tree_size) throw new CheckFailure(`${name} was not completed before this one`);
  // Its own proof may lead to a tree that was signed beside this one; the log tells.
  const logged = entries?.[leafIndex];
  if (logged !== undefined && logged !== read.proof.run.entry)
    throw new CheckFailure(`${name} does not stand in the log where its proof says`);
  const set = lineSetOf(formatReferenceSet(earlier.references));
  assertSame(`the root of the references of ${name}`, core.references.root, set.root);
  assertSame(`the number of references of ${name}`, core.references.size, set.size);
  const base = createCheckpointContext(read.proof, trust, options, []);
  const proofCase: ProofCase = { ...base, bundle: read.proof, pins, outcomes };
  const verdicts = [
    checkRunEntry(proofCase),
    checkRunInclusion(proofCase),
    await checkStatement(proofCase),
    await checkCheckpointSignature(proofCase),
  ];
  if (verdicts.some(({ outcome }) => outcome !== 'PASS'))
    throw new CheckFailure(`${name} is not proven under the keys of the trust file`);
  return { runId: core.run_id, leafIndex, values: new Set(earlier.references.map(({ referenceId }) => referenceId)) };
}
