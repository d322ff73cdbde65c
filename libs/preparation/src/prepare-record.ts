import { hashCoreText, hashItemText, ITEM_SALT_BYTES } from '@answer-evidence/commitments';
import { addLabels, type CreateRecordRequest, ENVIRONMENT_DEFAULT, ServiceError } from '@answer-evidence/contracts';
import { canonicalize, formatHex, MICROS_PER_DAY } from '@answer-evidence/encoding';
import {
  type AppendCommand,
  createRecordCommand,
  formatCore,
  formatWhole,
  type IdempotencyClaim,
  type PreparedRecord,
  type ReadyRecord,
  recordScope,
  type RefusedCommand,
  type VersionedSettings,
} from '@answer-evidence/ledger';
import {
  type Clock,
  type ClockGuard,
  newId,
  newNonce,
  type RandomSource,
  refusalOfClock,
  type Workspace,
} from '@answer-evidence/ports';
import { RECORDS, type SealedRow, type UnplacedRecord } from '@answer-evidence/tables';
import { type CheckedFields, checkFields, restoreRefs, withoutRefs } from './check-fields.ts';
import { type CommittedTexts, commitTexts } from './commit-texts.ts';
import {
  claimKeyV1,
  claimRecordKey,
  digestTexts,
  fingerprintText,
  formatEffective,
  type TextDigests,
} from './fingerprint.ts';

/** A create as it arrived, with its fields checked. */
export type RecordSubmission = {
  readonly request: CreateRecordRequest;
  readonly fields: CheckedFields;
  readonly idempotencyKey: string | null;
  /** JCS of the actor. */
  readonly actorJson: string;
  /** The span that it came with, null for one that has none; left out where it came as a request of its own. */
  readonly spanId?: string | null;
  /** What its idempotency key is compared by; left out for one that came by OTLP, which stays with version 1. */
  readonly effective?: string;
  /** The hashes of its texts, where they were made already. */
  readonly digests?: TextDigests;
};

/** A create as far as it follows from what was sent alone; plain data. */
type DigestedRecord = Pick<RecordSubmission, 'request'> &
  (
    | Required<Pick<RecordSubmission, 'fields' | 'effective' | 'digests'>>
    | { readonly refusal: Pick<ServiceError, 'code' | 'message' | 'errors'> }
  );

/**
 * Digests a create; its refs are in the fields, and no longer in the request. A refusal is a result: whose application
 * it is comes first.
 */
export function digestRecord(request: CreateRecordRequest): DigestedRecord {
  try {
    const fields = checkFields(request);
    const digests = digestTexts(request);
    const effective = formatEffective(request, fields, digests);
    return { request: withoutRefs(request), fields, effective, digests };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, errors } = error;
    return { request: withoutRefs(request), refusal: { code, message, errors } };
  }
}

/**
 * Most characters of texts and items that are sealed as one. Whatever opens one opens both, so a page of a list, which
 * shows items, opens at most about 1 MiB more than it shows.
 */
const WHOLE_LENGTH_MAX = 4096;

type Deps = {
  readonly clock: Clock;
  readonly clockGuard: ClockGuard;
  readonly random: RandomSource;
};

/** A create ready for the log, and what its response will show that the ledger does not know. */
export type CreateCommand = AppendCommand & {
  readonly record: ReadyRecord;
  readonly idempotency: IdempotencyClaim | null;
  readonly texts: { readonly question: string | null; readonly answer: string | null };
  /** Of its source refs, in their order. */
  readonly sourceRefIds: readonly string[];
};

/**
 * All of a create that needs no lock; `hashKey` is the commitment key of the settings. A refusal goes into the command:
 * a replay must not be judged by it.
 */
