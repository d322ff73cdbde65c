import type { TokenRevokedCore } from '@answer-evidence/contracts';
import type { Decision, LogState, Write } from '../append-command.ts';
import type { MemberState } from '../members.ts';
import { placeWorkspaceEntry } from './workspace-entry.ts';

/** Whether no token was issued or ended since the preparation: every revocation has its entry, and exactly one. */
export function isEachEnded(
  revocations: readonly TokenRevokedCore[],
  view: LogState,
  { tokens }: Pick<MemberState, 'tokens'>,
): boolean {
  const live = new Set(tokens.map(({ id }) => id));
  const ended = new Set(revocations.map(({ token_id: id }) => id));
  const isGood = ({ expiresAt, goodUntil = expiresAt }: MemberState['tokens'][number]) => goodUntil > view.at;
  return tokens.every((token) => ended.has(token.id) || !isGood(token)) && [...ended].every((id) => live.has(id));
}

/** The decision with the end of each of the member's tokens, which has an entry of its own. */
export function withRevocations(
  workspaceId: string,
  appended: Extract<Decision, { kind: 'append' }>,
  revocations: readonly TokenRevokedCore[],
  view: LogState,
  { tokens }: MemberState,
): Decision {
  const rotated = new Set(tokens.filter(({ goodUntil }) => goodUntil !== undefined).map(({ id }) => id));
  const placed = revocations.map((core) => placeWorkspaceEntry(workspaceId, { type: 'token_revoked', seq: 0, core }));
  return {
    kind: 'append',
    entries: [...appended.entries, ...placed.map(({ entry }) => entry)],
    writes: [
      ...appended.writes,
      ...placed.map(({ write }) => write),
      ...revocations.map(({ token_id: tokenId }, n): Write => {
        // Each at the time of its own entry, which follows the member's.
        const at = view.at + 1 + n;
        return rotated.has(tokenId)
          ? { kind: 'cut_token', tokenId, at }
          : { kind: 'revoke_token', tokenId, at, overlapUntil: null };
      }),
    ],
  };
}
