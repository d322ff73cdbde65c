import { type Command, Option } from 'commander';
import {
  UNATTACHED_REASONS,
  unattachedFilters,
  type UnattachedReason,
  type UnattachedTrace,
} from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { parseWith } from '../issues.ts';
import { fieldsOf } from '../options.ts';
import { addPageOptions, noteCount, pageOf, type PageOptions } from '../paging.ts';
import { formatTable } from '../table.ts';

const REASONS: Readonly<Record<UnattachedReason, string>> = {
  record_not_found: 'no record with its idempotency key arrived',
  commitment_mismatch: 'the record with its key has a different question or answer',
  given_up: 'processing failed too often',
};

/** `otel unattached`. */
export function addOtelCommands(program: Command, context: Context): void {
  const otel = program.command('otel').description('data received through OpenTelemetry');
  const unattached = otel
    .command('unattached')
    .description('list accepted traces without a record and the reason, newest first')
    .option('--application <key>', 'filter by application')
    .option('--environment <name>', 'filter by environment')
    .option('--idempotency-key <key>', 'filter by idempotency key')
    .option('--trace-id <id>', 'filter by trace id')
    .addOption(new Option('--reason <reason>', 'filter by reason').choices(UNATTACHED_REASONS));
  addPageOptions(unattached).action(async (options: PageOptions) => {
    const filters = parseWith(unattachedFilters, fieldsOf(unattachedFilters, options));
    const client = await context.connect();
    const list = await client.otel.unattached(filters, pageOf(options));
    context.show({ json: list, table: () => formatTraces(list.items) });
    noteCount(context, list, 'unattached traces');
  });
}

/** A newer service may give reasons that are not known here. */
function describeReason(reason: UnattachedReason): string {
  return Object.hasOwn(REASONS, reason) ? `${reason}: ${REASONS[reason]}` : reason;
}

function formatTraces(items: readonly UnattachedTrace[]): string {
  return formatTable(
    ['received', 'application', 'idempotency key', 'trace', 'span', 'reason', 'record'],
    items.map((item) => [
      item.received_at,
      item.application_key,
      item.idempotency_key,
      item.trace_id ?? '–',
      item.span_id ?? '–',
      describeReason(item.reason),
      item.answer_log_id ?? '–',
    ]),
  );
}
