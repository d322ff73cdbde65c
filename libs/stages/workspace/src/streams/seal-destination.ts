import { type StreamDestination, streamDestination } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import type { Workspace } from '@answer-evidence/ports';
import type { StreamRow } from '@answer-evidence/tables';

type SealedColumns = Pick<StreamRow, 'object_id' | 'wrapped_key' | 'sealed'>;

/** Seals a destination under a key of its own, made for the entry that brings it. */
export function sealDestination(
  { vault }: Workspace,
  entryId: string,
  streamId: string,
  destination: StreamDestination,
): SealedColumns {
  const key = vault.createObjectKey(entryId);
  return {
    object_id: entryId,
    wrapped_key: key.wrapped,
    sealed: key.seal(fieldOf(streamId), JSON.stringify(destination)),
  };
}

/** Opens it. Throws `VaultError` when anything was altered. */
export function openDestination({ vault }: Workspace, row: StreamRow): StreamDestination {
  const text = vault.openObjectKey(row.object_id, row.wrapped_key).open(fieldOf(row.id), row.sealed);
  return streamDestination.parse(parseJsonText(text));
}

function fieldOf(streamId: string): string {
  return `stream/${streamId}`;
}
