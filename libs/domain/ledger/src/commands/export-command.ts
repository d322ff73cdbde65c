import { type Actor, EXPORTS_WITHIN_SECONDS, ServiceError, type StoredApprovalState } from '@answer-evidence/contracts';
import { parseTimestamp } from '@answer-evidence/encoding';
import type { ApprovalRow } from '@answer-evidence/tables';
import type { AppendCommand, Decision, LogState, VersionedSettings } from '../append-command.ts';
import { hasApprover } from '../approvers.ts';
import { refuseMember } from '../members.ts';
import { needsSecond, withDecision } from './approval-commands.ts';

const RIGHT = 'records.export';
const WITHIN_MICROS = EXPORTS_WITHIN_SECONDS * 1_000_000;

/** A request for an export that was approved, as its entries say. */
type ApprovedExport = {
  readonly row: ApprovalRow;
  /** As its entry says it. */
  readonly expiresAt: string;
  readonly requester: Actor;
  /** Undefined where its entries do not say that somebody approved it. */
  readonly approver: Actor | undefined;
  /** Whether it is the export that is about to be made. */
  readonly isSame: boolean;
};

/** An export that somebody is about to make. */
export type OwnExport = {
  readonly workspaceId: string;
  readonly settings: VersionedSettings;
  readonly requester: Actor;
  readonly records: number;
  /** The time that it is prepared at, in microseconds. */
  readonly now: number;
  readonly approved?: ApprovedExport | undefined;
  /** Of the entry that says that one person acted alone. */
  readonly identity: { readonly id: string; readonly nonce: string };
};

/**
 * The command of an export. Where the settings in force demand two people, and those of a day with this one are of more
 * records than one person may take, it is refused with `approval_required`, unless nobody else could approve it. An
 * approved request allows the one that it is about, and is used up by it in the same transaction.
 */
export function exportCommand<Command extends AppendCommand>(command: Command, own: OwnExport): Command {
  const { settings, approved } = own;
  const policy = settings.values.answer_audit_two_people;
  const isDemanded = needsSecond(policy, 'export');
  return {
    ...command,
    settingsVersion: settings.version,
    reads: {
      ...command.reads,
      ...(isDemanded || approved !== undefined ? { members: true as const } : {}),
      ...(isDemanded ? { exportsSince: own.now - WITHIN_MICROS } : {}),
      ...(approved === undefined ? {} : { approvalId: approved.row.id }),
    },
    decide(view) {
      if (view.settings.version !== settings.version) return { kind: 'reprepare' };
      const decision = command.decide(view);
      if (decision.kind !== 'append') return decision;
      if (approved !== undefined) return useUp(view, own, approved, decision);
      if (!isDemanded || own.records === 0) return decision;
      const above = policy.exports_above ?? 0;
      if (exportedBefore(view, own.requester) + own.records <= above) return decision;
      const asked = { requester: own.requester, askedAt: view.at, right: RIGHT } as const;
      if (hasApprover(view.members(), asked, view.at))
        return refuse(
          'approval_required',
          `a second person must approve exports of more than ${above} records within a day; ` +
            'ask for it with POST /api/approvals, and export with the approval_id',
        );
      const { requester, identity, workspaceId } = own;
      const alone = { approval_id: null, act: 'export', decision: 'alone', requested_by: requester } as const;
      return withDecision(workspaceId, decision, { ...identity, ...alone, actor: requester });
    },
  };
}

/** The command of an approval that does nothing but to allow something later. */
export function permitCommand(workspaceId: string): AppendCommand {
  return {
    subject: workspaceId,
    entryIds: [],
    settingsVersion: null,
    reads: {},
    sizeBytes: 0,
    decide: () => ({ kind: 'append', entries: [], writes: [] }),
  };
}

/** The command that decides as another one does, and appends nothing: it replays where the other one would append. */
export function rehearse(command: AppendCommand): AppendCommand {
  return {
    ...command,
    entryIds: [],
    decide(view) {
      const decision = command.decide(view);
      return decision.kind === 'append' ? { kind: 'replay', objectId: command.subject } : decision;
    },
  };
}

/** How many records the person exported within a day, without approval. */
function exportedBefore(view: LogState, { kind, id }: Actor): number {
  const since = view.at - WITHIN_MICROS;
  return view
    .exports()
    .filter((one) => one.at > since && !one.isApproved && one.actor.kind === kind && one.actor.id === id)
    .reduce((sum, { records }) => sum + records, 0);
}

function useUp(
  view: LogState,
  { requester }: OwnExport,
  { row, expiresAt, requester: asker, approver, isSame }: ApprovedExport,
  decision: Extract<Decision, { kind: 'append' }>,
): Decision {
  if (row.act !== 'export' || asker.kind !== requester.kind || asker.id !== requester.id)
    return refuse(
      'approval_not_allowed',
      'this approval is for another person or another act; ask for one of your own',
    );
  const state: StoredApprovalState = view.findApproval(row.id) ?? 'open';
  if (state !== 'approved' || approver === undefined)
    return refuse('approval_not_open', `the request does not allow an export: ${state}; read it, and ask anew`);
  if (parseTimestamp(expiresAt) <= view.at)
    return refuse('approval_not_open', 'the time of the approval has passed; ask anew if the export is still wanted');
  if (!isSame)
    return refuse('approval_outdated', 'this is not the export that was approved; send that one, or ask for this one');
  if (refuseMember(approver, view.members(), RIGHT) !== undefined)
    return refuse('approval_outdated', 'who approved the export may no longer do so; ask another person');
  const used: ApprovalRow = { ...row, state: 'used', wrapped_key: new Uint8Array(), sealed: new Uint8Array() };
  return { ...decision, writes: [...decision.writes, { kind: 'replace', table: 'approvals', row: used }] };
}

function refuse(
  code: 'approval_required' | 'approval_not_allowed' | 'approval_not_open' | 'approval_outdated',
  detail: string,
): Decision {
  return { kind: 'refuse', error: new ServiceError(code, detail) };
}
