import { commitPlain, hashItem, ITEM_SALT_BYTES } from '@answer-evidence/commitments';
import {
  type Actor,
  type CreateEventRequest,
  type EventCore,
  type JsonObject,
  type JsonValue,
  type KnownPayload,
  type SecondPerson,
  ServiceError,
} from '@answer-evidence/contracts';
import { canonicalize, formatHex, formatTimestamp } from '@answer-evidence/encoding';
import {
  type AppendCommand,
  createEventCommand,
  type IdempotencyClaim,
  type PreparedEvent,
} from '@answer-evidence/ledger';
import {
  type Clock,
  type EvidenceStore,
  newId,
  newNonce,
  type RandomSource,
  type StoredRecord,
  type Workspace,
} from '@answer-evidence/ports';
import { claimKey, commitmentKey, commitTexts, type HashKeys, withoutEmpty } from '@answer-evidence/preparation';
import type { EventItems, SaltedItem, SealedRow } from '@answer-evidence/tables';
import type { Settings } from '../deps.ts';
import type { EventPayload } from './event-payload.ts';
import { assertEvidenceNotHeld, assertNotHeld, type HoldDeps, type HoldManner } from './judge-holds.ts';
import { type PreparedErasure, prepareErasure } from './prepare-erasure.ts';
import { prepareEvidenceRedactions } from './prepare-evidence-redactions.ts';

/** An event as it arrived, with its payload read. */
type EventSubmission = {
  readonly request: CreateEventRequest;
  readonly payload: EventPayload;
  readonly idempotencyKey: string | null;
  readonly actor: Actor;
  /** Who decided beside the actor, where the workspace demands a second person. */
  readonly second?: SecondPerson | null;
  /** What holds are to a redaction. */
  readonly holds: HoldManner;
};

type Deps = HoldDeps & {
  readonly evidence: EvidenceStore;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly hashKeys: HashKeys;
};

/** Everything of an event that needs no lock. Refusals go into the command: a replay comes before them. */
export async function prepareEvent(
  deps: Deps,
  workspace: Workspace,
  settings: Settings,
  stored: StoredRecord,
  submission: EventSubmission,
): Promise<AppendCommand> {
  const eventId = newId(deps);
  const recordId = stored.record.id;
  const idempotency = claim(workspace, eventId, recordId, submission);
  let prepared: PreparedEvent | ServiceError;
  try {
    prepared = await compose(deps, workspace, settings, stored, submission, eventId);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.remedy !== 'fix-request') throw error;
    prepared = error;
  }
  return createEventCommand(eventId, recordId, settings.version, idempotency, prepared);
}

function claim(
  { vault }: Workspace,
  eventId: string,
  recordId: string,
  { request, payload, idempotencyKey }: EventSubmission,
): IdempotencyClaim | null {
  if (idempotencyKey === null) return null;
  const { correctedText, redactSourceRefIds, redactSemanticRefs, redactEventIds, ...known } = payload;
  const digest = correctedText === null ? null : commitPlain(correctedText);
  const effective = withoutEmpty({
    ...known,
    event_type: request.event_type,
    reason: request.reason ?? null,
    redactSourceRefIds: redactSourceRefIds?.toSorted() ?? null,
    redactSemanticRefs: redactSemanticRefs === true ? true : null,
    redactEventIds: redactEventIds === null ? null : [...new Set(redactEventIds)].sort(),
    correctedText: digest,
    correctedHash: payload.correctedHash ?? digest,
  });
  return claimKey(
    vault,
    { scope: `event:${recordId}`, key: idempotencyKey, objectId: eventId },
    canonicalize(effective),
    () => {
      const hashed = digest === null ? request.payload : { ...request.payload, corrected_answer_text: digest };
      // What the caller has seen is not what they ask for.
      const { version: _, ...asked } = request;
      return canonicalize({ ...(asked as JsonObject), ...(hashed === undefined ? {} : { payload: hashed }) });
    },
  );
}

async function compose(
  deps: Deps,
  workspace: Workspace,
  settings: Settings,
  stored: StoredRecord,
  { request, payload, idempotencyKey, actor, second, holds }: EventSubmission,
  eventId: string,
): Promise<PreparedEvent> {
  assertCorrects(request, payload);
  const reason = request.reason === undefined ? null : salted(deps.random, request.reason);
  const rest = payload.rest === null ? null : salted(deps.random, payload.rest);
  const correction = await correct(deps, workspace, settings, payload);
  const hasItems = reason !== null || rest !== null;
  let sealed: SealedRow | null = null;
  if (hasItems || correction.texts !== null) {
    const key = workspace.vault.createObjectKey(eventId);
    const items: EventItems = { reason: reason?.item ?? null, payload_rest: rest?.item ?? null };
    sealed = {
      object_id: eventId,
      wrapped_key: key.wrapped,
      texts: correction.texts === null ? null : key.seal('texts', JSON.stringify(correction.texts)),
      items: hasItems ? key.seal('items', JSON.stringify(items)) : null,
      due_at: stored.record.retention_until,
    };
  }
  const redaction =
    request.event_type === 'redacted' ? await redact(deps, workspace, stored, { payload, holds }, eventId) : null;
  return {
    row: {
      record_id: stored.record.id,
      id: eventId,
      nonce: newNonce(deps),
      event_type: request.event_type,
      actor_json: canonicalize(actor),
      idempotency_key: idempotencyKey,
      settings_version: settings.version,
      reason_hash: reason?.hash ?? null,
      payload_json: canonicalize(knownOf(payload, redaction?.eventIds ?? [])),
      payload_rest_hash: rest?.hash ?? null,
      corrected_answer_json: canonicalize(correction.core),
      approval_json: second === null || second === undefined ? null : canonicalize(second),
    },
    sealed,
    seen: request.version ?? null,
    retainUntil: payload.retainUntil,
    erasure: redaction,
  };
}

