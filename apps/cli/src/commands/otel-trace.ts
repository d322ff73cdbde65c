import type { Command } from 'commander';
import { type TraceFateLine, type TraceFates, traceId } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { parseWith } from '../issues.ts';
import { asTable } from '../output/blocks.ts';

const OTHERS: Readonly<Record<string, string>> = {
  part: 'other items of the trace are part of an answer above, or stand beside it',
  pending: 'items that no line names may not be processed yet; ask again in a minute',
  unknown: 'of other items nothing is known: none came, or more than 30 days ago',
};

/** `otel trace`. */
export function addTraceCommand(otel: Command, context: Context): void {
  otel
    .command('trace')
    .description('say what became of the spans and log records of a trace, for 30 days')
    .argument('<trace-id>', '32 hexadecimal digits')
    .action(async (given: string) => {
      const id = parseWith(traceId, given.toLowerCase());
      const client = await context.connect();
      const found = await client.otel.trace(id);
      context.show({ json: found, blocks: () => [viewLines(found)] });
      context.note(OTHERS[found.others] ?? found.others);
    });
}

function viewLines({ lines }: TraceFates) {
  return asTable(
    ['fate', 'application', 'spans', 'items', 'why', 'record', 'time'],
    lines.map((line) => [
      line.fate,
      line.application_key,
      line.span_ids.join(' ') || '–',
      line.item_count ?? '–',
      describeWhy(line),
      line.answer_log_id ?? '–',
      line.at,
    ]),
  );
}

function describeWhy({ reason, detail }: TraceFateLine): string {
  return detail ?? reason ?? '–';
}
