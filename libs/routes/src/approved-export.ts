import { type RequestedAct, ServiceError } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import type { OwnExport } from '@answer-evidence/ledger';
import type { ApprovalStore, Workspace } from '@answer-evidence/ports';
import { openRequest } from './open-request.ts';

/** A request for an export, and what it asks for: undefined once it has ended or was used. */
type FoundExport = {
  readonly request: RequestedAct | undefined;
  /** As the command of the export takes it; `made`: what is about to leave. */
  approve(made: RequestedAct): NonNullable<OwnExport['approved']>;
};

/** The request that a caller names for their export; undefined where they name none. Throws `not_found`. */
export async function findExportRequest(
  approvals: Pick<ApprovalStore, 'find'>,
  workspace: Workspace,
  approvalId: string | undefined,
): Promise<FoundExport | undefined> {
  if (approvalId === undefined) return undefined;
  const stored = await approvals.find(workspace.id, approvalId.toLowerCase());
  if (stored === undefined)
    throw new ServiceError('not_found', 'no such request for approval exists in this workspace; check its id');
  const request = openRequest(workspace, stored);
  const { row, asked, decided } = stored;
  return {
    request,
    approve: (made) => ({
      // Who asked, for what and until when is what its entry says.
      row: { ...row, act: asked.act },
      expiresAt: asked.expires_at,
      requester: asked.actor,
      approver: decided?.core.decision === 'approved' ? decided.core.actor : undefined,
      isSame: request !== undefined && canonicalize(request) === canonicalize(made),
    }),
  };
}
