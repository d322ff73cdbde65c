import { actorOf, assertApplication } from '@answer-evidence/access';
import { type CreateRunRequest, ServiceError } from '@answer-evidence/contracts';
import { createReconciliationRun } from '@answer-evidence/contracts/operations';
import { canonicalize, formatHex, parseHex } from '@answer-evidence/encoding';
import { formatFingerprint, isSameRequest } from '@answer-evidence/ledger';
import { newId, type WorkspaceVault } from '@answer-evidence/ports';
import { formatReferenceSet, lineSetOf } from '@answer-evidence/reconciliation';
import { assertStillAllowed, defineRoute, type Route } from '@answer-evidence/routes';
import type { RunRow } from '@answer-evidence/tables';
import type { ReconcileDeps } from '../../deps.ts';
import { assertRun, type CheckedRun, checkRun } from '../../prepare/check-run.ts';
import { readIdempotencyKey } from '../../prepare/idempotency-key.ts';
import { type ReferenceColumns, rowsOf, sentReferences, toColumns } from '../../prepare/reference-columns.ts';
import { toRunResource } from '../../resources/to-run-resource.ts';

/** `POST /api/reconciliations/runs`: keeps the caller's list; a job compares it with the records. */
export function createRunRoute(deps: ReconcileDeps): Route {
  return defineRoute({
    ...createReconciliationRun,
    digest(body): DigestedRun {
      const { references: sent, ...rest } = body;
      const { references, ...checked } = checkRun(body);
      const root = lineSetOf(formatReferenceSet(references)).root;
      return { checked, root, rest, references: toColumns(sent, references) };
    },
    async handle(request) {
      const { checked, root, rest, references } = request.body;
      const { caller } = request;
      assertApplication(caller, { application_key: checked.applicationKey, environment: checked.environment });
      const idempotencyKey = readIdempotencyKey(request.header('idempotency-key'));
      const workspace = await deps.directory.get(caller.workspaceId);
      const now = deps.clock.nowMicros();
      assertRun(checked, now);
      const columns = columnsOf(checked, references.ids.length, root);
      const run: Omit<RunRow, 'mac'> = {
        ...columns,
        id: newId(deps),
        created_by_json: canonicalize(actorOf(caller)),
        created_at: now,
        idempotency_key: idempotencyKey,
        fingerprint: fingerprintOf(workspace.vault, columns),
      };
      await assertStillAllowed(deps, caller, 'reconciliations.run', columns);
      const { stored, isReplayed } = await deps.reconciliations.create(workspace.id, run, rowsOf(references));
      const asItWasSent = () => {
        const body = canonicalize({ ...rest, references: sentReferences(references) });
        return workspace.vault.fingerprint(`reconciliation\n${body}`);
      };
      if (isReplayed && !isSameRequest(stored.run.fingerprint, run.fingerprint, asItWasSent))
        throw new ServiceError(
          'idempotency_payload_mismatch',
          'the Idempotency-Key was used with another payload for this application; use a new key for a new request',
        );
      return {
        status: 202,
        headers: {
          Location: `/api/reconciliations/runs/${stored.run.id}`,
          ...(isReplayed ? { 'Idempotency-Replayed': 'true' } : {}),
        },
        body: toRunResource(workspace, stored),
      };
    },
  });
}

/** What follows from a body alone, so that it can be made in another thread: a list may have thousands of lines. */
type DigestedRun = {
  readonly checked: Omit<CheckedRun, 'references'>;
  /** Of the tree over the lines of the references, in hex. */
  readonly root: string;
  /** The body without its references; older runs are compared by all that was sent. */
  readonly rest: Omit<CreateRunRequest, 'references'>;
  readonly references: ReferenceColumns;
};

function columnsOf(checked: DigestedRun['checked'], referenceCount: number, root: string) {
  return {
    application_key: checked.applicationKey,
    environment: checked.environment,
    match_on: checked.matchOn,
    window_start: checked.windowStart,
    window_end: checked.windowEnd,
    max_lateness_seconds: checked.maxLatenessSeconds,
    reference_count: referenceCount,
    references_root: parseHex(root),
  };
}

/** What two requests with one key are compared by: what each amounts to, under a key outside the database. */
function fingerprintOf(vault: WorkspaceVault, columns: ReturnType<typeof columnsOf>): Uint8Array {
  const effective = { ...columns, references_root: formatHex(columns.references_root) };
  return formatFingerprint(vault.fingerprint(`reconciliation\n2\n${canonicalize(effective)}`));
}
