import { FINDING_TYPES, type FindingType, type RunCounts, type TriageCounts } from '@answer-evidence/contracts';
import type { TriageFilters, TriageGroup } from '@answer-evidence/ports';

/**
 * How many findings of a run a filter leaves, and how many there are in each state. Only those that somebody has
 * worked on are counted in the database; all others are open, with nobody.
 */
export function countTriage(
  counts: RunCounts,
  groups: readonly TriageGroup[],
  filters: TriageFilters,
): { readonly matching: number; readonly counts: TriageCounts } {
  const types: readonly FindingType[] = filters.type === undefined ? FINDING_TYPES : [filters.type];
  const sum = (isCounted: (group: TriageGroup) => boolean) =>
    groups.reduce((total, group) => total + (isCounted(group) ? group.findings : 0), 0);
  const ofTypes = ({ type }: TriageGroup) => types.includes(type);
  const touched = sum(
    (group) =>
      ofTypes(group) &&
      (filters.state === undefined || group.state === filters.state) &&
      (filters.assigneeId === undefined || group.assigneeId === filters.assigneeId) &&
      (filters.dueBefore === undefined || group.isDueBefore) &&
      (filters.isOverdue === undefined || group.isOverdue === filters.isOverdue),
  );
  const isOfDue = filters.dueBefore !== undefined || filters.isOverdue === true;
  const showsUntouched = filters.state !== 'resolved' && typeof filters.assigneeId !== 'string' && !isOfDue;
  const untouched = types.reduce((total, type) => total + counts[type], 0) - sum(ofTypes);
  const all = FINDING_TYPES.reduce((total, type) => total + counts[type], 0);
  const resolved = sum(({ state }) => state === 'resolved');
  return {
    matching: touched + (showsUntouched ? untouched : 0),
    counts: {
      open: all - resolved,
      assigned: sum(({ state, assigneeId }) => state === 'open' && assigneeId !== null),
      resolved,
      overdue: sum(({ isOverdue }) => isOverdue),
    },
  };
}
