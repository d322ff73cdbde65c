import { hashCoreText } from '@answer-evidence/commitments';
import { type ProofLink, type ProofLinkCore, proofLinkCore, proofLinkUseCore } from '@answer-evidence/contracts';
import { equalBytes, formatTimestamp, parseJsonText, parseTimestamp } from '@answer-evidence/encoding';
import { StoredDamageError, type StoredEntry } from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';

/** A link as the log has it. */
export type StoredLink = {
  readonly core: ProofLinkCore;
  readonly madeAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  /** The last opening that is an entry. */
  readonly opened: { readonly entryId: string; readonly at: number } | null;
};

/** The links to a record, newest first. The log is all that is kept of them. */
export async function readLinks(
  { entries }: Pick<TrustDeps, 'entries'>,
  workspaceId: string,
  recordId: string,
): Promise<readonly StoredLink[]> {
  const stored = await entries.aboutProofLinks(workspaceId, recordId);
  const uses = stored
    .filter(({ row }) => row.type !== 'proof_link_made')
    .map((entry) => ({ entry, linkId: readEntryCore(entry, proofLinkUseCore).proof_link_id }));
  const lastUse = (type: string, linkId: string) =>
    uses.find(({ entry, linkId: used }) => entry.row.type === type && used === linkId)?.entry;
  return stored.flatMap((entry): StoredLink[] => {
    if (entry.row.type !== 'proof_link_made') return [];
    const core = readEntryCore(entry, proofLinkCore);
    const opened = lastUse('proof_link_opened', core.id);
    return [
      {
        core,
        madeAt: entry.leaf.at,
        expiresAt: parseTimestamp(core.expires_at),
        revokedAt: lastUse('proof_link_revoked', core.id)?.leaf.at ?? null,
        opened: opened === undefined ? null : { entryId: opened.row.id, at: opened.leaf.at },
      },
    ];
  });
}

/** The core of an entry, which is the one that its leaf commits to. Throws `StoredDamageError`. */
export function readEntryCore<Core>({ row, leaf }: StoredEntry, schema: { parse(core: unknown): Core }): Core {
  if (!equalBytes(hashCoreText(row.type, row.core_json), leaf.hash))
    throw new StoredDamageError('an entry about a link is not the one that its leaf commits to');
  return schema.parse(parseJsonText(row.core_json));
}

/** A link as it is listed. */
export function toProofLink({ core, madeAt, revokedAt, opened }: StoredLink): ProofLink {
  return {
    id: core.id,
    answer_log_id: core.answer_log_id,
    shows: core.shows,
    created_at: formatTimestamp(madeAt),
    created_by: core.actor,
    expires_at: core.expires_at,
    revoked_at: revokedAt === null ? null : formatTimestamp(revokedAt),
    opened_at: opened === null ? null : formatTimestamp(opened.at),
  };
}

/** Whether it opens its record at a moment. */
export function isLive({ revokedAt, expiresAt }: StoredLink, now: number): boolean {
  return revokedAt === null && now < expiresAt;
}
