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

/** What is said of a destination that cannot be opened any more. */
export const DESTINATION_DAMAGED = 'the stored destination is damaged; set it anew';

/** Opens it. Throws `VaultError` when anything was altered. */
function openDestination({ vault }: Workspace, row: StreamRow): StreamDestination {
  const text = vault.openObjectKey(row.object_id, row.wrapped_key).open(fieldOf(row.id), row.sealed);
  return streamDestination.parse(parseJsonText(text));
}

/** The same where a destination that was altered in the database must hold up nothing: it can be set anew. */
export function openOrUndefined(workspace: Workspace, row: StreamRow): StreamDestination | undefined {
  try {
    return openDestination(workspace, row);
  } catch {
    return undefined;
  }
}

function fieldOf(streamId: string): string {
  return `stream/${streamId}`;
}
