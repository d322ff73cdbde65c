import type { Stream } from '@answer-evidence/contracts';
import { formatTime, formatTimestamp } from '@answer-evidence/encoding';
import type { StoredStream } from '@answer-evidence/ports';

/** A stream as the API shows it. */
export function toStreamResource({ row, state, waiting, oldestAt }: StoredStream, nowMicros: number): Stream {
  const isFailing = state.failing_since !== null;
  return {
    id: row.id,
    name: row.name,
    destination: { type: row.kind, place: row.place },
    format: row.format,
    include_reasons: row.include_reasons,
    state: state.state === 'active' ? 'active' : 'disabled',
    state_since: formatTimestamp(state.changed_at),
    tree_size: state.tree_size,
    waiting,
    waiting_since: waiting === 0 ? null : formatTime(oldestAt),
    confirmed_at: formatTime(state.confirmed_at),
    failing_since: formatTime(state.failing_since),
    last_error: state.last_error,
    // A bucket waits for more entries, which is no fault.
    paused_until: isFailing && state.paused_until > nowMicros ? formatTimestamp(state.paused_until) : null,
    created_at: formatTimestamp(row.created_at),
    version: row.version,
  };
}