/** What a redaction erases of the record and its events, and of the evidence that the record binds. */
async function redact(
  deps: Deps,
  workspace: Workspace,
  stored: StoredRecord,
  { payload, holds }: Pick<EventSubmission, 'payload' | 'holds'>,
  eventId: string,
): Promise<PreparedErasure> {
  const inForce = holds === 'ignored' ? undefined : await deps.holds.inForce(workspace.id);
  if (inForce !== undefined) assertNotHeld(inForce, holds, stored);
  const named = payload.redactSourceRefIds ?? [];
  const bound = named.length === 0 ? [] : await deps.evidence.boundAccesses(workspace.id, stored.record.id);
  const issued = bound.map(({ access }) => access.source_ref_id);
  const erasure = prepareErasure(workspace, stored, payload, issued);
  const evidence = await prepareEvidenceRedactions(deps, workspace, stored, bound, named, eventId);
  if (inForce === undefined) return { ...erasure, evidence };
  const atHolders = await assertEvidenceNotHeld(deps, workspace.id, inForce, holds, evidence, payload);
  return { ...erasure, evidence, atHolds: inForce.placed, atHolders };
}

function salted<T extends JsonValue>(
  random: RandomSource,
  item: T,
): { readonly hash: string; readonly item: SaltedItem<T> } {
  const salt = formatHex(random.bytes(ITEM_SALT_BYTES));
  return { hash: hashItem(salt, item), item: { salt, item } };
}

function knownOf(payload: EventPayload, erasedEventIds: readonly string[]): KnownPayload {
  const { retainUntil } = payload;
  return {
    ...(payload.reasonCode === null ? {} : { reason_code: payload.reasonCode }),
    ...(payload.redactSourceRefIds === null ? {} : { redact_source_ref_ids: [...payload.redactSourceRefIds] }),
    ...(payload.redactSemanticRefs === null ? {} : { redact_semantic_refs: payload.redactSemanticRefs }),
    ...(erasedEventIds.length === 0 ? {} : { redact_event_ids: [...erasedEventIds] }),
    ...(retainUntil === null ? {} : { retain_until: formatTimestamp(retainUntil) }),
  };
}

/**
 * The commitment of a correction. A hash is the manager's own statement and is accepted under every setting. The
 * service commits to a text by the rules of an answer. If both are given, the hash must be the text's SHA-256.
 */
async function correct(
  deps: Deps,
  workspace: Workspace,
  settings: Settings,
  { correctedHash, correctedText }: EventPayload,
): Promise<{
  readonly core: EventCore['corrected_answer'];
  readonly texts: { readonly corrected_answer: string | null; readonly salt: string | null } | null;
}> {
  if (correctedText === null) {
    if (correctedHash === null) return { core: null, texts: null };
    return {
      core: { hash: correctedHash, hash_key_id: null, text_state: 'not_submitted', origin: 'caller' },
      texts: null,
    };
  }
  if (correctedHash !== null && correctedHash !== commitPlain(correctedText)) {
    const detail = 'the hash is not the SHA-256 of the text; hash the exact UTF-8 bytes, or send only the text';
    const errors = [{ pointer: '/payload/corrected_answer_hash', detail }];
    throw new ServiceError('hash_mismatch', detail, { errors });
  }
  const hashKey = await commitmentKey(deps.hashKeys, workspace, settings);
  const { committed, salt } = commitTexts(deps, settings, hashKey, [
    {
      field: 'answer',
      value: { text: correctedText },
      pointers: { text: '/payload/corrected_answer_text', hash: '/payload/corrected_answer_hash' },
      store: settings.values.answer_audit_store_answer_text,
    },
  ]);
  const [answer] = committed;
  if (answer === undefined) throw new Error('a correction has one commitment');
  return {
    core: { hash: answer.hash, hash_key_id: answer.hashKeyId, text_state: answer.textState, origin: 'service' },
    texts: answer.text === null && salt === null ? null : { corrected_answer: answer.text, salt },
  };
}

/** A correction says what is right. Not by the schema: one that was accepted when it need not still replays. */
function assertCorrects({ event_type: type }: CreateEventRequest, payload: EventPayload): void {
  if (type !== 'correction_appended' || payload.correctedText !== null || payload.correctedHash !== null) return;
  const detail = 'is required: a correction states the right answer as corrected_answer_text or corrected_answer_hash';
  const errors = [{ pointer: '/payload/corrected_answer_text', detail }];
  throw new ServiceError('schema_violation', 'the correction states no corrected answer', { errors });
}
