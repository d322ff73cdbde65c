import { actorOf, type Caller } from '@answer-evidence/access';
import { SEARCH_SESSION_MINUTES, searchOpenedCore } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import type { IngestDeps } from '../deps.ts';

const MICROS_PER_MINUTE = 60_000_000;

/** When a session ends whose entry has this time. */
export function sessionEndsAt(openedAt: number): number {
  return openedAt + SEARCH_SESSION_MINUTES * MICROS_PER_MINUTE;
}

/** Whether the entry is one by which this caller gave a reason a short while ago. */
export async function isSessionOpen(deps: IngestDeps, caller: Caller, session: string | undefined): Promise<boolean> {
  const entry = session === undefined ? undefined : await deps.entries.find(caller.workspaceId, session);
  if (entry?.row.type !== 'search_opened') return false;
  const { actor } = searchOpenedCore.parse(parseJsonText(entry.row.core_json));
  const { kind, id } = actorOf(caller);
  return actor.kind === kind && actor.id === id && deps.clock.nowMicros() < sessionEndsAt(entry.leaf.at);
}
