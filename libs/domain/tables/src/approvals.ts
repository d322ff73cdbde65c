import type { ApprovalAct, StoredApprovalState } from '@answer-evidence/contracts';
import { bigint, bytea, nullable, oneOf, type RowOf, table, uuid } from './table.ts';

/** Requests for a second person. The entries of the log say who asked and who decided. */
export const APPROVALS = table('approvals', {
  key: ['id'],
  replaces: ['state', 'decision_id', 'wrapped_key', 'sealed'],
  columns: {
    /** Of the entry that asks. */
    id: uuid,
    /** The order in which they were asked for, as far as this service saw it. */
    requested_at: bigint,
    act: oneOf<ApprovalAct>(),
    /** What it is about, or null for the workspace. */
    subject_id: nullable(uuid),
    requested_by: uuid,
    expires_at: bigint,
    /** As it was decided; what nobody decided in time is `open` until its expiry is in the log. */
    state: oneOf<StoredApprovalState>(),
    /** The entry that ended it. */
    decision_id: nullable(uuid),
    wrapped_key: bytea,
    /** What was asked for, with the state that it was asked against; empty once it has ended. */
    sealed: bytea,
  },
});
export type ApprovalRow = RowOf<typeof APPROVALS>;

/** What is sealed of a request, as JSON: the salt of its hash, and what is asked for in its stored form. */
export type SealedApproval = { readonly salt: string; readonly request: string };
