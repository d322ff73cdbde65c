import * as z from 'zod';
import {
  type FindingType,
  PAGE_REACH_MAX,
  type ReconciliationFinding,
  type RunCounts,
  ServiceError,
} from '@answer-evidence/contracts';
import { listReconciliationFindings } from '@answer-evidence/contracts/operations';
import { utf8 } from '@answer-evidence/encoding';
import { formatFindingLine } from '@answer-evidence/reconciliation';
import { askPage, type CsvStyle, defineRoute, readCsvStyle, type Route } from '@answer-evidence/routes';
import type { ReconcileDeps } from '../../deps.ts';
import { getCompletedRun } from '../../find-run.ts';
import { nameDamage } from '../../name-damage.ts';
import { FINDINGS_CSV_HEADER, formatFindingCsv } from '../../resources/findings-csv.ts';

/** Findings of a file that are held at once. */
const FINDINGS_AT_ONCE = 500;

const EXPORTS = {
  jsonl: {
    contentType: 'application/jsonl; charset=utf-8',
    header: () => '',
    line: (finding: ReconciliationFinding) => `${formatFindingLine(finding)}\n`,
  },
  csv: {
    contentType: 'text/csv; charset=utf-8',
    header: ({ start }: CsvStyle) => start + FINDINGS_CSV_HEADER,
    line: formatFindingCsv,
  },
} as const;

/** `GET /api/reconciliations/runs/{run_id}/findings`: in pages, or one file whose JSONL lines the root is made of. */
export function listFindingsRoute(deps: ReconcileDeps): Route {
  return defineRoute({
    ...listReconciliationFindings,
    async handle({ params, query, caller }) {
      const { vault, id: workspaceId } = await deps.directory.get(caller.workspaceId);
      const { type, format, bom, cell_length_max, ...page } = query;
      const style = readCsvStyle(format, { bom, cell_length_max });
      const { run, completion } = await getCompletedRun(deps, caller, params.run_id);
      if (format !== undefined) {
        if (Object.values(page).some((part) => part !== undefined)) throw pagedFile();
        const { contentType, header, line } = EXPORTS[format];
        return {
          status: 200,
          contentType,
          headers: { 'Content-Disposition': `attachment; filename="findings-${run.id}.${format}"` },
          stream: { bytes: writeFile(deps, workspaceId, run.id, type, header(style), (one) => line(one, style)) },
        };
      }
      const asked = askPage(
        vault,
        { list: 'findings', run_id: run.id, type: type ?? null },
        z.int().nonnegative(),
        page,
      );
      const from = asked.after === undefined ? 0 : asked.after + 1;
      const span = { type, from, offset: asked.offset, limit: asked.limit };
      const items = await nameDamage(() => deps.reconciliations.findings(workspaceId, run.id, span));
      const total = totalOf(completion.core.counts, completion.core.findings.size, type);
      const counted = { total: Math.min(total, PAGE_REACH_MAX), totalIsExact: total <= PAGE_REACH_MAX };
      return {
        status: 200,
        body: {
          ...asked.show(
            { items, ...counted },
            ({ position }) => position,
            ({ finding }) => finding,
          ),
          run_id: run.id,
        },
      };
    },
  });
}

function totalOf(counts: RunCounts, all: number, type: FindingType | undefined): number {
  return type === undefined ? all : counts[type];
}

async function* writeFile(
  { reconciliations }: ReconcileDeps,
  workspaceId: string,
  runId: string,
  type: FindingType | undefined,
  header: string,
  line: (finding: ReconciliationFinding) => string,
): AsyncGenerator<Uint8Array> {
  let text = header;
  for (let from = 0; ;) {
    const span = { type, from, offset: 0, limit: FINDINGS_AT_ONCE };
    const found = await nameDamage(() => reconciliations.findings(workspaceId, runId, span));
    // The header goes with the first of them: what fails before anything is sent can still be answered with a status.
    text += found.map(({ finding }) => line(finding)).join('');
    if (text !== '') yield utf8(text);
    text = '';
    const last = found.at(-1);
    if (last === undefined) return;
    from = last.position + 1;
  }
}

function pagedFile(): ServiceError {
  const detail = 'a file contains all findings; leave out page, size and cursor';
  return new ServiceError('schema_violation', detail, { errors: [{ pointer: '?format', detail }] });
}
