import { ServiceError, type TokenIssuedCore, type TokenRevokedCore } from '@answer-evidence/contracts';
import { canonicalize, parseHex, parseTimestamp } from '@answer-evidence/encoding';
import type { AppendCommand, LogState, Write } from '../append-command.ts';
import { isActive, refuseMember } from '../members.ts';
import { placeWorkspaceEntry } from './workspace-entry.ts';

/** What must hold of the member that a token is to speak for, under the lock, and what is said when it does not. */
export type TokenHolder = {
  /** The entry of the credential, or of the provider link, that they signed in with. */
  readonly credentialEntryId?: string;
  readonly refusal: ServiceError;
};

/**
 * The issuer of an application's token must still be allowed to when the lock is held, because the token may outlive
 * the issuer's own tokens.
 */
type IssuerOnly = 'by who may';

const MICROS_PER_SECOND = 1_000_000;

/**
 * Issues a token: its row and its entry. Refused with `name_taken` while another token of the name is neither revoked
 * nor expired, and with `limit_reached` while the workspace has `liveMax` live tokens. With a holder, the user must be
 * an active member when it is issued, so that none comes after the removal that revokes them all. The name is looked up
 * under the lock of the head: a unique index cannot depend on the time, at which an expired token frees its name.
 */
export function createTokenCommand(
  workspaceId: string,
  core: TokenIssuedCore,
  condition?: TokenHolder | IssuerOnly,
  liveMax = Infinity,
): AppendCommand {
  const { entry, write } = placeWorkspaceEntry(workspaceId, { type: 'token_issued', seq: 0, core });
  return {
    subject: workspaceId,
    entryIds: [entry.id],
    settingsVersion: null,
    reads: { tokenName: core.name, ...(condition === undefined ? {} : { members: true }) },
    sizeBytes: 1_500,
    decide(view) {
      const refusal = findRefusal(view, core, condition);
      if (refusal !== undefined) return { kind: 'refuse', error: refusal };
      const named = view.findTokenName(core.name);
      if (named !== undefined && view.at < named.expiresAt) return { kind: 'refuse', error: nameTaken() };
      if (view.liveTokens() >= liveMax) return { kind: 'refuse', error: tooManyTokens(liveMax) };
      return { kind: 'append', entries: [entry], writes: [write, writeToken(core, view.at)] };
    },
  };
}

function findRefusal(
  view: LogState,
  { actor, user_id: userId, application_key: application }: TokenIssuedCore,
  condition: TokenHolder | IssuerOnly | undefined,
): ServiceError | undefined {
  if (condition === undefined) return undefined;
  if (condition === 'by who may')
    return refuseMember(
      actor,
      view.members(),
      'tokens.applications',
      application === null ? undefined : { application_key: application },
    );
  return isHeld(view, userId, condition) ? undefined : condition.refusal;
}

function isHeld(view: LogState, userId: string | null, { credentialEntryId }: TokenHolder): boolean {
  const state = view.members().find(({ row }) => row.id === userId);
  if (state === undefined || !isActive(state)) return false;
  const entries = [undefined, state.credential?.entryId, state.provider?.entryId];
  return entries.includes(credentialEntryId);
}

/**
 * Revokes a token. If it is already revoked, this is a replay: the first revocation stands. If it is still valid after
 * a rotation, a further entry ends that earlier.
 */
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
      if (token === undefined)
        return {
          kind: 'refuse',
          error: new ServiceError('not_found', 'no such token exists in this workspace; check its id'),
        };
      const tokenId = core.token_id;
      if (!token.revoked)
        return {
          kind: 'append',
          entries: [entry],
          writes: [write, { kind: 'revoke_token', tokenId, at: view.at, overlapUntil: null }],
        };
      if (view.at < (token.goodUntil ?? 0))
        return { kind: 'append', entries: [entry], writes: [write, { kind: 'cut_token', tokenId, at: view.at }] };
      return { kind: 'replay', objectId: tokenId };
    },
  };
}

/**
 * Exchanges a token for a new one of its name: two entries in one transaction, of which each names the other token. The
 * old one stays good for `revoked.overlap_seconds`, if that is there. Refused with `token_not_active` unless the old
 * one is neither revoked nor expired at that moment, so of two rotations one wins.
 */
export function createRotateCommand(
  workspaceId: string,
  old: { readonly expiresAt: number },
  issued: TokenIssuedCore,
  revoked: TokenRevokedCore,
  condition?: IssuerOnly,
): AppendCommand {
  const issuing = placeWorkspaceEntry(workspaceId, { type: 'token_issued', seq: 0, core: issued });
  const revoking = placeWorkspaceEntry(workspaceId, { type: 'token_revoked', seq: 0, core: revoked });
  return {
    subject: workspaceId,
    entryIds: [issuing.entry.id, revoking.entry.id],
    settingsVersion: null,
    reads: { tokenId: revoked.token_id, ...(condition === undefined ? {} : { members: true }) },
    sizeBytes: 2_500,
    decide(view) {
      const refusal = findRefusal(view, issued, condition);
      if (refusal !== undefined) return { kind: 'refuse', error: refusal };
      const token = view.findToken(revoked.token_id);
      if (token === undefined)
        return {
          kind: 'refuse',
          error: new ServiceError('not_found', 'no such token exists in this workspace; check its id'),
        };
      if (token.revoked || view.at >= old.expiresAt) return { kind: 'refuse', error: notActive() };
      const at = view.at + 1;
      const overlap = revoked.overlap_seconds;
      const overlapUntil = overlap === undefined ? null : at + overlap * MICROS_PER_SECOND;
      return {
        kind: 'append',
        entries: [issuing.entry, revoking.entry],
        writes: [
          issuing.write,
          writeToken(issued, view.at),
          revoking.write,
          { kind: 'revoke_token', tokenId: revoked.token_id, at, overlapUntil },
        ],
      };
    },
  };
}

function writeToken(core: TokenIssuedCore, createdAt: number): Write {
  return {
    kind: 'insert',
    table: 'tokens',
    row: {
      id: core.token_id,
      kind: core.kind,
      name: core.name,
      application_key: core.application_key,
      scopes_json: canonicalize(core.scopes),
      user_id: core.user_id,
      secret_hash: core.secret_hash === null ? null : parseHex(core.secret_hash.slice('sha256:'.length)),
      expires_at: parseTimestamp(core.expires_at),
      created_at: createdAt,
      revoked_at: null,
      overlap_until: null,
      cut_at: null,
    },
  };
}

function nameTaken(): ServiceError {
  const detail = 'must be another name, since an active token has this one; or revoke that token first';
  return new ServiceError('name_taken', 'the name of the token is in use', { errors: [{ pointer: '/name', detail }] });
}

function tooManyTokens(liveMax: number): ServiceError {
  return new ServiceError('limit_reached', `a workspace may have at most ${liveMax} live tokens; revoke unused ones`);
}

function notActive(): ServiceError {
  return new ServiceError('token_not_active', 'the token is revoked or expired; issue a new token');
}
