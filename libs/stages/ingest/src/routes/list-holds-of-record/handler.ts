import { listHoldsOfRecord } from '@answer-evidence/contracts/operations';
import { formatTimestamp } from '@answer-evidence/encoding';
import { holdsOver } from '@answer-evidence/lifecycle';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { getStoredHold } from '../../holds/get-stored-hold.ts';
import { toHoldable } from '../../prepare/to-holdable.ts';
import { findOwnRecord } from '../../resources/load-record.ts';

/** `GET /api/holds/of-record/{answer_log_id}`: the holds in force that cover a record, oldest first. */
export function listHoldsOfRecordRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...listHoldsOfRecord,
    async handle({ params, caller }) {
      const record = await findOwnRecord(deps, caller, params.answer_log_id);
      const { holds } = await deps.holds.inForce(caller.workspaceId);
      const items = [];
      for (const { id, matter } of holdsOver(holds, [toHoldable(record)])) {
        const { leaf } = await getStoredHold(deps, caller.workspaceId, id);
        items.push({ id, matter, placed_at: formatTimestamp(leaf.at) });
      }
      return { status: 200, body: { items } };
    },
  });
}
