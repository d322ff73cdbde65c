import * as z from 'zod';
import { isAllowed } from '@answer-evidence/access';
import { listApprovals } from '@answer-evidence/contracts/operations';
import type { StoredApproval } from '@answer-evidence/ports';
import { askPage, defineRoute, type Route } from '@answer-evidence/routes';
import type { ApprovalDeps } from '../../approvals/deps.ts';
import { toApprovalResource } from '../../approvals/to-approval-resource.ts';

/** When the last one before a page was asked for, in microseconds: no two of a workspace are of one time. */
const askedPlace = z.int().nonnegative();

/** `GET /api/approvals`: requests for a second person, newest first. */
export function listApprovalsRoute(deps: ApprovalDeps): Route {
  return defineRoute({
    ...listApprovals,
    async handle({ query: { page, size, cursor, state }, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const list = { list: 'approvals', ...(state === undefined ? {} : { state }) };
      const asked = askPage(workspace.vault, list, askedPlace, { page, size, cursor });
      const nowMicros = deps.clock.nowMicros();
      const { after: before, offset, limit } = asked;
      const found = await deps.approvals.list(workspace.id, { state, nowMicros }, { before, offset, limit });
      const shows = isAllowed(caller, 'approvals');
      const toItem = (stored: StoredApproval) => toApprovalResource(workspace, stored, nowMicros, shows);
      return { status: 200, body: asked.show(found, ({ row }) => row.requested_at, toItem) };
    },
  });
}
