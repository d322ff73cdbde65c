import type { CredentialRow, MemberRow } from '@answer-evidence/tables';

/** A member and how they may sign in; undefined: not at all, or only by a token that they have. */
export type StoredMember = { readonly row: MemberRow; readonly credential: CredentialRow | undefined };

/** Reads of one workspace's members, removed ones too; enforced by the database as well. */
export interface MemberStore {
  /** All members, by name. */
  list(workspaceId: string): Promise<readonly StoredMember[]>;
  find(workspaceId: string, memberId: string): Promise<StoredMember | undefined>;
  findByName(workspaceId: string, username: string): Promise<StoredMember | undefined>;
}
