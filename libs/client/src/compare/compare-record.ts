import { commitPlain } from '@answer-evidence/commitments';
import {
  type AnswerRecord,
  type CommittedText,
  type CreatedResult,
  type CreateEventRequest,
  type CreateRecordRequest,
  ENVIRONMENT_DEFAULT,
  type JsonObject,
  type LifecycleEvent,
  RECORD_FILTER_COLUMNS,
  RECORD_LABELS,
  type RecordFilters,
  type RecordSummary,
  type TextOrHash,
} from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import { below, compareEntry, compareReceipt, type Differences, differencesOf } from './differences.ts';

type Commitment = Pick<CommittedText, 'hash' | 'hash_key_id'> & { readonly text?: string | null };

/** A whole record with itself: its entry and those of its events, and each text with its plain commitment. */
export function compareShown(record: AnswerRecord): Differences {
  return [
    ...below('/question', compareCommitment({}, record.question)),
    ...below('/answer', compareCommitment({}, record.answer)),
    ...compareEntries(record),
  ];
}

function compareEntries({ id, record_hash: hash, ledger, receipt, events = [] }: AnswerRecord): Differences {
  return [
    ...compareReceipt(receipt, ledger),
    ...compareEntry(ledger.entry, { id, subject: id, type: 'answer_recorded', hash }),
    ...events.flatMap((event, n) => below(`/events/${n}`, compareShownEvent(id, event))),
  ];
}

/** A record that was asked for by its id. */
export function compareNamed(id: string, record: AnswerRecord): Differences {
  return [...differencesOf({ '/id': [id.toLowerCase(), record.id] }), ...compareShown(record)];
}

/** A record with the request that made it. */
export function compareCreated(sent: CreateRecordRequest, record: AnswerRecord): Differences {
  return [
    ...differencesOf({
      '/application_key': [sent.application_key, record.application_key],
      '/environment': [sent.environment ?? ENVIRONMENT_DEFAULT, record.environment],
      '/idempotency_key': [sent.idempotency_key ?? null, record.idempotency_key],
      ...Object.fromEntries(RECORD_LABELS.map((label) => [`/${label}`, [sent[label] ?? null, record[label]]])),
      '/evidence_access_event_ids': [
        (sent.evidence_access_event_ids ?? []).join(' ').toLowerCase(),
        record.evidence_access_event_ids.join(' '),
      ],
    }),
    ...below('/question', compareCommitment(sent.question, record.question)),
    ...below('/answer', compareCommitment(sent.answer, record.answer)),
    ...below('/semantic_refs', compareRefs(sent.semantic_refs ?? [], record.semantic_refs)),
    ...below('/source_refs', compareRefs(sent.source_refs ?? [], record.source_refs)),
    ...compareEntries(record),
  ];
}

/** The results of many with their requests, in their order. Two keys of one application never have one record. */
export function compareResults(sent: readonly CreateRecordRequest[], results: readonly CreatedResult[]): Differences {
  const keyOf = new Map<string, string>();
  return results.flatMap((result, n) => {
    const request = sent[n];
    if (request === undefined || result.outcome === 'refused') return [];
    const named = `${request.application_key}\n${request.idempotency_key ?? ''}`;
    const isAnothers = (keyOf.get(result.id) ?? named) !== named;
    keyOf.set(result.id, named);
    return below(`/results/${n}`, [...(isAnothers ? ['/id'] : []), ...compareResult(request, result)]);
  });
}

/** An older service repeats nothing of the request. */
function compareResult(
  sent: CreateRecordRequest,
  result: Exclude<CreatedResult, { readonly outcome: 'refused' }>,
): Differences {
  const { application_key: application = sent.application_key, idempotency_key: key = sent.idempotency_key } = result;
  const { question, answer } = result.outcome === 'created' ? result : {};
  return [
    ...differencesOf({
      '/application_key': [sent.application_key, application],
      '/idempotency_key': [sent.idempotency_key, key],
    }),
    ...(question === undefined ? [] : below('/question', compareCommitment(sent.question, question))),
    ...(answer === undefined ? [] : below('/answer', compareCommitment(sent.answer, answer))),
  ];
}

/** A page of a list of records, newest first, with what was asked of it; `leaf` is that of the record before it. */
export function compareRecords(
  filters: RecordFilters,
  { items }: { readonly items: readonly RecordSummary[] },
  leaf = Infinity,
): Differences {
  let before = leaf;
  return items.flatMap((item, n) => {
    const isInOrder = item.ledger.leaf_index < before;
    before = item.ledger.leaf_index;
    return below(`/items/${n}`, [...compareListed(filters, item), ...(isInOrder ? [] : ['/ledger/leaf_index'])]);
  });
}

