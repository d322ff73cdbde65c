import { NOTIFICATION_TYPES, type NotificationType } from '@answer-evidence/contracts';

/** Which file of `e2e/` has each type of notification told for real. A type without a line does not compile. */
const PROVOKED_IN = {
  'record.voided': 'notifications-of-entries',
  'record.redacted': 'notifications-of-entries',
  'run.findings': 'notifications-of-entries',
  'hold.placed': 'notifications-of-entries',
  'hold.released': 'notifications-of-entries',
  'approval.requested': 'notifications-of-entries',
  'approval.decided': 'notifications-of-entries',
  'export.made': 'notifications-of-entries',
  'texts.read_in_bulk': 'notifications-of-entries',
  'policy.changed': 'notifications-of-entries',
  'settings.changed': 'notifications-of-entries',
  'member.changed': 'notifications-of-entries',
  'token.revoked': 'notifications-of-entries',
  'token.ends': 'notifications-of-conditions',
  'keys.changed': 'notifications-of-entries',
  'anchor.failing': 'notifications-of-conditions',
  'anchor.back': 'notifications-of-conditions',
  'witness.failing': 'notifications-of-conditions',
  'witness.back': 'notifications-of-conditions',
  'log.unattested': 'notifications-of-conditions',
  'log.attested': 'notifications-of-conditions',
  'log.stopped': 'notifications-of-recovery',
  'log.continued': 'notifications-of-recovery',
  'clock.not_believed': 'notifications-of-clocks',
  'clock.believed': 'notifications-of-clocks',
  'sweep.held': 'notifications-of-sweeps',
  'sweep.released': 'notifications-of-sweeps',
  'sweep.confirmed': 'notifications-of-sweeps',
  'answers.missing': 'notifications-of-conditions',
  'findings.overdue': 'notifications-of-conditions',
  'jobs.given_up': 'notifications-of-conditions',
  'telemetry.refused': 'notifications-of-conditions',
  'stream.failing': 'notifications-of-streams',
  'stream.back': 'notifications-of-streams',
  'stream.changed': 'notifications-of-streams',
  'target.changed': 'notifications-of-entries',
  'target.disabled': 'notifications-of-entries',
  test: 'notifications-of-entries',
} as const satisfies Record<NotificationType, `notifications-of-${string}`>;

type File = (typeof PROVOKED_IN)[NotificationType];

/** The types that a file provokes, each of which needs a provocation there. */
export type ProvokedIn<F extends File> = {
  [T in NotificationType]: (typeof PROVOKED_IN)[T] extends F ? T : never;
}[NotificationType];

/** The same as a list, in the order of the documentation. Throws for a type that no file provokes. */
export function typesProvokedIn<F extends File>(file: F): readonly ProvokedIn<F>[] {
  const forgotten = NOTIFICATION_TYPES.filter((type) => !(type in PROVOKED_IN));
  if (forgotten.length > 0) throw new Error(`no file provokes ${forgotten.join(', ')}; add a provocation`);
  return NOTIFICATION_TYPES.filter((type): type is ProvokedIn<F> => PROVOKED_IN[type] === file);
}
