import { type EvidenceRange, ServiceError } from '@answer-evidence/contracts';
import { formatObjectName, ObjectMissingError, sealedSizeOf, VaultError, type Workspace } from '@answer-evidence/ports';
import type { EvidenceContentRow } from '@answer-evidence/tables';
import type { EvidenceDeps } from './deps.ts';

/** An original, or a range of it that lies within. */
type WantedOriginal = {
  readonly assetId: string;
  readonly content: EvidenceContentRow;
  readonly range?: EvidenceRange | undefined;
};

/**
 * The bytes of an original. Each piece has authenticated before it is yielded. Throws `gone_redacted` where an erasure
 * was faster, `object_store_unavailable` while the store is unavailable, and `content_damaged`, with what was found as
 * its cause, where an asset that is there has no object, a part of it or another one.
 */
export async function* readOriginal(
  { objects, evidence }: Pick<EvidenceDeps, 'objects' | 'evidence'>,
  workspace: Workspace,
  { assetId, content, range }: WantedOriginal,
): AsyncGenerator<Uint8Array> {
  const name = formatObjectName(workspace.id, content.id);
  try {
    // Now, and not at the frame that lacks: then a part is sent, and all that is left is to break off.
    const object = await objects.find(name);
    if (object === undefined) throw new ObjectMissingError('no such object');
    if (object.sizeBytes !== sealedSizeOf(content.size_bytes))
      throw new VaultError('a sealed content has another size');
    const key = workspace.vault.openContentKey(content.id, content.wrapped_key);
    yield* key.open({
      sizeBytes: content.size_bytes,
      ...(range === undefined ? {} : { range }),
      readSealed: (sealed) => objects.read(name, sealed),
    });
  } catch (cause) {
    if (!(cause instanceof ObjectMissingError) && !(cause instanceof VaultError)) throw cause;
    // Objects go after the row that says so, so a row that is read now tells a purge from a damage.
    const stored = await evidence.find(workspace.id, assetId);
    if (stored?.content?.id !== content.id)
      throw new ServiceError('gone_redacted', 'the original was redacted or has expired; do not retry', { cause });
    const what =
      cause instanceof ObjectMissingError ? 'is missing from the object store' : 'was altered in the object store';
    const detail = `the original of asset ${assetId} ${what}; the operator must put it back`;
    throw new ServiceError('content_damaged', detail, { remedy: 'give-up', cause });
  }
}
