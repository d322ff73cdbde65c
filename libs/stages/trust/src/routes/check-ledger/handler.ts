import { emptyRequest, ledgerCheckReport } from '@answer-evidence/contracts';
import { authenticated, defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';

/** `POST /api/trust/ledger-checks`: re-derives the whole ledger of the workspace and names every fault. */
export function checkLedgerRoute(deps: TrustDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/trust/ledger-checks',
    operationId: 'checkLedger',
    summary: 'Check the whole ledger',
    access: 'ledger.check',
    body: emptyRequest,
    bodyOptional: true,
    responses: { 200: { description: 'What was re-derived, and the faults', schema: ledgerCheckReport } },
    async handle({ caller: sentBy }) {
      const caller = authenticated(sentBy);
      const workspace = await deps.directory.get(caller.workspaceId);
      return { status: 200, body: await deps.checkLedger(workspace) };
    },
  });
}
