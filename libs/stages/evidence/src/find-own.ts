import { assertApplication, type Caller } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import type { StoredAsset, StoredRecord } from '@answer-evidence/ports';
import type { EvidenceDeps } from './deps.ts';

/** An asset of the caller's workspace. Throws `not_found`, or `application_not_allowed` for another application's. */
export async function findOwnAsset(
  { evidence }: Pick<EvidenceDeps, 'evidence'>,
  caller: Caller,
  assetId: string,
): Promise<StoredAsset> {
  const stored = await evidence.find(caller.workspaceId, assetId);
  if (stored === undefined) throw new ServiceError('not_found', 'no such asset exists in this workspace; check its id');
  assertApplication(caller, stored.asset);
  return stored;
}

/** A record of the caller's workspace, likewise. */
export async function findOwnRecord(
  { records }: Pick<EvidenceDeps, 'records'>,
  caller: Caller,
  recordId: string,
): Promise<StoredRecord> {
  const stored = await records.find(caller.workspaceId, recordId);
  if (stored === undefined)
    throw new ServiceError('not_found', 'no such record exists in this workspace; check its id');
  assertApplication(caller, stored.record);
  return stored;
}
