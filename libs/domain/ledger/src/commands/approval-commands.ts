import {
  type Actor,
  type ApprovalAct,
  type ApprovalDecidedCore,
  type ApprovalRequestedCore,
  APPROVALS_OPEN_MAX,
  type ApprovalState,
  ServiceError,
  type StoredApprovalState,
  type TwoPeople,
} from '@answer-evidence/contracts';
import { APPROVAL_RIGHTS } from '@answer-evidence/contracts/operations';
import { parseTimestamp } from '@answer-evidence/encoding';
import type { ApprovalRow } from '@answer-evidence/tables';
import type { AppendCommand, Decision, LogState, VersionedSettings } from '../append-command.ts';
import { type AskedAct, changesSince, hasApprover, refuseApprover } from '../approvers.ts';
import { refuseMember } from '../members.ts';
import { guardCommand } from './guard-command.ts';
import { placeWorkspaceEntry } from './workspace-entry.ts';

type Identity = { readonly id: string; readonly nonce: string };

/** An act that somebody is about to do by themselves. */
type OwnAct = Omit<AskedAct, 'askedAt' | 'right'> & {
  readonly act: ApprovalAct;
  /** Whether a second person is needed whatever the acts of the policy are. */
  readonly isDemanded?: boolean;
  readonly workspaceId: string;
  /** The settings that `command` was prepared under. */
  readonly settings: VersionedSettings;
  /** Of the entry that says that one person acted alone. */
  readonly identity: Identity;
};

/** Whether a policy demands a second person for an act. */
export function needsSecond({ acts }: TwoPeople, act: ApprovalAct): boolean {
  return acts.includes(act);
}

/**
 * The command of an act that one person does who may still do it. Where the settings in force demand a second person it
 * is refused with `approval_required`, unless nobody else could approve it: then an entry says that they acted alone.
 * What the command itself refuses, or finds done already, comes first.
 */
export function ownActCommand<Command extends AppendCommand>(command: Command, own: OwnAct): Command {
  const { act, settings, requester } = own;
  const right = APPROVAL_RIGHTS[act];
  const guarded = guardCommand(command, requester, right, ...(own.of === undefined ? [] : [own.of]));
  const isDemanded = own.isDemanded === true || needsSecond(settings.values.answer_audit_two_people, act);
  const reads = isDemanded ? { ...guarded.reads, members: true as const } : guarded.reads;
  return {
    ...guarded,
    settingsVersion: settings.version,
    reads,
    decide(view) {
      if (view.settings.version !== settings.version) return { kind: 'reprepare' };
      const decision = guarded.decide(view);
      if (!isDemanded || decision.kind !== 'append') return decision;
      if (hasApprover(view.members(), { ...own, right, askedAt: view.at }, view.at))
        return refuse(
          'approval_required',
          'a second person must approve this; ask for it with POST /api/approvals, or let a colleague ask',
        );
      const alone = { approval_id: null, act, decision: 'alone' as const, requested_by: requester, actor: requester };
      return withDecision(own.workspaceId, decision, { ...own.identity, ...alone });
    },
  };
}

/** A request for a second person: its entry, its row, and what is asked for. */
type ApprovalRequest = Omit<AskedAct, 'askedAt'> & {
  readonly workspaceId: string;
  readonly settings: VersionedSettings;
  readonly core: ApprovalRequestedCore;
  readonly row: Omit<ApprovalRow, 'requested_at'>;
  /** What would do it now. It is decided and thrown away: what could not be done is not asked for. */
  readonly command: AppendCommand;
};

/** Asks for a second person. Refused where the act could not be done, or where nobody else could approve it. */
export function createApprovalRequestCommand(request: ApprovalRequest): AppendCommand {
  const { workspaceId, settings, core, row, command } = request;
  const placed = placeWorkspaceEntry(workspaceId, { type: 'approval_requested', seq: 0, core });
  return {
    subject: workspaceId,
    entryIds: [core.id],
    settingsVersion: settings.version,
    reads: { ...command.reads, members: true, approvalId: core.id },
    sizeBytes: 2_000 + row.sealed.length,
    decide(view) {
      if (view.settings.version !== settings.version) return { kind: 'reprepare' };
      const refused = refuseMember(core.actor, view.members(), request.right, request.of);
      if (refused !== undefined) return { kind: 'refuse', error: refused };
      const decision = command.decide(view);
      if (decision.kind === 'replay') return refuse('approval_outdated', 'this is so already; do not ask for it again');
      if (decision.kind !== 'append') return decision;
      if (!hasApprover(view.members(), { ...request, askedAt: view.at }, view.at))
        return refuse(
          'approval_not_allowed',
          'nobody else could approve this; send the act itself, which one person may do then',
        );
      if (view.openApprovals() >= APPROVALS_OPEN_MAX)
        return refuse(
          'limit_reached',
          `at most ${APPROVALS_OPEN_MAX} requests wait at a time; decide or withdraw some first`,
        );
      const stored: ApprovalRow = { ...row, requested_at: view.at };
      return {
        kind: 'append',
        entries: [placed.entry],
        writes: [placed.write, { kind: 'insert', table: 'approvals', row: stored }],
      };
    },
  };
}

/** A stored request, and how it ends. */
export type ApprovalEnd = Omit<AskedAct, 'requester'> & {
  readonly workspaceId: string;
  readonly row: ApprovalRow;
  readonly requester: Actor;
  readonly identity: Identity;
  readonly actor: Actor;
};

