import { commitPlain } from '@answer-evidence/commitments';
import { type CreateRecordRequest, ServiceError, type TextOrHash } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import type { VersionedSettings } from '@answer-evidence/ledger';
import type { AnswerItem } from '@answer-evidence/otlp-mapping';
import type { Workspace } from '@answer-evidence/ports';
import { checkFields, commitTexts, fingerprintText, prepareReady } from '@answer-evidence/preparation';
import type { OtlpDeps } from '../deps.ts';
import type { AcceptedItem, Claim } from './accepted-item.ts';

const NANOS_PER_MICRO = 1_000n;

type Deps = Pick<OtlpDeps, 'clock' | 'clockGuard' | 'random'>;

/**
 * Judges an item by the settings, and commits to its texts with their commitment key, `hashKey`. `actorJson` is the JCS
 * of its sender. Throws a `ServiceError` (`fix-request`) for a refused one.
 */
export function prepareItem(
  deps: Deps,
  workspace: Workspace,
  settings: VersionedSettings,
  hashKey: Uint8Array | null,
  item: AnswerItem,
  actorJson: string,
): AcceptedItem {
  const { question, answer } = item;
  const common = {
    applicationKey: item.applicationKey,
    environment: item.environment,
    idempotencyKey: item.idempotencyKey,
    signal: item.signal,
    traceId: item.traceId,
    spanId: item.spanId,
    startedAt: microsOf(item.startedAtUnixNano),
    actorJson,
  };
  if (question !== null && answer !== null) {
    const request = requestOf(item, question, answer);
    const { record: ready, idempotency } = prepareReady(deps, workspace, settings, hashKey, {
      request,
      fields: checkFields(request),
      idempotencyKey: item.idempotencyKey,
      actorJson,
      spanId: item.spanId,
    });
    if (idempotency === null) throw new Error('an item has a key');
    const { fingerprint, mac } = idempotency.row;
    const call = item.isOneCall === true ? workspace.vault.fingerprint(callText(item, question, answer)) : null;
    return { ...common, fingerprint, call, record: { ready, mac }, claims: { question: null, answer: null } };
  }
  if (item.traceId === null && question === null && answer === null)
    throw new ServiceError('schema_violation', 'it must have a question, an answer or a trace');
  return {
    ...common,
    fingerprint: workspace.vault.fingerprint(partsText(item)),
    call: null,
    record: null,
    claims: {
      question: claim(deps, settings, hashKey, 'question', question),
      answer: claim(deps, settings, hashKey, 'answer', answer),
    },
  };
}

/** A create that says the same. It is not judged again: whatever the mapping makes of an item keeps to its schema. */
function requestOf(item: AnswerItem, question: TextOrHash, answer: TextOrHash): CreateRecordRequest {
  const request: CreateRecordRequest = {
    application_key: item.applicationKey,
    environment: item.environment,
    idempotency_key: item.idempotencyKey,
    question,
    answer,
    semantic_refs: [...item.semanticRefs],
    source_refs: [...item.sourceRefs],
  };
  if (item.traceId !== null) request.external_trace_id = item.traceId;
  if (item.externalMessageId !== null) request.external_message_id = item.externalMessageId;
  if (item.actorIdHash !== null) request.actor_id_hash = item.actorIdHash;
  if (item.sessionIdHash !== null) request.session_id_hash = item.sessionIdHash;
  return request;
}

/** What tells calls apart: two that are equal in it are one that was seen twice. */
function callText({ applicationKey, externalMessageId }: AnswerItem, question: TextOrHash, answer: TextOrHash): string {
  const commitmentOf = ({ text, hash = '' }: TextOrHash) => (text === undefined ? hash : commitPlain(text));
  return `call\n${canonicalize([applicationKey, externalMessageId, commitmentOf(question), commitmentOf(answer)])}`;
}

/** What tells items without a record apart: like the fingerprint of a request, without any text. */
function partsText(item: AnswerItem): string {
  const absent: TextOrHash = { hash: `sha256:${'0'.repeat(64)}` };
  const request = {
    application_key: item.applicationKey,
    question: item.question ?? absent,
    answer: item.answer ?? absent,
  };
  return `${item.traceId ?? ''}\n${fingerprintText(request, undefined, item.spanId)}`;
}

function claim(
  deps: Deps,
  settings: VersionedSettings,
  hashKey: Uint8Array | null,
  field: 'question' | 'answer',
  value: TextOrHash | null,
): Claim | null {
  if (value === null) return null;
  const { values } = settings;
  const store = field === 'question' ? values.answer_audit_store_question_text : values.answer_audit_store_answer_text;
  const pointers = { text: `/${field}/text`, hash: `/${field}/hash` };
  const { committed, salt } = commitTexts(deps, settings, hashKey, [{ field, value, pointers, store }]);
  const [only] = committed;
  if (only === undefined) throw new Error('one text has one commitment');
  return { hash: only.hash, hashKeyId: only.hashKeyId, text: only.text, salt };
}

/** Null for a time that is not said, and for one that no time of the service can be. */
function microsOf(nanos: bigint): number | null {
  const micros = nanos / NANOS_PER_MICRO;
  return nanos === 0n || micros > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(micros);
}
