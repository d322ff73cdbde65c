import { hashItem } from '@answer-evidence/commitments';
import { type RequestedAct, requestedAct, ServiceError } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { type StoredApproval, VaultError, type Workspace } from '@answer-evidence/ports';
import type { SealedApproval } from '@answer-evidence/tables';

/** The field that a request for a second person is sealed as. */
export const REQUEST_FIELD = 'approval-request';

/** What was asked for; undefined once the request has ended. Throws `content_damaged` where it was altered. */
export function openRequest(workspace: Workspace, { row, asked }: StoredApproval): RequestedAct | undefined {
  if (row.sealed.length === 0) return undefined;
  const { salt, request } = openSealed(workspace, row);
  if (hashItem(salt, request) !== asked.request_hash) throw damaged();
  return requestedAct.parse(parseJsonText(request));
}

function openSealed({ vault }: Workspace, row: StoredApproval['row']): SealedApproval {
  try {
    const opened = vault.openObjectKey(row.id, row.wrapped_key).open(REQUEST_FIELD, row.sealed);
    // Nobody else can have sealed it.
    return parseJsonText(opened) as SealedApproval;
  } catch (error) {
    if (error instanceof VaultError) throw damaged(error);
    throw error;
  }
}

function damaged(cause?: unknown): ServiceError {
  return new ServiceError('content_damaged', 'what was asked for was altered; run a ledger check, and ask anew', {
    remedy: 'give-up',
    cause,
  });
}
