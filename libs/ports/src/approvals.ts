import type {
  Actor,
  ApprovalDecidedCore,
  ApprovalRequestedCore,
  ApprovalState,
  RequestedAct,
  SecondPerson,
} from '@answer-evidence/contracts';
import type { AppendCommand, MemberChangeSeen, MemberState, VersionedSettings } from '@answer-evidence/ledger';
import type { ApprovalRow } from '@answer-evidence/tables';
import type { FoundPage } from './leaf-page.ts';
import type { Workspace } from './stores.ts';

/** A request for a second person: its row, what its entry says, and what the entry that ended it says. */
export type StoredApproval = {
  readonly row: ApprovalRow;
  readonly asked: ApprovalRequestedCore;
  /** `at` in microseconds. */
  readonly decided: { readonly core: ApprovalDecidedCore; readonly at: number } | undefined;
};

/** What decides who may approve: all members, and how they were changed, in its order. */
export type Approvers = { readonly members: readonly MemberState[]; readonly changes: readonly MemberChangeSeen[] };

/** Reads of requests for a second person. Whatever is `open` after its time counts as `expired`. */
export interface ApprovalStore {
  /** Newest first, those asked for before this time. */
  list(
    workspaceId: string,
    filters: { readonly state?: ApprovalState | undefined; readonly nowMicros: number },
    page: { readonly before?: number | undefined; readonly offset: number; readonly limit: number },
  ): Promise<FoundPage<StoredApproval>>;
  find(workspaceId: string, approvalId: string): Promise<StoredApproval | undefined>;
  /** The open ones whose time has passed, oldest first. */
  overdue(workspaceId: string, nowMicros: number, limit: number): Promise<readonly StoredApproval[]>;
  /** As an approval would find them now, with the changes since this time and maybe earlier ones; takes no lock. */
  approvers(workspaceId: string, changesSince: number): Promise<Approvers>;
}

/** One kind of what can be asked for, by the member of a request that asks for it. */
export type ApprovableKind = keyof RequestedAct;

/** How a stage does what somebody asked for, once a second person approves. */
export interface ApprovableAct {
  /**
   * What was asked for, with the state that it is asked against: if that has changed, `prepare` makes a command that is
   * refused. Throws what the act itself would throw before anything is written.
   */
  pin(workspace: Workspace, request: RequestedAct): Promise<RequestedAct>;
  /** The command that does it now, as the person who asked. */
  prepare(of: {
    readonly workspace: Workspace;
    readonly settings: VersionedSettings;
    readonly request: RequestedAct;
    readonly requester: Actor;
    readonly second: SecondPerson;
  }): Promise<AppendCommand>;
}

/** What can be asked for in this process. */
export type ApprovableActs = Readonly<Partial<Record<ApprovableKind, ApprovableAct>>>;
