import {
  type AttentionItem,
  attentionItem,
  type AttentionKind,
  type NotificationType,
} from '@answer-evidence/contracts';
import { MICROS_PER_DAY } from '@answer-evidence/encoding';
import type { ConditionChange, CurrentCondition, NewNotification, OverdueFindings } from '@answer-evidence/ports';
import { overdueItem } from '../overview/find-overdue.ts';

/** What is told when a thing begins to need somebody, and when it no longer does. */
type Told = { readonly began: NotificationType; readonly ended?: NotificationType };

/** Of what needs somebody, what is told. The rest is in the overview alone. */
const TOLD: Readonly<Partial<Record<AttentionKind, Told>>> = {
  answers_missing: { began: 'answers.missing' },
  findings_overdue: { began: 'findings.overdue' },
  anchor_failing: { began: 'anchor.failing', ended: 'anchor.back' },
  renewal_failing: { began: 'anchor.failing', ended: 'anchor.back' },
  witness_failing: { began: 'witness.failing', ended: 'witness.back' },
  clock_not_believed: { began: 'clock.not_believed', ended: 'clock.believed' },
  sweep_held: { began: 'sweep.held', ended: 'sweep.released' },
  jobs_given_up: { began: 'jobs.given_up' },
  stream_failing: { began: 'stream.failing', ended: 'stream.back' },
  nobody_vouches: { began: 'log.unattested', ended: 'log.attested' },
  token_ends: { began: 'token.ends' },
  telemetry_refused: { began: 'telemetry.refused' },
};

/** What tells one thing that needs somebody from every other one. */
export function conditionsOf(items: readonly AttentionItem[]): readonly CurrentCondition[] {
  return items
    .filter(({ kind }) => kind in TOLD && kind !== 'findings_overdue')
    .map((item) => ({
      key: JSON.stringify([item.kind, hasOwnName(item) ? item.name : null, item.application_key, item.object_id]),
      item,
    }));
}

/** A stream is the same one under another name. */
function hasOwnName({ kind }: AttentionItem): boolean {
  return kind !== 'stream_failing';
}

/** Findings that are overdue are told once for each time at which some of a run were due, not for each of them. */
export function overdueConditions(overdue: readonly OverdueFindings[]): readonly CurrentCondition[] {
  return overdue.map((one) => ({
    key: JSON.stringify(['findings_overdue', one.run_id, one.due_at]),
    item: overdueItem(one),
  }));
}

/** What is told of a change, if anything is. `working`: the ids of the streams that do not fail. */
export function notificationOf(
  { kind, item }: ConditionChange,
  nowMicros: number,
  working: ReadonlySet<string>,
): NewNotification | undefined {
  const read = attentionItem.safeParse(item);
  if (!read.success) return undefined;
  const { kind: what, sentence, place, severity, count, since, until, name, application_key, object_id } = read.data;
  const type = TOLD[what]?.[kind];
  if (type === undefined) return undefined;
  // A stream that was disabled or removed while it failed is not back; that it was is told as a change.
  if (type === 'stream.back' && !working.has(object_id ?? '')) return undefined;
  return {
    type,
    subject: name ?? application_key ?? what,
    happenedAt: nowMicros,
    content: {
      sentence: kind === 'began' ? sentence : `no longer: ${sentence}`,
      place,
      entry_id: null,
      actor: null,
      about: { severity, count, since, until, name, application_key, object_id },
    },
  };
}

/** That a process has stopped the log; told once a day for as long as it is. */
export function stoppedNotification(nowMicros: number): NewNotification {
  return {
    type: 'log.stopped',
    subject: 'log',
    happenedAt: nowMicros,
    onceWithinMicros: MICROS_PER_DAY,
    content: {
      sentence:
        'the log is stopped: what is stored does not extend what was signed, so it may be forked or rolled back',
      place: '/trust',
      entry_id: null,
      actor: null,
      about: {
        severity: 'high',
        count: 1,
        since: null,
        until: null,
        name: null,
        application_key: null,
        object_id: null,
      },
    },
  };
}
