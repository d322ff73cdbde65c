import { actorOf, type Caller, decideReading } from '@answer-evidence/access';
import { type EvidenceAccessKind, type EvidenceRange, ServiceError } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import { type AppendedEntry, createEvidenceAccessCommand, guardCommand } from '@answer-evidence/ledger';
import { newId, newNonce, type StoredAsset, type Workspace } from '@answer-evidence/ports';
import { readingReasonOf, type WithHeaders } from '@answer-evidence/routes';
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

/** Who wants it, and the request by which they may say why. */
export type Accessor = { readonly caller: Caller; readonly request: WithHeaders };

/** An access that stands in the log. */
export type NotedAccess = { readonly id: string; readonly sourceRefId: string; readonly entry: AppendedEntry };

/**
 * Appends an access to the log, durably, before anything is sent. The caller must read the asset afterwards, so that it
 * sees an erasure that came first. An access whose response was lost is still one, and so is each retry. Throws
 * `gone_redacted` if the original is needed and erased, and `reason_required` if the workspace wants a purpose.
 */
export async function noteAccess(
  deps: Pick<EvidenceDeps, 'ledger' | 'clock' | 'random' | 'readFreshSettings'>,
  workspace: Workspace,
  { caller, request }: Accessor,
  { asset }: StoredAsset,
  wanted: WantedAccess,
): Promise<NotedAccess> {
  const given = wanted.purpose ?? purposeOf(request);
  await assertMayRead(deps, caller, given !== null);
  const id = newId(deps);
  const sourceRefId = `evidence:${id}`;
  const purpose = sealPurpose(deps.random, workspace, asset.id, id, given);
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
  const outcome = await deps.ledger.append(workspace.id, () =>
    guardCommand(command, actorOf(caller), 'evidence.texts', asset),
  );
  const entry = outcome.kind === 'appended' ? outcome.entries[0] : undefined;
  if (entry === undefined) throw new Error('an access has no key, so it is no replay');
  return { id, sourceRefId, entry };
}

/** The reason of any reading is the purpose of this one, where the body has none. */
function purposeOf(request: WithHeaders): string | null {
  const reason = readingReasonOf(request);
  return reason === undefined ? null : `${reason.reason_code}: ${reason.reason}`;
}

/** An access is an entry under every rule, so the one that wants a reason is all that can refuse it. */
async function assertMayRead(
  { readFreshSettings }: Pick<EvidenceDeps, 'readFreshSettings'>,
  caller: Caller,
  hasPurpose: boolean,
): Promise<void> {
  if (caller.kind === 'application' || hasPurpose) return;
  const { values } = await readFreshSettings(caller.workspaceId);
  if (decideReading(values.answer_audit_reading_rule, caller, hasPurpose) === 'withhold')
    throw new ServiceError('reason_required', 'this workspace gives evidence to people for a purpose only; say it', {
      errors: [{ pointer: '/purpose', detail: 'must say why the evidence is read' }],
    });
}
