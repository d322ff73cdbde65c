import type { HashComparison } from '@answer-evidence/contracts';
import type { ReconciledRecord, RecordedHash, Reference } from './facts.ts';

/**
 * Compares a reference's hash with a record's commitment. Hashes of one kind are compared directly. A SHA-256 is
 * compared with a keyed commitment only if the text was opened and hashed; the reverse never is.
 */
function compareHash(referenced: string | null, recorded: RecordedHash): HashComparison {
  if (referenced === null) return 'not_given';
  if (kindOf(referenced) === kindOf(recorded.hash)) return referenced === recorded.hash ? 'same' : 'different';
  if (kindOf(referenced) !== 'sha256' || !recorded.opened) return 'not_comparable';
  return recorded.equals === referenced ? 'same' : 'different';
}

/** Both comparisons of a reference with a record. */
export type Comparison = { readonly question: HashComparison; readonly answer: HashComparison };

/** Question and answer of a reference against those of a record. */
export function compareBoth(reference: Reference, record: ReconciledRecord): Comparison {
  return {
    question: compareHash(reference.questionHash, record.question),
    answer: compareHash(reference.answerHash, record.answer),
  };
}

function kindOf(hash: string): string {
  return hash.slice(0, hash.indexOf(':'));
}
