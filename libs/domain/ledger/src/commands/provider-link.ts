import { type MemberChange, ServiceError } from '@answer-evidence/contracts';
import type { ProviderLinkRow } from '@answer-evidence/tables';
import type { Write } from '../append-command.ts';
import type { MemberState } from '../members.ts';

/** What becomes of a member's provider link with an entry. */
type PlannedLink = {
  readonly after: MemberState['provider'];
  readonly changes: readonly MemberChange[];
  readonly writes: readonly Write[];
};

/**
 * Links a member to the subject of this row, to none (null), or leaves them as they are (undefined). Nobody else may be
 * linked to the subject: then it says so.
 */
export function planLink(
  wanted: ProviderLinkRow | null | undefined,
  members: readonly MemberState[],
  /** Undefined: somebody who is added. */
  state: MemberState | undefined,
): PlannedLink | ServiceError {
  const { row, provider } = state ?? {};
  if (wanted === undefined) return { after: provider, changes: [], writes: [] };
  if (wanted === null)
    return row === undefined || provider === undefined
      ? { after: undefined, changes: [], writes: [] }
      : {
          after: undefined,
          changes: ['provider_unlinked'],
          writes: [{ kind: 'drop_provider_link', memberId: row.id }],
        };
  const { entry_id: entryId, issuer, subject } = wanted;
  const isSubject = (other: MemberState['provider']) => other?.issuer === issuer && other.subject === subject;
  if (isSubject(provider)) return { after: provider, changes: [], writes: [] };
  const holder = members.find((other) => isSubject(other.provider));
  if (holder !== undefined)
    return new ServiceError('name_taken', 'another member is linked to this subject of the provider', {
      errors: [
        { pointer: '/provider/subject', detail: `must be another subject, or unlink ${holder.row.username} first` },
      ],
    });
  return {
    after: { entryId, issuer, subject },
    changes: ['provider_linked'],
    writes: [{ kind: 'replace', table: 'provider_links', row: wanted }],
  };
}
