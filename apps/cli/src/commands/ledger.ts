import type { Command } from 'commander';
import type { LedgerCheckReport } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { asFields, asTable, type Block } from '../output/blocks.ts';
import { createProgress } from '../progress.ts';

/** `ledger check`. */
export function addLedgerCommands(program: Command, context: Context): void {
  program
    .command('ledger')
    .description('check the ledger of the workspace')
    .command('check')
    .description('have the service re-derive the ledger from its stored data')
    .option('--since-last', 'begin where the last check without a fault ended; prints what is not looked at again')
    .action(async ({ sinceLast }: { readonly sinceLast?: true }) => {
      const client = await context.connect();
      const progress = createProgress(context.io);
      progress.update('The service is checking its ledger …');
      const report = await client.trust
        .checkLedger(
          ({ part, done, of }) => progress.update(`The service has gone through ${done} of ${of} ${part} …`),
          sinceLast === true ? { since: 'last_check' } : {},
        )
        .finally(() => progress.end());
      context.show({ json: report, blocks: () => viewReport(report) });
      context.settle([report]);
    });
}

function ofAll({ read, stored }: NonNullable<LedgerCheckReport['originals']>): string {
  const rest = 'of the others, the service compared names and sizes, or the object store was unavailable';
  return `${read} of ${stored}${read < stored ? `: ${rest}` : ''}`;
}

/** What the check did not look at itself. */
function viewBefore({ since, taken_over: takenOver }: LedgerCheckReport): readonly (readonly [string, string])[] {
  return [
    ...(since === undefined
      ? []
      : ([
          ['began at', `${since.tree_size} entries, root ${since.root_hash}, checked at ${since.checked_at}`],
          ['last whole check', since.whole_at],
          ['not looked at again', since.not_looked_at],
        ] as const)),
    ...(takenOver === undefined
      ? []
      : ([['checked by others', `${takenOver.entries} entries since ${takenOver.begun_at}`]] as const)),
  ];
}

function viewReport(report: LedgerCheckReport): readonly Block[] {
  const fields = asFields([
    ['ledger check', report.outcome],
    ['origin', report.origin],
    ['tree size', report.tree_size],
    ['root hash', report.root_hash],
    ['entries checked', report.entries_checked],
    ['findings', report.findings_total],
    ...viewBefore(report),
    ...(report.originals === undefined ? [] : [['originals read', ofAll(report.originals)] as const]),
    [
      'limit',
      'Not that the ledger was never rolled back or rewritten as a whole: compare it with receipts you keep elsewhere.',
    ],
  ]);
  if (report.findings.length === 0) return [fields];
  const rows = report.findings.map((finding) => [finding.check, finding.object, finding.leaf_index, finding.detail]);
  return [fields, asTable(['check', 'object', 'leaf', 'detail'], rows)];
}
