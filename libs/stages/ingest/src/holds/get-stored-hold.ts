import type { StoredHold } from '@answer-evidence/ports';
import type { IngestDeps } from '../deps.ts';
import { noHold } from './prepare-hold.ts';

/** A hold of the workspace. Throws `not_found`. */
export async function getStoredHold(
  { holds }: Pick<IngestDeps, 'holds'>,
  workspaceId: string,
  holdId: string,
): Promise<StoredHold> {
  const found = await holds.find(workspaceId, holdId.toLowerCase());
  if (found === undefined) throw noHold();
  return found;
}
