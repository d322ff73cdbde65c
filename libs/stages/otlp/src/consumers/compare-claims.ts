import { commitKeyed, commitPlain, type CommittedField, deriveRecordKey } from '@answer-evidence/commitments';
import type { TraceCommitments } from '@answer-evidence/contracts';
import { parseHex } from '@answer-evidence/encoding';
import { openRecord } from '@answer-evidence/ledger';
import { type KeyedRecord, VaultError, type Workspace } from '@answer-evidence/ports';
import type { HashKeys } from '@answer-evidence/preparation';
import type { RecordTexts } from '@answer-evidence/tables';
import type { AcceptedItem, Claim } from '../inbox/accepted-item.ts';

const FIELDS = ['question', 'answer'] as const;

/** What an item states of a question and an answer, whether it could make a record or not. */
function claimsOf(workspace: Workspace, { record, claims }: AcceptedItem): AcceptedItem['claims'] {
  if (record === null) return claims;
  const { row, sealed } = record.ready;
  const { texts } = openRecord(workspace.vault, sealed ?? undefined);
  return {
    question: claimOf(row.question_hash, row.question_hash_key_id, 'question', texts),
    answer: claimOf(row.answer_hash, row.answer_hash_key_id, 'answer', texts),
  };
}

function claimOf(hash: string, hashKeyId: string | null, field: CommittedField, texts: RecordTexts | null): Claim {
  return { hash, hashKeyId, text: texts?.[field] ?? null, salt: texts?.salt ?? null };
}

/** What is left of a record's texts. Altered ones are none: the ledger check names them, and items must not wait. */
function textsOf({ vault }: Workspace, { id, sealed }: KeyedRecord): RecordTexts | null {
  try {
    return openRecord(vault, sealed && { ...sealed, object_id: id }).texts;
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}

/**
 * How the commitments that an item states compare with those of a record: `mismatch` when one of them is another. Two
 * plain ones are compared as they are. A keyed one tells nothing by itself, because each record has a key of its own,
 * so there must be a text on one side and a key or a plain commitment on the other; where texts were not kept, expired,
 * were redacted or altered, it is `not_comparable`.
 */
export async function compareClaims(
  workspace: Workspace,
  hashKeys: HashKeys,
  item: AcceptedItem,
  record: KeyedRecord,
): Promise<TraceCommitments | 'mismatch'> {
  const stated = claimsOf(workspace, item);
  const texts = textsOf(workspace, record);
  const results: (boolean | undefined)[] = [];
  for (const field of FIELDS) {
    const claim = stated[field];
    if (claim === null) continue;
    const { hash, hashKeyId } = record[field];
    results.push(await isEqual(claim, claimOf(hash, hashKeyId, field, texts), field));
  }
  if (results.includes(false)) return 'mismatch';
  if (results.includes(undefined)) return 'not_comparable';
  return results.length === 0 ? 'absent' : 'equal';

  /** Undefined: nobody can tell. */
  async function isEqual(one: Claim, other: Claim, field: CommittedField): Promise<boolean | undefined> {
    if (one.hashKeyId === null && other.hashKeyId === null) return one.hash === other.hash;
    if (one.text !== null && other.text !== null) return one.text === other.text;
    if (one.text !== null) return await isCommittedTo(one.text, other, field);
    if (other.text !== null) return await isCommittedTo(other.text, one, field);
    return undefined;
  }

  async function isCommittedTo(text: string, to: Claim, field: CommittedField): Promise<boolean | undefined> {
    if (to.hashKeyId === null) return commitPlain(text) === to.hash;
    if (to.salt === null) return undefined;
    const key = deriveRecordKey(await hashKeys(workspace, to.hashKeyId), parseHex(to.salt));
    return commitKeyed(key, field, text) === to.hash;
  }
}
