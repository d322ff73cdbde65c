import { parseJsonText } from '@answer-evidence/encoding';
import type { Workspace } from '@answer-evidence/ports';
import type { AccessDetails, AssetDetails, EvidenceDetailRow } from '@answer-evidence/tables';

/** The details of an asset; undefined when gone, or never there. Throws `VaultError` when altered. */
export function openAssetDetails(workspace: Workspace, row: EvidenceDetailRow | undefined): AssetDetails | undefined {
  return open(workspace, row) as AssetDetails | undefined;
}

/** The details of an access, likewise. */
export function openAccessDetails(workspace: Workspace, row: EvidenceDetailRow | undefined): AccessDetails | undefined {
  return open(workspace, row) as AccessDetails | undefined;
}

// What authenticates was written by this service, so its shape needs no check.
function open({ vault }: Workspace, row: EvidenceDetailRow | undefined): unknown {
  if (row === undefined) return undefined;
  return parseJsonText(vault.openObjectKey(row.object_id, row.wrapped_key).open('details', row.sealed));
}
