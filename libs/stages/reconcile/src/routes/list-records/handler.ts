import { getReconciliationRecords } from '@answer-evidence/contracts/operations';
import { utf8 } from '@answer-evidence/encoding';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { ReconcileDeps } from '../../deps.ts';
import { getCompletedRun } from '../../find-run.ts';
import { namedDamage } from '../../name-damage.ts';

/** Of about how many characters lines are sent together. */
const CHUNK_LENGTH = 65_536;

/** `GET /api/reconciliations/runs/{run_id}/records`: the record set, one line a record, as its root was made of it. */
export function listRecordsRoute(deps: ReconcileDeps): Route {
  return defineRoute({
    ...getReconciliationRecords,
    async handle({ params, caller }) {
      const { run } = await getCompletedRun(deps, caller, params.run_id);
      return {
        status: 200,
        contentType: 'application/jsonl; charset=utf-8',
        headers: { 'Content-Disposition': `attachment; filename="records-${run.id}.jsonl"` },
        stream: { bytes: writeLines(deps.reconciliations.recordLines(caller.workspaceId, run.id), deps.turn) },
      };
    },
  });
}

async function* writeLines(lines: AsyncIterable<string>, turn: () => Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    let text = '';
    for await (const line of lines) {
      await turn();
      text += `${line}\n`;
      if (text.length < CHUNK_LENGTH) continue;
      yield utf8(text);
      text = '';
    }
    yield utf8(text);
  } catch (error) {
    throw namedDamage(error);
  }
}
