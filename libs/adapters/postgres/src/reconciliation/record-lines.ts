import { type RecordRow, recordSetLine, type RunRecordRow } from '@answer-evidence/contracts';
import { formatEntry, recordCoreOf } from '@answer-evidence/ledger';
import type { LeafRow } from '@answer-evidence/contracts';
import { formatRecordLine } from '@answer-evidence/reconciliation';

/** The line of a record in a record set, from the record, its leaf, and what was read of it besides. */
export function recordLineOf(facts: RunRecordRow, record: RecordRow, leaf: LeafRow): string {
  return formatRecordLine(
    recordSetLine.parse({
      leaf_index: facts.leaf_index,
      entry: formatEntry(leaf),
      core: recordCoreOf(record),
      status: facts.status,
      question: { opened: facts.question_opened, equals: facts.question_equals },
      answer: { opened: facts.answer_opened, equals: facts.answer_equals },
      named_earlier: facts.named_earlier,
    }),
  );
}
