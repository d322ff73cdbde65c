import type { CredentialRow, MemberRow, ProviderLinkRow } from '@answer-evidence/tables';
import type { FoundPage } from './leaf-page.ts';

/** A member and how they may sign in; undefined: not at all, or only by a token that they have. */
export type StoredMember = {
  readonly row: MemberRow;
  readonly credential: CredentialRow | undefined;
  /** Who they are at an OpenID provider. */
  readonly provider: ProviderLinkRow | undefined;
};

/** Reads of one workspace's members, removed ones too; enforced by the database as well. */
export interface MemberStore {
  /** All members, by name. */
  all(workspaceId: string): Promise<readonly StoredMember[]>;
  /** By name, those after this one. */
  list(
    workspaceId: string,
    page: { readonly after?: string; readonly offset: number; readonly limit: number },
  ): Promise<FoundPage<StoredMember>>;
  /** About when each of these was last there, in microseconds; who was never is left out. */
  lastUses(workspaceId: string, memberIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  find(workspaceId: string, memberId: string): Promise<StoredMember | undefined>;
  findByName(workspaceId: string, username: string): Promise<StoredMember | undefined>;
  findByProvider(workspaceId: string, issuer: string, subject: string): Promise<StoredMember | undefined>;
}
