import { deriveRecordKey } from '@answer-evidence/commitments';
import { formatHex, parseHex } from '@answer-evidence/encoding';
import { openEvent, openRecord } from '@answer-evidence/ledger';
import type { AdministrationStore, StoredEvent, StoredRecord, Workspace } from '@answer-evidence/ports';
import type { EventItems, EventTexts, RecordItems } from '@answer-evidence/tables';

type Text = { readonly text: string; readonly key: string | null } | null;

/** What is still disclosed of a record for a bundle. The unreadable is shown as gone: the verifier names it. */
export async function discloseRecord(
  administration: AdministrationStore,
  workspace: Workspace,
  { record, sealed }: StoredRecord,
): Promise<{
  readonly question: Text;
  readonly answer: Text;
  readonly semantic_refs: RecordItems['semantic_refs'];
  readonly source_refs: RecordItems['source_refs'];
}> {
  const { texts, items } = openOr(() => openRecord(workspace.vault, sealed), NOTHING);
  const salt = texts?.salt ?? null;
  return {
    question: await disclose(administration, workspace, texts?.question, record.question_hash_key_id, salt),
    answer: await disclose(administration, workspace, texts?.answer, record.answer_hash_key_id, salt),
    semantic_refs: items?.semantic_refs ?? blank(record.semantic_refs_json),
    source_refs: items?.source_refs ?? blank(record.source_refs_json),
  };
}

/** What is still disclosed of an event, as a bundle shows it. */
export async function discloseEvent(
  administration: AdministrationStore,
  workspace: Workspace,
  { sealed }: StoredEvent,
  hashKeyId: string | null,
): Promise<{
  readonly reason: EventItems['reason'];
  readonly payload_rest: EventItems['payload_rest'];
  readonly corrected_text: Text;
}> {
  const { texts, items } = openOr(() => openEvent(workspace.vault, sealed), NOTHING);
  const { corrected_answer: text, salt } = texts ?? ({ corrected_answer: null, salt: null } satisfies EventTexts);
  return {
    reason: items?.reason ?? null,
    payload_rest: items?.payload_rest ?? null,
    corrected_text: await disclose(administration, workspace, text, hashKeyId, salt),
  };
}

const NOTHING = { texts: null, items: null };

function openOr<T>(open: () => T, otherwise: T): T {
  try {
    return open();
  } catch {
    return otherwise;
  }
}

/** A text with the record's own key when its commitment is keyed; the key opens this record alone. */
async function disclose(
  administration: AdministrationStore,
  workspace: Workspace,
  text: string | null | undefined,
  hashKeyId: string | null,
  salt: string | null,
): Promise<Text> {
  if (text === null || text === undefined) return null;
  if (hashKeyId === null || salt === null) return { text, key: null };
  const row = await administration.findHashKey(workspace.id, hashKeyId);
  if (row === undefined) return { text, key: null };
  const key = openOr(
    () => formatHex(deriveRecordKey(workspace.vault.openHashKey(row.id, row.wrapped_key), parseHex(salt))),
    null,
  );
  return { text, key };
}

/** As many nulls as the core has items. */
function blank(hashesJson: string): readonly null[] {
  const hashes = hashesJson.match(/"sha256:/g) ?? [];
  return hashes.map(() => null);
}
