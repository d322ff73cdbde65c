import { actorOf, assertApplication } from '@answer-evidence/access';
import { type CreatedResult, type CreatedResults, ENVIRONMENT_DEFAULT, ServiceError } from '@answer-evidence/contracts';
import { createAnswerRecords } from '@answer-evidence/contracts/operations';
import { canonicalize, formatHex } from '@answer-evidence/encoding';
import { guardCommand } from '@answer-evidence/ledger';
import { commitmentKey, createHashKeys, digestRecord, prepareRecord } from '@answer-evidence/preparation';
import { defineRoute, type Route, type RouteReply } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';

/** After how many records others have their turn: the preparation of one takes a tenth of a millisecond. */
const RECORDS_PER_TURN = 32;

/**
 * `POST /api/answer-audit-logs/batch`: many answers, one record each. A record that cannot be recorded as it was sent
 * is refused by itself. If the ledger cannot decide about one of them, the whole request fails and is to be sent again.
 */
export function createManyRecordsRoute(deps: IngestDeps): Route {
  const hashKeys = createHashKeys(deps.administration);
  return defineRoute({
    ...createAnswerRecords,
    digest: ({ records }) => records.map(digestRecord),
    async handle(request): Promise<RouteReply> {
      const { caller } = request;
      for (const { request: one } of request.body) {
        const { application_key, environment = ENVIRONMENT_DEFAULT } = one;
        assertApplication(caller, { application_key, environment });
      }
      const actorJson = canonicalize(actorOf(caller));
      const workspace = await deps.directory.get(caller.workspaceId);

      const create = async (digested: (typeof request.body)[number]): Promise<CreatedResult> => {
        if ('refusal' in digested) return { outcome: 'refused', ...refusalOf(digested.refusal) };
        const submission = {
          ...digested,
          idempotencyKey: digested.request.idempotency_key ?? null,
          actorJson,
        };
        const { application_key, idempotency_key, environment = ENVIRONMENT_DEFAULT } = digested.request;
        const outcome = await deps.ledger.append(workspace.id, async (settings) => {
          const key = await commitmentKey(hashKeys, workspace, settings);
          const command = prepareRecord(deps, workspace, settings, key, submission);
          return guardCommand(command, actorOf(caller), 'records.create', { application_key, environment });
        });
        const of = { application_key, ...(idempotency_key === undefined ? {} : { idempotency_key }) };
        if (outcome.kind === 'replayed') return { outcome: 'replayed', ...of, id: outcome.objectId };
        const [entry] = outcome.entries;
        const { row } = outcome.command.record;
        return {
          outcome: 'created',
          ...of,
          id: row.id,
          leaf_index: entry.leafIndex,
          record_hash: `sha256:${formatHex(entry.hash)}`,
          question: { hash: row.question_hash, hash_key_id: row.question_hash_key_id },
          answer: { hash: row.answer_hash, hash_key_id: row.answer_hash_key_id },
        };
      };

      const appends: Promise<CreatedResult | undefined>[] = [];
      const faults: unknown[] = [];
      const settle = (error: unknown): CreatedResult | undefined => {
        if (error instanceof ServiceError && error.remedy === 'fix-request')
          return { outcome: 'refused', ...refusalOf(error) };
        faults.push(error);
        return undefined;
      };
      for (const [n, digested] of request.body.entries()) {
        if (n > 0 && n % RECORDS_PER_TURN === 0) await deps.turn();
        appends.push(create(digested).catch(settle));
      }
      // All are settled before anything is said: a retry that overtook the rest would only wait for it.
      const results = (await Promise.all(appends)).filter((one) => one !== undefined);
      if (faults.length > 0) throw faults[0];
      return { status: 200, body: { results } satisfies CreatedResults };
    },
  });
}

function refusalOf({ code, message, errors }: Pick<ServiceError, 'code' | 'message' | 'errors'>) {
  return { code, detail: message, errors: [...errors] };
}