export function prepareRecord(
  deps: Deps,
  workspace: Workspace,
  settings: VersionedSettings,
  hashKey: Uint8Array | null,
  submission: RecordSubmission,
): CreateCommand | RefusedCommand {
  const recordId = newId(deps);
  const digests = submission.digests ?? digestTexts(submission.request);
  const idempotency = claim(workspace, recordId, submission, digests);
  const untimely = refusalOfClock(deps.clockGuard);
  if (untimely !== undefined) return { ...command({ kind: 'refused', error: untimely }), refusal: untimely };
  try {
    const made = makeReady(deps, workspace, settings, hashKey, submission, recordId, digests);
    return { ...command(made.record), ...made, idempotency };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.remedy !== 'fix-request') throw error;
    return { ...command({ kind: 'refused', error }), refusal: error };
  }

  function command(prepared: PreparedRecord): AppendCommand {
    return createRecordCommand(recordId, settings.version, idempotency, prepared);
  }
}

/** The same for what a command of its own records, and no replay is judged by. Throws a refusal. */
export function prepareReady(
  deps: Deps,
  workspace: Workspace,
  settings: VersionedSettings,
  hashKey: Uint8Array | null,
  submission: RecordSubmission,
): Pick<CreateCommand, 'record' | 'idempotency'> {
  const untimely = refusalOfClock(deps.clockGuard);
  if (untimely !== undefined) throw untimely;
  const recordId = newId(deps);
  const digests = submission.digests ?? digestTexts(submission.request);
  const { record } = makeReady(deps, workspace, settings, hashKey, submission, recordId, digests);
  return { record, idempotency: claim(workspace, recordId, submission, digests) };
}

function makeReady(
  deps: Deps,
  workspace: Workspace,
  settings: VersionedSettings,
  hashKey: Uint8Array | null,
  submission: RecordSubmission,
  recordId: string,
  digests: TextDigests,
): Pick<CreateCommand, 'record' | 'texts' | 'sourceRefIds'> {
  const { values } = settings;
  const { question, answer } = submission.request;
  const commitments = commitTexts(deps, settings, hashKey, [
    {
      field: 'question',
      value: question,
      pointers: QUESTION,
      store: values.answer_audit_store_question_text,
      digest: digests.question,
    },
    {
      field: 'answer',
      value: answer,
      pointers: ANSWER,
      store: values.answer_audit_store_answer_text,
      digest: digests.answer,
    },
  ]);
  const built = buildRecord(deps, workspace, settings, submission, recordId, commitments);
  const { row, sealed, texts, sourceRefIds } = built;
  const { answeredAt, retentionUntil } = submission.fields;
  const record: ReadyRecord =
    retentionUntil === null
      ? { kind: 'ready', row, sealed, answeredAt, hash: null, keptForMicros: retentionOf(settings) }
      : {
          kind: 'ready',
          row,
          sealed,
          answeredAt,
          hash: hashCoreText('answer_recorded', formatCore(RECORDS, row)),
          floorDays: values.answer_audit_retention_floor?.days ?? 0,
        };
  return { record, texts, sourceRefIds };
}

const QUESTION = { text: '/question/text', hash: '/question/hash' };
const ANSWER = { text: '/answer/text', hash: '/answer/hash' };

function claim(
  { vault }: Workspace,
  recordId: string,
  { request, fields, idempotencyKey, spanId, effective }: RecordSubmission,
  digests: TextDigests,
): IdempotencyClaim | null {
  if (idempotencyKey === null) return null;
  const use = { scope: recordScope(request.application_key), key: idempotencyKey, objectId: recordId };
  if (effective === undefined) return claimKeyV1(vault, use, fingerprintText(request, digests, spanId));
  return claimRecordKey(vault, use, effective, () => fingerprintText(restoreRefs(request, fields), digests, spanId));
}

/** How long a record is kept for which nobody named an end, in microseconds. */
function retentionOf(settings: VersionedSettings): number {
  return settings.values.answer_audit_default_retention_days * MICROS_PER_DAY;
}

