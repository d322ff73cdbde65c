import type { DeadLetter } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import type { DeadLetterRow } from '@answer-evidence/tables';

/** A dead letter as the API shows it. */
export function toDeadLetterResource(row: DeadLetterRow): DeadLetter {
  return {
    id: row.id,
    topic: row.topic,
    subject: row.subject,
    attempts: row.attempts,
    reason: { code: row.reason_code, detail: row.reason_detail },
    created_at: formatTimestamp(row.created_at),
    failed_at: formatTimestamp(row.failed_at),
  };
}
