import { ServiceError, type TokenIssuedCore, type TokenRevokedCore } from '@answer-evidence/contracts';
import { canonicalize, parseHex, parseTimestamp } from '@answer-evidence/encoding';
import type { AppendCommand, View } from '../append-command.ts';
import { isActive } from '../members.ts';
import { placeWorkspaceEntry } from './workspace-entry.ts';

/** What must hold of the member that a token is to speak for, under the lock, and what is said when it does not. */
export type TokenHolder = {
  /** The credential that they signed in with. */
  readonly credentialEntryId?: string;
  readonly refusal: ServiceError;
};

/**
 * Issues a token: its row and its entry. A live token of the same name makes the database refuse it. With a holder, the
 * user must be an active member when it is issued, so that none comes after the removal that revokes them all.
 */
export function createTokenCommand(workspaceId: string, core: TokenIssuedCore, holder?: TokenHolder): AppendCommand {
  const { entry, write } = placeWorkspaceEntry(workspaceId, { type: 'token_issued', seq: 0, core });
  return {
    subject: workspaceId,
    entryIds: [entry.id],
    settingsVersion: null,
    reads: holder === undefined ? {} : { members: true },
    sizeBytes: 1_500,
    decide(view) {
      if (holder !== undefined && !isHeld(view, core.user_id, holder)) return { kind: 'refuse', error: holder.refusal };
      return {
        kind: 'append',
        entries: [entry],
        writes: [
          write,
          {
            kind: 'token',
            row: {
              id: core.token_id,
              kind: core.kind,
              name: core.name,
              application_key: core.application_key,
              scopes_json: canonicalize(core.scopes),
              user_id: core.user_id,
              secret_hash: core.secret_hash === null ? null : parseHex(core.secret_hash.slice('sha256:'.length)),
              expires_at: parseTimestamp(core.expires_at),
              created_at: view.at,
              revoked_at: null,
            },
          },
        ],
      };
    },
  };
}

function isHeld(view: View, userId: string | null, { credentialEntryId }: TokenHolder): boolean {
  const state = view.members().find(({ row }) => row.id === userId);
  if (state === undefined || !isActive(state)) return false;
  return credentialEntryId === undefined || state.credential?.entryId === credentialEntryId;
}

/** Revokes a token. One that is revoked already is a replay: the first revocation stands. */
export function createRevokeCommand(workspaceId: string, core: TokenRevokedCore): AppendCommand {
  const { entry, write } = placeWorkspaceEntry(workspaceId, { type: 'token_revoked', seq: 0, core });
  return {
    subject: workspaceId,
    entryIds: [entry.id],
    settingsVersion: null,
    reads: { tokenId: core.token_id },
    sizeBytes: 800,
    decide(view) {
      const token = view.findToken(core.token_id);
      if (token === undefined) return { kind: 'refuse', error: new ServiceError('not_found', 'no such token') };
      if (token.revoked) return { kind: 'replay', objectId: core.token_id };
      return {
        kind: 'append',
        entries: [entry],
        writes: [write, { kind: 'revoke_token', tokenId: core.token_id, at: view.at }],
      };
    },
  };
}
