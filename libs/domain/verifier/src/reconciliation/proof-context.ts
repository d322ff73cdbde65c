import type { ReconciliationProof, RecordSetLine } from '@answer-evidence/contracts';
import { parseTimestamp } from '@answer-evidence/encoding';
import {
  decide,
  type Decision,
  factsOfLine,
  parseRecordLine,
  type ReconciledRecord,
  type Reference,
  type RunRules,
} from '@answer-evidence/reconciliation';
import type { CheckpointContext } from '../bundle-context.ts';
import { CheckFailure } from '../verdict.ts';

/** The files that a run is verified with, besides its proof. */
export type ReconciliationFiles = {
  /** The caller's own list, as the run was asked for with it. */
  readonly references: readonly Reference[];
  /** The lines of the record set, in the order of the file, without line feeds. */
  readonly records: readonly string[];
  /** The lines of the findings as JSONL, in the order of the file, where they are at hand. */
  readonly findings?: readonly string[];
  /** Earlier runs with the lists that they were asked for with, where they are at hand. */
  readonly earlier?: readonly { readonly proof: unknown; readonly references: readonly Reference[] }[];
};

/** One record of the set, with what the decision reads of it. */
export type ShownRecord = { readonly line: RecordSetLine; readonly facts: ReconciledRecord };

/** What every check of a run is made of. */
export type ProofContext = CheckpointContext & {
  readonly bundle: ReconciliationProof;
  readonly files: ReconciliationFiles;
  readonly rules: RunRules;
  /** The record set as the file shows it. Throws `CheckFailure` for a line that is none. */
  readonly records: () => readonly ShownRecord[];
  /** What references and records come to. Throws `CheckFailure` when the records cannot be read. */
  readonly decision: () => Decision;
};

/** The context of a proof that is of the format. */
export function createProofContext(base: CheckpointContext, proof: ReconciliationProof, files: ReconciliationFiles) {
  const { core } = proof.run;
  const rules: RunRules = {
    windowStart: parseTimestamp(core.window_start),
    windowEnd: parseTimestamp(core.window_end),
    maxLatenessSeconds: core.max_lateness_seconds,
    decidedAt: parseTimestamp(core.decided_at),
    anchoredTreeSize: core.anchored_tree_size,
  };
  const records = once(() => files.records.map((text, n) => readRecord(text, n, core.match_on)));
  const decision = once(() =>
    decide(
      rules,
      files.references,
      records().map(({ facts }) => facts),
    ),
  );
  const context: ProofContext = { ...base, bundle: proof, files, rules, records, decision };
  return context;
}

function readRecord(text: string, n: number, matchOn: ReconciliationProof['run']['core']['match_on']): ShownRecord {
  try {
    const line = parseRecordLine(text);
    return { line, facts: factsOfLine(line, matchOn) };
  } catch {
    throw new CheckFailure(`line ${n + 1} of the record set is not the canonical text of a record`);
  }
}

/** The result of the first call for every call; what it throws is thrown again. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | { readonly error: unknown } | undefined;
  return () => {
    made ??= attempt(make);
    if ('error' in made) throw made.error;
    return made.value;
  };
}

function attempt<T>(make: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: make() };
  } catch (error) {
    return { error };
  }
}
