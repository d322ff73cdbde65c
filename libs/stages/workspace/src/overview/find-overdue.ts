import type { AttentionItem } from '@answer-evidence/contracts';
import { formatTime } from '@answer-evidence/encoding';
import type { OverdueFindings } from '@answer-evidence/ports';
import { countOf, NOTHING } from './attention-item.ts';

/** What is overdue, by application; it leads to the run where it is one. */
export function findOverdue(overdue: readonly OverdueFindings[]): readonly AttentionItem[] {
  const items = new Map<string, AttentionItem>();
  for (const one of overdue) {
    const earlier = items.get(one.application_key);
    if (earlier === undefined) {
      items.set(one.application_key, overdueItem(one));
      continue;
    }
    const both = overdueItem({ ...one, findings: (earlier.count ?? 0) + one.findings });
    const since = [earlier.since, both.since].filter((at) => at !== null).toSorted()[0] ?? null;
    const place = earlier.object_id === one.run_id ? {} : { object_id: null, place: '/reconciliation' };
    items.set(one.application_key, { ...both, since, ...place });
  }
  return [...items.values()];
}

/** Findings of one run that are overdue, since the first of them was due. */
export function overdueItem(one: OverdueFindings): AttentionItem {
  const { findings, application_key: application } = one;
  return {
    ...NOTHING,
    kind: 'findings_overdue',
    severity: 'medium',
    count: findings,
    since: formatTime(one.due_at),
    application_key: application,
    object_id: one.run_id,
    sentence: `${countOf(findings, 'finding')} of ${application} ${findings === 1 ? 'is' : 'are'} overdue`,
    place: `/reconciliation/${one.run_id}`,
  };
}
