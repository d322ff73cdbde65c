import { formatEntry } from '@answer-evidence/commitments';
import {
  actor as actorSchema,
  correctedAnswer,
  knownPayload,
  type LifecycleEvent,
  secondPerson,
} from '@answer-evidence/contracts';
import { formatHex, formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import { openEvent } from '@answer-evidence/ledger';
import type { RedactedAsset, StoredEvent, Workspace } from '@answer-evidence/ports';
import { describeErasure, type Erased } from './erased.ts';
import { findStored, withText } from './find-stored.ts';
import { toRedactedAssetResource } from './to-redacted-asset-resource.ts';

const storedCorrection = correctedAnswer.omit({ text: true }).nullable();

/** A stored event for the API. `erased` is what of its record is gone, `redacted` what of evidence went with it. */
export function toEventResource(
  workspace: Workspace,
  stored: StoredEvent,
  erased: Erased,
  backupDays: number,
  redacted: readonly RedactedAsset[],
): LifecycleEvent {
  const { event, leaf } = stored;
  const opened = openEvent(workspace.vault, stored.sealed);
  const correction = storedCorrection.parse(parseJsonText(event.corrected_answer_json));
  const shown = correction && {
    ...correction,
    text_state: erased.stateOf(correction.text_state, leaf.leaf_index),
  };
  const known = knownPayload.parse(parseJsonText(event.payload_json));
  const tombstone = erased.eventText(event.id);
  const areItemsHere = tombstone === undefined && !erased.isExpired(leaf.leaf_index);
  const open = findStored(areItemsHere && event.payload_rest_hash !== null, opened.items?.payload_rest);
  return {
    id: event.id,
    answer_log_id: event.record_id,
    sequence: event.sequence,
    event_type: event.event_type,
    reason: findStored(areItemsHere && event.reason_hash !== null, opened.items?.reason?.item),
    ...(event.reason_hash === null || tombstone === undefined ? {} : { reason_tombstone: tombstone }),
    payload: {
      ...open?.item,
      ...known,
      ...(correction === null ? {} : { corrected_answer_hash: correction.hash }),
    },
    ...(event.payload_rest_hash === null || tombstone === undefined ? {} : { payload_tombstone: tombstone }),
    corrected_answer: shown && withText(shown, opened.texts?.corrected_answer, stored.sealed),
    idempotency_key: event.idempotency_key,
    actor: actorSchema.parse(parseJsonText(event.actor_json)),
    ...(event.approval_json === null ? {} : { approval: secondPerson.parse(parseJsonText(event.approval_json)) }),
    created_at: formatTimestamp(leaf.at),
    prev_event_hash: event.prev_event_hash,
    event_hash: `sha256:${formatHex(leaf.hash)}`,
    erasure: event.event_type === 'redacted' ? describeErasure(leaf.at, backupDays) : null,
    redacted_evidence: redacted.filter(({ eventId }) => eventId === event.id).map(toRedactedAssetResource),
    ledger: {
      origin: workspace.origin,
      leaf_index: leaf.leaf_index,
      leaf_hash: formatHex(leaf.leaf_hash),
      entry: formatEntry(leaf),
    },
  };
}
