import type { Client } from '@answer-evidence/client';
import type { FindingType, ReconciliationFinding, ReconciliationRun } from '@answer-evidence/contracts';
import { asTable, type Block } from '../output/blocks.ts';

/** A finding with the run that it is of. */
type RunFinding = ReconciliationFinding & { readonly run_id: string };

/** So many findings of a type and a run are named; a command shows the others. */
const NAMED_MAX = 20;

/** What was found by runs that are completed, and how many of each type are not named here. */
export type NamedFindings = {
  readonly found: readonly RunFinding[];
  readonly more: readonly { readonly run: string; readonly type: FindingType; readonly count: number }[];
};

/** Asks for the findings of these types, up to 20 of each type and run. */
export async function nameFindings(
  { reconciliations }: Pick<Client, 'reconciliations'>,
  runs: readonly ReconciliationRun[],
  types: readonly FindingType[],
): Promise<NamedFindings> {
  const found: RunFinding[] = [];
  const more: NamedFindings['more'][number][] = [];
  for (const { id, counts } of runs)
    for (const type of types) {
      const count = counts?.[type] ?? 0;
      if (count === 0) continue;
      const { items } = await reconciliations.findings(id, { type }, { size: NAMED_MAX });
      found.push(...items.map((finding) => ({ run_id: id, ...finding })));
      if (count > items.length) more.push({ run: id, type, count: count - items.length });
    }
  return { found, more };
}

/** Findings as a table. */
export function viewFindings(findings: readonly ReconciliationFinding[]): Block {
  return asTable(
    ['type', 'reference', 'record', 'detail'],
    findings.map(({ type, reference_id: reference, answer_log_id: record, detail }) => [
      type,
      reference,
      record,
      formatDetail(detail),
    ]),
  );
}

/** The members of a detail in one line, those that say nothing left out. */
function formatDetail(detail: ReconciliationFinding['detail']): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== false && value !== null)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
