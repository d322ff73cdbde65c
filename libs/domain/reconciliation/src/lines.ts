import { parseEntry } from '@answer-evidence/commitments';
import {
  type MatchField,
  type ReconciliationFinding,
  reconciliationFinding,
  type RecordSetLine,
  recordSetLine,
  referenceLine,
  type ReferenceRequest,
} from '@answer-evidence/contracts';
import { canonicalize, formatTimestamp, parseDateTime, parseJsonText, parseTimestamp } from '@answer-evidence/encoding';
import type { ReconciledRecord, Reference } from './facts.ts';
import { sortUtf8 } from './order.ts';

/** A reference as a request has it. Throws `EncodingError` for a time that does not exist. */
export function readReference(sent: ReferenceRequest): Reference {
  return {
    referenceId: sent.reference_id,
    occurredAt: parseDateTime(sent.occurred_at),
    questionHash: sent.question_hash ?? null,
    answerHash: sent.answer_hash ?? null,
  };
}

/** The line of a reference: its JCS, with all four members and its time in UTC. */
export function formatReferenceLine({ referenceId, occurredAt, questionHash, answerHash }: Reference): string {
  // Its members in the order of JCS, since a run has thousands: to sort their names takes twice as long as all else.
  const answer = canonicalize(answerHash);
  const question = canonicalize(questionHash);
  const at = formatTimestamp(occurredAt);
  return `{"answer_hash":${answer},"occurred_at":"${at}","question_hash":${question},"reference_id":${canonicalize(referenceId)}}`;
}

/** Reads the line of a reference. Throws unless it is exactly the canonical form of one. */
export function parseReferenceLine(line: string): Reference {
  const sent = referenceLine.parse(parseJsonText(line));
  const reference = {
    referenceId: sent.reference_id,
    occurredAt: parseTimestamp(sent.occurred_at),
    questionHash: sent.question_hash,
    answerHash: sent.answer_hash,
  };
  if (formatReferenceLine(reference) !== line) throw new Error('the reference is not in canonical form');
  return reference;
}

/** The lines of the reference set: one a reference, repeated ones included, ascending by their bytes. */
export function formatReferenceSet(references: readonly Reference[]): readonly string[] {
  return sortUtf8(references.map(formatReferenceLine));
}

/** The line of a finding: its JCS. The set has them in the order of `compareFindings`. */
export function formatFindingLine(finding: ReconciliationFinding): string {
  return canonicalize(finding);
}

/** Reads the line of a finding. Throws unless it is exactly the canonical form of one. */
export function parseFindingLine(line: string): ReconciliationFinding {
  const finding = reconciliationFinding.parse(parseJsonText(line));
  if (canonicalize(finding) !== line) throw new Error('the finding is not in canonical form');
  return finding;
}

/** Reads a record's line, its JCS; the set has them in log order. Throws unless it is exactly the canonical form. */
export function parseRecordLine(text: string): RecordSetLine {
  const line = recordSetLine.parse(parseJsonText(text));
  if (canonicalize(line) !== text) throw new Error('the line is not in canonical form');
  return line;
}

/** What the decision reads of a line. Throws when its entry is not one. */
export function factsOfLine(line: RecordSetLine, matchOn: MatchField): ReconciledRecord {
  const { core } = line;
  return {
    id: core.id,
    leafIndex: line.leaf_index,
    createdAt: parseTimestamp(parseEntry(line.entry).at),
    matchValue: core[matchOn],
    question: { hash: core.question.hash, ...line.question },
    answer: { hash: core.answer.hash, ...line.answer },
    status: line.status,
    namedEarlier: line.named_earlier,
  };
}
