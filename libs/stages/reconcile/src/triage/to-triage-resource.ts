import type { FindingTriage, Triage, TriagedFinding, TriageStep } from '@answer-evidence/contracts';
import { formatTime, formatTimestamp } from '@answer-evidence/encoding';
import type { PlacedFinding, StoredTriage, StoredTriageStep, Workspace } from '@answer-evidence/ports';
import { openTriageText } from './triage-text.ts';

/** A finding and the work on it, as the API returns them. */
export function toTriagedFinding({ position, finding, latest, assignee }: StoredTriage): TriagedFinding {
  return { position, finding, triage: toTriage(latest, assignee) };
}

/** The same with every step. `nowMicros` tells a text that has expired from one that was erased before. */
export function toFindingTriage(
  { vault }: Pick<Workspace, 'vault'>,
  { position, finding, steps }: PlacedFinding & { readonly steps: readonly StoredTriageStep[] },
  nowMicros: number,
): FindingTriage {
  const last = steps.at(-1);
  const erased = new Set(steps.flatMap(({ row }) => row.erases ?? []));
  return {
    position,
    finding,
    triage: toTriage(last?.row, last?.assignee ?? null),
    steps: steps.map(({ row, by, assignee, text }): TriageStep => {
      const { version, action, text_until: until } = row;
      const isExpired = until !== null && nowMicros >= until && !erased.has(version);
      // A text whose time has come is not shown, whether the sweep was there already or not.
      const shown = text === undefined || isExpired ? null : openTriageText(vault, text);
      return {
        version,
        action,
        at: formatTimestamp(row.at),
        by,
        assignee,
        resolution: row.resolution,
        due_at: formatTime(row.due_at),
        text: shown,
        text_state: until === null ? null : shown !== null ? 'stored' : isExpired ? 'expired' : 'erased',
        text_until: until === null ? null : formatTimestamp(until),
        erases: row.erases,
      };
    }),
  };
}

function toTriage(latest: StoredTriage['latest'], assignee: StoredTriage['assignee']): Triage {
  return {
    state: latest?.state ?? 'open',
    assignee,
    resolution: latest?.resolution ?? null,
    due_at: formatTime(latest?.due_at),
    version: latest?.version ?? 0,
    changed_at: latest === undefined ? null : formatTimestamp(latest.at),
  };
}