/**
 * Carries out what was asked for, and says in the same transaction who approved it. Who asked and who approves must
 * both be allowed to do it when the lock is held. What `command` refuses now is `approval_outdated`.
 */
export function createApprovedCommand(end: ApprovalEnd, command: AppendCommand): AppendCommand {
  return {
    ...command,
    entryIds: [...command.entryIds, end.identity.id],
    reads: { ...command.reads, members: true, approvalId: end.row.id, memberChangesSince: changesSince(end.askedAt) },
    decide(view) {
      const closed = refuseClosed(view, end.row);
      if (closed !== undefined) return closed;
      const refused = refuseApprover(end.actor, view.members(), view.memberChanges(), end);
      if (refused !== undefined) return { kind: 'refuse', error: refused };
      if (refuseMember(end.requester, view.members(), end.right, end.of) !== undefined)
        return refuse('approval_outdated', 'who asked may no longer do this; decline the request, or ask anew');
      const decision = command.decide(view);
      if (decision.kind === 'reprepare') return decision;
      if (decision.kind === 'replay')
        return refuse('approval_outdated', 'this is so already; decline the request, or let it be withdrawn');
      if (decision.kind === 'refuse')
        return refuse(
          'approval_outdated',
          `what it is about has changed since the request: ${decision.error.message}; decline it, or ask anew`,
        );
      return withEnd(end, 'approved', decision);
    },
  };
}

/** Ends a request without doing what it asks for. */
export function createApprovalEndCommand(
  end: ApprovalEnd,
  decision: 'declined' | 'withdrawn' | 'expired',
): AppendCommand {
  return {
    subject: end.workspaceId,
    entryIds: [end.identity.id],
    settingsVersion: null,
    reads: { members: true, approvalId: end.row.id },
    sizeBytes: 2_000,
    decide(view) {
      const refused = refuseEnd(view, end, decision);
      return refused ?? withEnd(end, decision, { kind: 'append', entries: [], writes: [] });
    },
  };
}

function refuseEnd(
  view: LogState,
  end: ApprovalEnd,
  decision: 'declined' | 'withdrawn' | 'expired',
): Decision | undefined {
  if (decision === 'expired')
    return view.findApproval(end.row.id) === 'open' && end.row.expires_at <= view.at
      ? undefined
      : { kind: 'replay', objectId: end.row.id };
  const closed = refuseClosed(view, end.row);
  if (closed !== undefined) return closed;
  const error = refuseMember(end.actor, view.members(), end.right, end.of);
  if (error !== undefined) return { kind: 'refuse', error };
  const isOwn = end.actor.id === end.requester.id;
  if (decision === 'declined' && isOwn)
    return refuse('approval_not_allowed', 'you asked for this yourself; send its withdrawal instead');
  if (decision === 'withdrawn' && !isOwn)
    return refuse('approval_not_allowed', 'somebody else asked for this; send that you decline it instead');
  return undefined;
}

function refuseClosed(view: LogState, row: ApprovalRow): Decision | undefined {
  const state: StoredApprovalState = view.findApproval(row.id) ?? 'open';
  if (state === 'open' && row.expires_at > view.at) return undefined;
  const word = state === 'open' ? 'expired' : state;
  return refuse('approval_not_open', `the request is no longer open: ${word}; read it, and ask anew if still wanted`);
}

type Appended = Extract<Decision, { kind: 'append' }>;

function withEnd(end: ApprovalEnd, decision: Exclude<ApprovalState, 'open'>, act: Appended): Appended {
  const { row, identity, requester, actor } = end;
  const core = { ...identity, approval_id: row.id, act: row.act, decision, requested_by: requester, actor };
  const ended = withDecision(end.workspaceId, act, core);
  // An approved export is compared with what was asked for when it is made.
  const isKept = row.act === 'export' && decision === 'approved';
  const stored: ApprovalRow = {
    ...row,
    state: decision,
    decision_id: identity.id,
    ...(isKept ? {} : { wrapped_key: new Uint8Array(), sealed: new Uint8Array() }),
  };
  return { ...ended, writes: [...ended.writes, { kind: 'replace', table: 'approvals', row: stored }] };
}

/** The act, and behind its entries the one that says who decided: a leaf's time is counted from the first of them. */
export function withDecision(
  workspaceId: string,
  act: Appended,
  core: Omit<ApprovalDecidedCore, 'entry_ids'>,
): Appended {
  const entryIds = act.entries.map(({ id }) => id);
  const decided: ApprovalDecidedCore = { ...core, entry_ids: entryIds };
  const placed = placeWorkspaceEntry(workspaceId, { type: 'approval_decided', seq: 0, core: decided });
  return { kind: 'append', entries: [...act.entries, placed.entry], writes: [...act.writes, placed.write] };
}

function refuse(
  code: 'approval_required' | 'approval_not_allowed' | 'approval_not_open' | 'approval_outdated' | 'limit_reached',
  detail: string,
): Decision {
  return { kind: 'refuse', error: new ServiceError(code, detail) };
}

/** When a request that was read from its entry expires, in microseconds. */
export function expiryOf({ expires_at: expiresAt }: ApprovalRequestedCore): number {
  return parseTimestamp(expiresAt);
}
