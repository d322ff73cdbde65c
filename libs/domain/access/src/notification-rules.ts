import {
  isLimited,
  isWithin,
  type JsonObject,
  type MemberAccess,
  NOTIFICATION_TYPES,
  type NotificationType,
} from '@answer-evidence/contracts';
import { ACCESS_MATRIX, type Right } from '@answer-evidence/contracts/operations';

/**
 * What it takes to be told of something: the right to read it. `application`: within limits, where it names an
 * application. `workspace`: without limits. `anywhere`: it is about nothing that limits name.
 */
type Rule = readonly [right: Right, of: 'application' | 'workspace' | 'anywhere'];

const RULES: Readonly<Record<NotificationType, Rule>> = {
  'record.voided': ['records.read', 'application'],
  'record.redacted': ['records.read', 'application'],
  'run.findings': ['reconciliations.read', 'application'],
  'hold.placed': ['holds.read', 'workspace'],
  'hold.released': ['holds.read', 'workspace'],
  'approval.requested': ['approvals.read', 'workspace'],
  'approval.decided': ['approvals.read', 'workspace'],
  'export.made': ['entries.read', 'workspace'],
  'texts.read_in_bulk': ['entries.read', 'workspace'],
  'policy.changed': ['trust.read', 'anywhere'],
  'settings.changed': ['settings.read', 'workspace'],
  'member.changed': ['members.read', 'workspace'],
  'token.revoked': ['entries.read', 'workspace'],
  'token.ends': ['tokens.applications', 'application'],
  'keys.changed': ['entries.read', 'workspace'],
  'anchor.failing': ['trust.read', 'anywhere'],
  'anchor.back': ['trust.read', 'anywhere'],
  'witness.failing': ['trust.read', 'anywhere'],
  'witness.back': ['trust.read', 'anywhere'],
  'log.unattested': ['trust.read', 'anywhere'],
  'log.attested': ['trust.read', 'anywhere'],
  'log.stopped': ['trust.read', 'anywhere'],
  'log.continued': ['trust.read', 'anywhere'],
  'clock.not_believed': ['settings.manage', 'workspace'],
  'clock.believed': ['settings.manage', 'workspace'],
  'sweep.held': ['settings.manage', 'workspace'],
  'sweep.released': ['settings.manage', 'workspace'],
  'sweep.confirmed': ['settings.manage', 'workspace'],
  'answers.missing': ['triage.read', 'application'],
  'findings.overdue': ['triage.read', 'application'],
  'jobs.given_up': ['deadletters', 'workspace'],
  'stream.failing': ['streams', 'workspace'],
  'stream.back': ['streams', 'workspace'],
  'telemetry.refused': ['telemetry.read', 'workspace'],
  'target.changed': ['notifications', 'workspace'],
  'target.disabled': ['notifications', 'workspace'],
  'stream.changed': ['streams', 'workspace'],
  test: ['overview', 'anywhere'],
};

/** Whether a member may be told of something: who could not read it is not told of it by mail either. */
export function mayBeTold(access: MemberAccess, type: NotificationType, about: JsonObject): boolean {
  const [right, of] = RULES[type];
  if (!ACCESS_MATRIX[right].people.includes(access.role)) return false;
  if (of === 'anywhere') return true;
  if (of === 'workspace') return !isLimited(access);
  if (access.role === 'manager') return true;
  const { application_key: application } = about;
  return typeof application === 'string' && isWithin(access, { application_key: application });
}

/** The types that a member may be told of, of some application at least. */
export function typesFor(access: MemberAccess): readonly NotificationType[] {
  const [application] = access.applications ?? [''];
  return NOTIFICATION_TYPES.filter(
    (type) => type !== 'test' && mayBeTold(access, type, { application_key: application ?? '' }),
  );
}
