import { type Approval, type JsonObject, type RequestedAct, withoutSecret } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import type { StoredApproval, Workspace } from '@answer-evidence/ports';
import { openRequest } from '@answer-evidence/routes';

/** A request as the API returns it. `shows`: whether with what was asked for, which may have texts of a reason. */
export function toApprovalResource(
  workspace: Workspace,
  stored: StoredApproval,
  nowMicros: number,
  shows: boolean,
): Approval {
  const { row, asked, decided } = stored;
  const isOverdue = row.state === 'open' && row.expires_at <= nowMicros;
  const state = row.state === 'used' ? 'approved' : row.state;
  const request = shows ? openRequest(workspace, stored) : undefined;
  return {
    id: row.id,
    act: asked.act,
    state: isOverdue ? 'expired' : state,
    reason: asked.reason,
    subject: {
      answer_log_id: asked.answer_log_id ?? null,
      member_id: asked.member_id ?? null,
      hold_id: asked.hold_id ?? null,
    },
    request: request === undefined ? null : withoutSecrets(request),
    requested_by: asked.actor,
    requested_at: formatTimestamp(row.requested_at),
    expires_at: asked.expires_at,
    decided_by: decided?.core.actor ?? null,
    decided_at: decided === undefined ? null : formatTimestamp(decided.at),
    entry_ids: decided?.core.entry_ids ?? [],
    used: asked.act === 'export' ? row.state === 'used' : null,
  };
}

/** A secret is for where it is used: who decides sees that an anchor changes, and never what it is reached with. */
function withoutSecrets(request: RequestedAct): JsonObject {
  const { trust_policy: policy } = request;
  const shown =
    policy === undefined ? request : { trust_policy: { ...policy, anchors: policy.anchors.map(withoutSecret) } };
  return shown;
}
