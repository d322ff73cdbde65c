import type { ApprovalAct } from '../two-people.ts';
import type { Right } from './operation.ts';

/** The right that an act needs, of who asks for it and of who approves it. */
export const APPROVAL_RIGHTS: Readonly<Record<ApprovalAct, Right>> = {
  void: 'events.manage',
  redaction: 'events.manage',
  settings: 'settings.manage',
  trust_policy: 'trust.manage',
  members: 'members.change',
  hold_placing: 'holds.manage',
  hold_release: 'holds.manage',
  export: 'records.export',
};
