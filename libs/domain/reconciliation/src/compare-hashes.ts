import type { HashComparison } from '@answer-evidence/contracts';
import type { ReconciledRecord, RecordedHash, Reference } from './facts.ts';

/** A reference's hash against a commitment: of one kind as they are; a SHA-256 with a keyed one only once opened. */
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
