import { actorOf } from '@answer-evidence/access';
import { revealTexts } from '@answer-evidence/contracts/operations';
import { createRevealCommand, guardCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { findOwnRecord, toRecordWithReceipt } from '../../resources/load-record.ts';

/** `POST /api/answer-audit-logs/{answer_log_id}/reveal`: a record with its texts, and an entry that says why. */
export function revealTextsRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...revealTexts,
    async handle(request) {
      const { caller } = request;
      const workspace = await deps.directory.get(caller.workspaceId);
      const { record } = await findOwnRecord(deps, caller, request.params.answer_log_id);
      const { id } = record;
      const reveal = { answer_log_id: id, ...request.body, actor: actorOf(caller) };
      // The log says that somebody reads the texts before they leave.
      const identity = newCoreIdentity(deps);
      const command = createRevealCommand(workspace.id, identity, reveal);
      await deps.ledger.append(workspace.id, () => guardCommand(command, reveal.actor, 'texts.read', record));
      const stored = await findOwnRecord(deps, caller, id);
      const door = { texts: 'shown', vouchedBy: identity.id } as const;
      return { status: 200, body: await toRecordWithReceipt(deps, workspace, stored, door) };
    },
  });
}
