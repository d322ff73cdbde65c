import {
  actor as actorSchema,
  type CommittedText,
  correctedAnswer,
  knownPayload,
  type LifecycleEvent,
} from '@answer-evidence/contracts';
import { formatHex, formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import { formatEntry } from '@answer-evidence/ledger';
import type { StoredEvent, Workspace } from '@answer-evidence/ports';
import { openEvent } from '@answer-evidence/ledger';

const storedCorrection = correctedAnswer.omit({ text: true }).nullable();

/** A stored event as the API returns it. `isRedacted`: a redaction of the record has taken corrected texts along. */
export function presentEvent(workspace: Workspace, stored: StoredEvent, isRedacted: boolean): LifecycleEvent {
  const { event, leaf } = stored;
  const opened = openEvent(workspace.vault, stored.sealed);
  const correction = storedCorrection.parse(parseJsonText(event.corrected_answer_json));
  const known = knownPayload.parse(parseJsonText(event.payload_json));
  const text = opened.texts?.corrected_answer ?? null;
  return {
    id: event.id,
    answer_log_id: event.record_id,
    sequence: event.sequence,
    event_type: event.event_type,
    reason: opened.items?.reason?.item ?? null,
    payload: {
      ...opened.items?.payload_rest?.item,
      ...known,
      ...(correction === null ? {} : { corrected_answer_hash: correction.hash }),
    },
    corrected_answer:
      correction === null
        ? null
        : { ...correction, text, text_state: stateOf(correction.text_state, text, isRedacted) },
    idempotency_key: event.idempotency_key,
    actor: actorSchema.parse(parseJsonText(event.actor_json)),
    created_at: formatTimestamp(leaf.at),
    prev_event_hash: event.prev_event_hash,
    event_hash: `sha256:${formatHex(leaf.hash)}`,
    ledger: {
      origin: workspace.origin,
      leaf_index: leaf.leaf_index,
      leaf_hash: formatHex(leaf.leaf_hash),
      entry: formatEntry(leaf),
    },
  };
}

/** What became of a text: what it was at creation, unless a redaction has taken a stored one. */
export function stateOf(
  atCreation: CommittedText['text_state'],
  text: string | null,
  isRedacted: boolean,
): CommittedText['text_state'] {
  return atCreation === 'stored' && text === null && isRedacted ? 'redacted' : atCreation;
}
