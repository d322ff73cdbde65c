import { type Command, Option } from 'commander';
import {
  UNATTACHED_REASONS,
  unattachedFilters,
  type UnattachedReason,
  type UnattachedTrace,
} from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { formatIssues } from '../issues.ts';
import { parseCount } from '../options.ts';
import { formatTable } from '../table.ts';
import { UsageError } from '../usage-error.ts';

type UnattachedOptions = {
  readonly application?: string;
  readonly environment?: string;
  readonly idempotencyKey?: string;
  readonly traceId?: string;
  readonly reason?: UnattachedReason;
  readonly page?: number;
  readonly size?: number;
  readonly cursor?: string;
};

const REASONS: Readonly<Record<UnattachedReason, string>> = {
  record_not_found: 'no record with its idempotency key arrived',
  commitment_mismatch: 'the record with its key has a different question or answer',
  given_up: 'processing failed too often',
};

/** `otel unattached`. */
export function addOtelCommands(program: Command, context: Context): void {
  const otel = program.command('otel').description('data received through OpenTelemetry');
  otel
    .command('unattached')
    .description('list accepted traces without a record and the reason, newest first')
    .option('--application <key>', 'filter by application')
    .option('--environment <name>', 'filter by environment')
    .option('--idempotency-key <key>', 'filter by idempotency key')
    .option('--trace-id <id>', 'filter by trace id')
    .addOption(new Option('--reason <reason>', 'filter by reason').choices(UNATTACHED_REASONS))
    .option('--page <n>', 'which page', parseCount)
    .option('--size <n>', 'page size, at most 200', parseCount)
    .option('--cursor <cursor>', 'continue from the cursor of an earlier page')
    .action(async ({ page, size, cursor, ...options }: UnattachedOptions) => {
      const filters = parseFilters(options);
      const client = await context.connect();
      const list = await client.otel.unattached(filters, {
        ...(page === undefined ? {} : { page }),
        ...(size === undefined ? {} : { size }),
        ...(cursor === undefined ? {} : { cursor }),
      });
      context.show({ json: list, table: () => formatTraces(list.items) });
      const total = `${list.total_relation === 'gte' ? 'at least ' : ''}${list.total}`;
      const next = list.next_cursor === null ? '' : `; next: --cursor ${list.next_cursor}`;
      context.note(`${list.items.length} of ${total} unattached traces${next}`);
    });
}

function parseFilters({ application, environment, idempotencyKey, traceId, reason }: UnattachedOptions) {
  const named = {
    application_key: application,
    environment,
    idempotency_key: idempotencyKey,
    trace_id: traceId,
    reason,
  };
  const parsed = unattachedFilters.safeParse(
    Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
  );
  if (!parsed.success) throw new UsageError(formatIssues(parsed.error.issues));
  return parsed.data;
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
