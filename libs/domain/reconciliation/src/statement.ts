import { hashCore } from '@answer-evidence/commitments';
import type { LineSet, ReconciliationCore, RunSnapshot } from '@answer-evidence/contracts';

/** What the note of a run states. */
export type RunStatement = {
  readonly origin: string;
  readonly runId: string;
  /** `sha256:` and hex: the hash of the `reconciliation_completed` entry. */
  readonly coreHash: string;
  readonly references: LineSet;
  readonly records: LineSet;
  readonly findings: LineSet;
  readonly snapshot: RunSnapshot;
};

/**
 * First line of the text. The key that signs it also signs checkpoints, whose first line is the log's origin. An origin
 * ends in eight hex digits, so a signature over one is never a signature over the other.
 */
const STATEMENT_LABEL = 'answer-evidence/reconciliation/v1';

/** The statement of a completed run of the log. */
export function statementOf(origin: string, core: ReconciliationCore): RunStatement {
  const { run_id: runId, references, records, findings, snapshot } = core;
  return {
    origin,
    runId,
    coreHash: hashCore('reconciliation_completed', core),
    references,
    records,
    findings,
    snapshot,
  };
}

/** The text of a run's note: eight lines, each with its line feed. */
export function formatStatement(statement: RunStatement): string {
  const { references, records, findings, snapshot } = statement;
  return [
    STATEMENT_LABEL,
    statement.origin,
    statement.runId,
    statement.coreHash,
    `references ${references.size} ${references.root}`,
    `records ${records.size} ${records.root}`,
    `findings ${findings.size} ${findings.root}`,
    `tree ${snapshot.tree_size} ${snapshot.root_hash}`,
    '',
  ].join('\n');
}