function buildRecord(
  deps: Deps,
  workspace: Workspace,
  settings: VersionedSettings,
  { request, fields, idempotencyKey, actorJson }: RecordSubmission,
  recordId: string,
  { committed, salt }: CommittedTexts,
) {
  const [question, answer] = committed;
  if (question === undefined || answer === undefined) throw new Error('a record has two commitments');
  const semantic = fields.semanticRefs.map(({ text }) => salted(deps.random, text));
  const sources = fields.sourceRefs.map(({ text, sourceRefId }) => ({
    ...salted(deps.random, text),
    sourceRefId: sourceRefId ?? newId(deps),
  }));
  const unlabelled = {
    id: recordId,
    nonce: newNonce(deps),
    application_key: request.application_key,
    environment: request.environment ?? ENVIRONMENT_DEFAULT,
    idempotency_key: idempotencyKey,
    question_hash: question.hash,
    question_hash_key_id: question.hashKeyId,
    question_text_state: question.textState,
    answer_hash: answer.hash,
    answer_hash_key_id: answer.hashKeyId,
    answer_text_state: answer.textState,
    semantic_refs_json: `[${semantic.map(({ hash }) => `"${hash}"`).join(',')}]`,
    source_refs_json: `[${sources.map(({ hash, sourceRefId }) => `{"hash":"${hash}","source_ref_id":"${sourceRefId}"}`).join(',')}]`,
    evidence_access_event_ids_json:
      request.evidence_access_event_ids === undefined ? '[]' : canonicalize(request.evidence_access_event_ids),
    // What nobody named counts from the time of the entry, which only the ledger knows.
    retention_until: fields.retentionUntil ?? 0,
    created_by_json: actorJson,
    settings_version: settings.version,
  };
  const row: UnplacedRecord = addLabels(unlabelled, request);
  const texts = { question: question.text, answer: answer.text };
  const hasTexts = texts.question !== null || texts.answer !== null || salt !== null;
  const hasItems = semantic.length > 0 || sources.length > 0;
  const sealed = sealContents(
    workspace.vault,
    row,
    hasTexts ? JSON.stringify({ ...texts, salt }) : null,
    hasItems ? itemsText(semantic, sources) : null,
  );
  return { row, sealed, texts, sourceRefIds: sources.map(({ sourceRefId }) => sourceRefId) };
}

/** Seals what is erasable of a record: as one where it has texts and items and both are short, else field by field. */
function sealContents(
  vault: Workspace['vault'],
  { id, retention_until: dueAt }: UnplacedRecord,
  texts: string | null,
  items: string | null,
): SealedRow | null {
  if (texts === null && items === null) return null;
  if (texts !== null && items !== null && texts.length + items.length <= WHOLE_LENGTH_MAX) {
    const key = vault.createWholeKey(id);
    const { field, text } = formatWhole(texts, items);
    return { object_id: id, wrapped_key: key.wrapped, texts: null, items: key.seal(field, text), due_at: dueAt };
  }
  const key = vault.createObjectKey(id);
  return {
    object_id: id,
    wrapped_key: key.wrapped,
    texts: texts === null ? null : key.seal('texts', texts),
    items: items === null ? null : key.seal('items', items),
    due_at: dueAt,
  };
}

type Salted = { readonly salt: string; readonly text: string; readonly hash: string };

function salted(random: RandomSource, text: string): Salted {
  const salt = random.bytes(ITEM_SALT_BYTES);
  return { salt: formatHex(salt), text, hash: hashItemText(salt, text) };
}

/** `RecordItems` as JSON; the items stand in their canonical text already. */
function itemsText(semantic: readonly Salted[], sources: readonly Salted[]): string {
  const list = (items: readonly Salted[]) =>
    items.map(({ salt, text }) => `{"salt":"${salt}","item":${text}}`).join(',');
  return `{"semantic_refs":[${list(semantic)}],"source_refs":[${list(sources)}]}`;
}
