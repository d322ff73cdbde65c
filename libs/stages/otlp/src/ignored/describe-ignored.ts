import { type IgnoredReason, RULE_REASONS } from '@answer-evidence/contracts';
import type { IgnoredOfRequest } from '@answer-evidence/otlp-mapping';

/** The reason for which nothing is to be done: the sender asked for it. */
const WANTED: IgnoredReason = 'not_marked';

/** What a rule took away would have been an answer, so it is the reason to tell, however many others there are. */
const RULED: ReadonlySet<IgnoredReason> = new Set(RULE_REASONS);

/** What no setting of the sender makes an answer: told only where there is no other reason. */
const NO_FAULT: ReadonlySet<IgnoredReason> = new Set(['unrelated', 'other_operation']);

/** Tells the sender of a request that all of it was ignored; nothing where that was asked for. */
export function describeIgnored({ kinds, items }: IgnoredOfRequest): string {
  const counts = new Map<IgnoredReason, number>();
  for (const { kind: number } of items) {
    const reason = kinds[number]?.reason;
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const rank = (reason: IgnoredReason) => {
    if (RULED.has(reason)) return 3;
    if (NO_FAULT.has(reason)) return 0;
    // What is read says more than what is not.
    return reason === 'unknown_convention' ? 1 : 2;
  };
  const [main] = [...counts]
    .filter(([reason]) => reason !== WANTED)
    .sort(([one, a], [other, b]) => rank(other) - rank(one) || b - a);
  if (main === undefined) return '';
  const [reason, count] = main;
  return (
    `nothing of this request became a record: ${count} of ${items.length} items have the reason ${reason}; ` +
    'see GET /api/answer-audit-logs/otel/ignored'
  );
}