/** A record in a list with what was asked of the list. */
function compareListed(filters: RecordFilters, record: RecordSummary): Differences {
  const columns = [...RECORD_FILTER_COLUMNS, 'status'] as const;
  const at = Date.parse(record.created_at);
  const isOutside = at < Date.parse(filters.created_after ?? '') || at > Date.parse(filters.created_before ?? '');
  return [
    ...differencesOf(Object.fromEntries(columns.map((name) => [`/${name}`, [filters[name], record[name]]]))),
    ...(isOutside ? ['/created_at'] : []),
  ];
}

/** A record with an event that was appended to it under this key. */
export function compareAppended(
  id: string,
  sent: CreateEventRequest,
  idempotencyKey: string,
  record: AnswerRecord,
): Differences {
  const at = record.events?.findLastIndex((event) => event.idempotency_key === idempotencyKey) ?? -1;
  const event = record.events?.[at];
  if (event === undefined) return [...compareNamed(id, record), '/events'];
  const { corrected_answer_text: text, corrected_answer_hash: hash } = sent.payload ?? {};
  const corrected = {
    ...(typeof text === 'string' ? { text } : {}),
    ...(typeof hash === 'string' ? { hash } : {}),
  };
  const isCorrection = sent.event_type === 'correction_appended' && Object.keys(corrected).length > 0;
  const differences = [
    ...differencesOf({
      '/event_type': [sent.event_type, event.event_type],
      // An erased reason, and one that the token may not read, is null.
      '/reason': [event.reason === null ? undefined : (sent.reason ?? null), event.reason],
      '/corrected_answer': [isCorrection, event.corrected_answer !== null],
    }),
    ...(isCorrection && event.corrected_answer !== null
      ? below('/corrected_answer', compareCommitment(corrected, event.corrected_answer))
      : []),
  ];
  return [...compareNamed(id, record), ...below(`/events/${at}`, differences)];
}

function compareShownEvent(recordId: string, event: LifecycleEvent): Differences {
  const { id, answer_log_id: of, event_hash: hash, corrected_answer: corrected, ledger } = event;
  return [
    ...differencesOf({ '/answer_log_id': [recordId, of] }),
    ...compareEntry(ledger.entry, { id, subject: recordId, type: 'lifecycle_event', hash }),
    ...(corrected === null ? [] : below('/corrected_answer', compareCommitment({}, corrected))),
  ];
}

/**
 * A commitment with the text or hash that was sent, and with the text shown beside it. What a keyed one commits to only
 * the service can tell, so of it the form is compared: it has a key, and a plain one has none.
 */
function compareCommitment(sent: TextOrHash, { hash, hash_key_id: keyId, text = null }: Commitment): Differences {
  const isKeyed = hash.startsWith('hmac-sha256:');
  const isHashAlone = sent.text === undefined && sent.hash !== undefined;
  const expected = sent.text === undefined ? sent.hash?.toLowerCase() : commitPlain(sent.text);
  const isOtherText =
    sent.text === undefined ? !isKeyed && text !== null && commitPlain(text) !== hash : text !== sent.text;
  return differencesOf({
    '/hash': [isKeyed && !isHashAlone ? undefined : expected, hash],
    '/hash_key_id': [isKeyed, keyId !== null],
    '/text': [false, text !== null && isOtherText],
  });
}

/** Each item as it was sent. The service adds an id to a source; an erased item has at most that and a tombstone. */
function compareRefs(sent: readonly JsonObject[], shown: readonly JsonObject[]): Differences {
  // An erased list of semantic refs is one tombstone per item, or empty for a token that may not read them.
  if (shown.length !== sent.length) return shown.length === 0 ? [] : [''];
  return shown.flatMap((item, n) => {
    const { source_ref_id: _added, ...rest } = item;
    const { source_ref_id: _id, ...wanted } = sent[n] ?? {};
    const isErased = 'tombstone' in rest || Object.keys(rest).length === 0;
    return isErased || canonicalize(rest) === canonicalize(asJson(wanted)) ? [] : [`/${n}`];
  });
}

/** The same as it is sent: without members that are undefined, and with dates as texts. */
function asJson(item: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(item)) as JsonObject;
}
