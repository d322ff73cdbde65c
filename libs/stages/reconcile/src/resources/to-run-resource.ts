import { actor, type ReconciliationRun } from '@answer-evidence/contracts';
import { formatTimestamp, parseJsonText, parseTimestamp } from '@answer-evidence/encoding';
import type { StoredRun, Workspace } from '@answer-evidence/ports';
import { searchEnd } from '@answer-evidence/reconciliation';

/** A run as the API returns it. */
export function toRunResource({ origin }: Pick<Workspace, 'origin'>, stored: StoredRun): ReconciliationRun {
  const { run, state, completion, failure } = stored;
  return {
    id: run.id,
    status: failure === undefined ? state.status : 'failed',
    progress: state.progress,
    application_key: run.application_key,
    environment: run.environment,
    window_start: formatTimestamp(run.window_start),
    window_end: formatTimestamp(run.window_end),
    match_on: run.match_on,
    max_lateness_seconds: run.max_lateness_seconds,
    references: run.reference_count,
    created_at: formatTimestamp(run.created_at),
    created_by: actor.parse(parseJsonText(run.created_by_json)),
    started_at: state.started_at === null ? null : formatTimestamp(state.started_at),
    completed_at: completion === undefined ? null : formatTimestamp(completion.leaf.at),
    lateness_open_until: latenessOpenUntil(stored),
    counts: completion?.core.counts ?? null,
    checkpoint: completion === undefined ? null : { origin, ...completion.core.snapshot },
    failure: failure ?? null,
  };
}

function latenessOpenUntil({ run, completion }: StoredRun): string | null {
  if (completion === undefined) return null;
  const end = searchEnd({ windowEnd: run.window_end, maxLatenessSeconds: run.max_lateness_seconds });
  return end > parseTimestamp(completion.core.decided_at) ? formatTimestamp(end) : null;
}
