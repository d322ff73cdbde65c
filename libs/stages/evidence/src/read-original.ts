import type { EvidenceContentRow, EvidenceRange } from '@answer-evidence/contracts';
import { formatObjectName, type Workspace } from '@answer-evidence/ports';
import type { EvidenceParts } from './parts.ts';

/**
 * The bytes of an original, or of a range of it that lies within. Each piece has authenticated before it is yielded. Throws
 * `object_store_unavailable`, `ObjectMissingError`, or `VaultError` for a byte that was altered.
 */
export function readOriginal(
  { objects }: Pick<EvidenceParts, 'objects'>,
  workspace: Workspace,
  content: EvidenceContentRow,
  range?: EvidenceRange,
): AsyncIterable<Uint8Array> {
  const name = formatObjectName(workspace.id, content.id);
  return workspace.vault.openContentKey(content.id, content.wrapped_key).open({
    sizeBytes: content.size_bytes,
    ...(range === undefined ? {} : { range }),
    readSealed: (sealed) => objects.read(name, sealed),
  });
}
