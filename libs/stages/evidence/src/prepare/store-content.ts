import { ServiceError } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import { formatObjectName, newId, type Workspace } from '@answer-evidence/ports';
import type { EvidenceContentRow } from '@answer-evidence/tables';
import type { EvidenceDeps } from '../deps.ts';
import { inspectContent, type InspectedContent } from './inspect-content.ts';

/** A content whose bytes are in the object store, under a name that nobody knows yet. */
export type StoredContent = InspectedContent & { readonly row: EvidenceContentRow; readonly digest: Uint8Array };

/**
 * Streams a content into the object store, sealed and hashed on the way. Nothing is left when it throws:
 * `body_too_large` while it streams, `content_empty`, `hash_mismatch` when it is not what the caller said,
 * `object_store_unavailable`, or what the source throws.
 */
export async function storeContent(
  deps: Pick<EvidenceDeps, 'objects' | 'clock' | 'random'>,
  workspace: Workspace,
  source: AsyncIterable<Uint8Array>,
  { bytesMax, sha256Hex }: { readonly bytesMax: number; readonly sha256Hex: string | undefined },
): Promise<StoredContent> {
  const contentId = newId(deps);
  const key = workspace.vault.createContentKey(contentId);
  const inspection = inspectContent(source, bytesMax);
  const sealing = key.seal(inspection.bytes);
  const name = formatObjectName(workspace.id, contentId);
  await deps.objects.put(name, sealing.sealed);
  // From here on the object exists; the caller makes it known or discards it. A crash leaves it to the sweep.
  const { sizeBytes, sha256 } = sealing.finish();
  const hex = formatHex(sha256);
  if (sha256Hex !== undefined && sha256Hex !== hex) {
    await discardContent(deps, workspace, contentId);
    const detail = 'must be the SHA-256 of the content';
    throw new ServiceError('hash_mismatch', 'the content does not match sha256', {
      errors: [{ pointer: '/sha256', detail }],
    });
  }
  const row = {
    id: contentId,
    content_hash: `sha256:${hex}`,
    size_bytes: sizeBytes,
    wrapped_key: key.wrapped,
  };
  return { ...inspection.finish(), row, digest: sha256 };
}

/** Deletes the object of a content that has no row. One that cannot be deleted now is swept later. */
export async function discardContent(
  { objects }: Pick<EvidenceDeps, 'objects'>,
  workspace: Workspace,
  contentId: string,
): Promise<void> {
  try {
    await objects.delete(formatObjectName(workspace.id, contentId));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'object_store_unavailable') throw error;
  }
}
