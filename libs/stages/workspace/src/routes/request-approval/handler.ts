import { actorOf } from '@answer-evidence/access';
import { hashItem, ITEM_SALT_BYTES } from '@answer-evidence/commitments';
import { actOf, ALONE, type ApprovalRequestedCore } from '@answer-evidence/contracts';
import { APPROVAL_RIGHTS, requestApproval } from '@answer-evidence/contracts/operations';
import { canonicalize, formatHex, formatTimestamp } from '@answer-evidence/encoding';
import { createApprovalRequestCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { authenticatedUser, defineRoute, REQUEST_FIELD, type Route } from '@answer-evidence/routes';
import type { SealedApproval } from '@answer-evidence/tables';
import { findAct, placedIn } from '../../approvals/acts.ts';
import type { ApprovalDeps } from '../../approvals/deps.ts';
import { getStoredApproval } from '../../approvals/open-approval.ts';
import { toApprovalResource } from '../../approvals/to-approval-resource.ts';

/** `POST /api/approvals`: asks for an act, which is done when a second person approves it. */
export function requestApprovalRoute(deps: ApprovalDeps): Route {
  return defineRoute({
    ...requestApproval,
    async handle({ body: { reason, ...wanted }, caller }) {
      const user = authenticatedUser(caller);
      const workspace = await deps.directory.get(user.workspaceId);
      const actor = actorOf(user);
      const { kind, act } = findAct(deps.acts, wanted);
      const identity = newCoreIdentity(deps);
      await placedIn(kind, () =>
        deps.ledger.append(workspace.id, async (settings) => {
          const request = await act.pin(workspace, wanted);
          const command = await act.prepare({ workspace, settings, request, requester: actor, second: ALONE });
          const stored: SealedApproval = {
            salt: formatHex(deps.random.bytes(ITEM_SALT_BYTES)),
            request: canonicalize(request),
          };
          const name = actOf(request);
          const expiresAt = deps.clock.nowMicros() + settings.values.answer_audit_two_people.expires_within * 1_000_000;
          const recordId = request.event?.answer_log_id;
          const memberId = request.member?.member_id;
          const holdId = request.hold_release?.hold_id;
          const records = request.export?.records ?? request.pack?.answer_log_ids.length;
          const core: ApprovalRequestedCore = {
            ...identity,
            act: name,
            ...(recordId === undefined ? {} : { answer_log_id: recordId }),
            ...(memberId === undefined ? {} : { member_id: memberId }),
            ...(holdId === undefined ? {} : { hold_id: holdId }),
            ...(records === undefined ? {} : { records }),
            reason,
            request_hash: hashItem(stored.salt, stored.request),
            expires_at: formatTimestamp(expiresAt),
            actor,
          };
          const key = workspace.vault.createObjectKey(identity.id);
          return createApprovalRequestCommand({
            workspaceId: workspace.id,
            settings,
            requester: actor,
            right: APPROVAL_RIGHTS[name],
            core,
            command,
            row: {
              id: identity.id,
              act: name,
              subject_id: recordId ?? memberId ?? holdId ?? null,
              requested_by: user.userId,
              expires_at: expiresAt,
              state: 'open',
              decision_id: null,
              wrapped_key: key.wrapped,
              sealed: key.seal(REQUEST_FIELD, JSON.stringify(stored)),
            },
          });
        }),
      );
      const found = await getStoredApproval(deps.approvals, workspace.id, identity.id);
      return {
        status: 201,
        headers: { Location: `/api/approvals/${identity.id}` },
        body: toApprovalResource(workspace, found, deps.clock.nowMicros(), true),
      };
    },
  });
}
