import { parseJsonText } from '@answer-evidence/encoding';
import { type StoredAccess, type StoredAsset, StoredDamageError, type Workspace } from '@answer-evidence/ports';
import type { AccessDetails, AssetDetails, EvidenceDetailRow } from '@answer-evidence/tables';

/**
 * The details of an asset; undefined when erased, or never there. Throws `VaultError` when altered, and
 * `StoredDamageError` when gone though nothing was erased.
 */
export function openAssetDetails(workspace: Workspace, stored: StoredAsset): AssetDetails | undefined {
  if (stored.details === undefined && stored.asset.details_json.includes('"sha256:')) assertErased(stored);
  return open(workspace, stored.details) as AssetDetails | undefined;
}

/**
 * Throws `StoredDamageError` for an asset of which something is gone, and no leaf says why: what is erased is deleted
 * with the transaction that appends its leaf.
 */
export function assertErased({ redactions, expiries }: StoredAsset): void {
  if (redactions.length + expiries.length === 0) throw new StoredDamageError('a part of an asset is gone');
}

/**
 * Throws `StoredDamageError` for accesses of an asset whose purposes are gone, where no leaf of the asset says why: a
 * redaction erases those of the accesses that it found the asset by, and an expiry all before it.
 */
export function assertPurposesErased(missing: readonly StoredAccess[], { redactions, expiries }: StoredAsset): void {
  const redacted = new Set(redactions.flatMap(({ redaction }) => parseJsonText(redaction.access_ids_json)));
  const expiredAt = expiries.at(-1)?.leaf.leaf_index ?? -1;
  for (const { access, leaf } of missing)
    if (!redacted.has(access.id) && leaf.leaf_index >= expiredAt)
      throw new StoredDamageError('the purpose of an access is gone');
}

/** The details of an access; undefined when gone, or never there. Throws `VaultError` when altered. */
export function openAccessDetails(workspace: Workspace, row: EvidenceDetailRow | undefined): AccessDetails | undefined {
  return open(workspace, row) as AccessDetails | undefined;
}

// What authenticates was written by this service, so its shape needs no check.
function open({ vault }: Workspace, row: EvidenceDetailRow | undefined): unknown {
  if (row === undefined) return undefined;
  return parseJsonText(vault.openObjectKey(row.object_id, row.wrapped_key).open('details', row.sealed));
}
