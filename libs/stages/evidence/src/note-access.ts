import { actorOf, type Caller } from '@answer-evidence/access';
import type { EvidenceAccessKind, EvidenceRange } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import { type AppendedEntry, createEvidenceAccessCommand } from '@answer-evidence/ledger';
import { newId, newNonce, type StoredAsset, type Workspace } from '@answer-evidence/ports';
import type { EvidenceDeps } from './deps.ts';
import { sealPurpose } from './prepare/seal-details.ts';

/** What somebody wants of an asset. */
type WantedAccess = {
  readonly access: EvidenceAccessKind;
  /** Indexes of segments, ascending; null: all. */
  readonly segments: readonly number[] | null;
  readonly range: EvidenceRange | null;
  readonly purpose: string | null;
  readonly needsOriginal: boolean;
};

/** An access that stands in the log. */
export type NotedAccess = { readonly id: string; readonly sourceRefId: string; readonly entry: AppendedEntry };

/**
 * Appends an access to the log, durably, before anything is sent. The caller must read the asset afterwards, so that it
 * sees an erasure that came first. An access whose response was lost is still one, and so is each retry. Throws
 * `gone_redacted` if the original is needed and erased.
 */
export async function noteAccess(
  deps: Pick<EvidenceDeps, 'ledger' | 'clock' | 'random'>,
  workspace: Workspace,
  caller: Caller,
  { asset }: StoredAsset,
  wanted: WantedAccess,
): Promise<NotedAccess> {
  const id = newId(deps);
  const sourceRefId = `evidence:${id}`;
  const purpose = sealPurpose(deps.random, workspace, asset.id, id, wanted.purpose);
  const command = createEvidenceAccessCommand({
    row: {
      id,
      asset_id: asset.id,
      nonce: newNonce(deps),
      application_key: asset.application_key,
      access: wanted.access,
      segments_json: canonicalize(wanted.segments),
      range_json: canonicalize(wanted.range),
      source_ref_id: sourceRefId,
      purpose_hash: purpose.hash,
      actor_json: canonicalize(actorOf(caller)),
    },
    details: purpose.row,
    needsOriginal: wanted.needsOriginal,
  });
  const outcome = await deps.ledger.append(workspace.id, () => command);
  const entry = outcome.kind === 'appended' ? outcome.entries[0] : undefined;
  if (entry === undefined) throw new Error('an access has no key, so it is no replay');
  return { id, sourceRefId, entry };
}
