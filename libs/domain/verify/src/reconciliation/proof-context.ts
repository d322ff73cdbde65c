import type { ReconciliationProof } from '@answer-evidence/contracts';
import { parseTimestamp } from '@answer-evidence/encoding';
import { decide, type Decision, type Reference, type RunRules } from '@answer-evidence/reconciliation';
import type { CheckpointContext } from '../checkpoint-context.ts';
import { once } from '../once.ts';
import { readRecordSet, type RecordSet, type ShownRecord } from './record-set.ts';

/** The files that a run is verified with, besides its proof. */
export type ReconciliationFiles = {
  /** The caller's own list, as the run was asked for with it. */
  readonly references: readonly Reference[];
  /** The lines of the record set, in the order of the file, without line feeds. They are read once, and not kept. */
  readonly records: Iterable<string> | AsyncIterable<string>;
  /** The lines of the findings as JSONL, in the order of the file, where they are at hand. */
  readonly findings?: readonly string[];
  /** Earlier runs with the lists that they were asked for with, where they are at hand. */
  readonly earlier?: readonly { readonly proof: unknown; readonly references: readonly Reference[] }[];
};

/** What every check of a run is made of. */
export type ProofContext = CheckpointContext & {
  readonly bundle: ReconciliationProof;
  readonly files: ReconciliationFiles;
  readonly rules: RunRules;
  readonly recordSet: RecordSet;
  /** The record set as the file shows it. Throws `CheckFailure` for a line that is not one. */
  readonly records: () => readonly ShownRecord[];
  /** What references and records come to. Throws `CheckFailure` when the records cannot be read. */
  readonly decision: () => Decision;
};

/** The context of a proof of the right form. Throws only what reading the lines of the record set throws. */
export async function createProofContext(
  base: CheckpointContext,
  proof: ReconciliationProof,
  files: ReconciliationFiles,
): Promise<ProofContext> {
  const { core } = proof.run;
  const rules: RunRules = {
    windowStart: parseTimestamp(core.window_start),
    windowEnd: parseTimestamp(core.window_end),
    maxLatenessSeconds: core.max_lateness_seconds,
    decidedAt: parseTimestamp(core.decided_at),
    anchoredTreeSize: core.anchored_tree_size,
  };
  const recordSet = await readRecordSet(core, rules, files.records);
  const records = () => {
    if (recordSet.unreadable !== undefined) throw recordSet.unreadable;
    return recordSet.records;
  };
  const decision = once(() =>
    decide(
      rules,
      files.references,
      records().map(({ facts }) => facts),
    ),
  );
  return { ...base, bundle: proof, files, rules, recordSet, records, decision };
}
