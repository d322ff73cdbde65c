import { gunzipSync } from 'node:zlib';
import { type Command, Option } from 'commander';
import {
  type ExplainedItem,
  IGNORED_REASONS,
  type IgnoredFilters,
  ignoredFilters,
  type IgnoredItems,
  type IgnoredReason,
  type OtlpExplanation,
  otlpRulesRequest,
  RULE_REASONS,
  UNATTACHED_REASONS,
  unattachedFilters,
  type UnattachedReason,
  type UnattachedTrace,
} from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { readInput, readJsonInput } from '../files.ts';
import { parseWith } from '../issues.ts';
import { fieldsOf } from '../options.ts';
import { asFields, asTable, type Block } from '../output/blocks.ts';
import { addPageOptions, pageOf, type PageOptions, showList } from '../paging.ts';
import { UsageError } from '../usage-error.ts';
import { showShipped, type SuggestOptions, suggestRules } from './otel-suggest.ts';
import { addTraceCommand } from './otel-trace.ts';

const REASONS: Readonly<Record<UnattachedReason, string>> = {
  record_not_found: 'it lacks a question or an answer, and no record with its idempotency key arrived',
  commitment_mismatch: 'the record with its key has a different question or answer',
  given_up: 'processing failed too often',
};

const IGNORED: Readonly<Record<IgnoredReason, string>> = {
  unrelated: 'nothing of the conventions for generative AI',
  unknown_convention: 'named after a model or an agent, in a convention that is not read; mark the answers',
  no_contents:
    'a call of a model or an agent without texts; turn the capture of contents on, or use an instrumentation that records them',
  no_answer: 'a question without an answer, such as a call that asks for a tool',
  other_operation:
    'a step, such as a tool, a retrieval, an embedding or a node of a graph; export the span of the answer, too',
  unread_state: 'contents in which no rule names the texts, such as JSON of a framework or several prompts of one call',
  failed: 'a run that ended with an error, such as one whose answer a guardrail refused',
  not_marked: 'the application says that only marked items are answers',
  excluded_by_rule: 'a rule of the workspace excludes it',
  not_included_by_rule: 'the workspace has rules that include others of the application, and not this',
  not_marked_by_rule: 'a rule of the workspace says that only marked items of the application are answers',
  refused: 'it cannot be stored',
  attribute_ignored: 'recorded without an optional attribute that is invalid',
};

/** `otel unattached`, `otel ignored`, `otel trace` and `otel explain`. */
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
    showList(context, list, viewTraces, options, 'unattached traces');
  });
  const ignored = otel
    .command('ignored')
    .description('count the spans and log records that left no record, by application, scope and reason')
    .option('--application <key>', 'filter by application')
    .option('--scope-name <name>', 'filter by instrumentation scope')
    .addOption(new Option('--reason <reason>', 'filter by reason').choices(IGNORED_REASONS));
  addPageOptions(ignored).action(async (options: PageOptions) => {
    const filters = parseWith(ignoredFilters, fieldsOf(ignoredFilters, options));
    const client = await context.connect();
    const list = await client.otel.ignored(filters, pageOf(options));
    showList(context, list, viewIgnored, options, 'kinds of ignored items');
  });
  addTraceCommand(otel, context);
  otel
    .command('explain')
    .description('show what would become of each span or log record of a request, and what of it is read')
    .argument('[file]', 'body of a request of an exporter: protobuf or JSON, plain or gzip; - for standard input')
    .option('--last', 'instead, show the last items that left no record: names of attributes, no texts')
    .option('--application <key>', 'with --last or --suggest: only of this application')
    .option('--rules <file>', 'instead of the rules in force, try those in a file: JSON, as settings set takes it')
    .option('--suggest', 'instead, show where the request has texts, shortened, and write a rule; nothing is sent')
    .option('--question <number>', 'with --suggest: the place of the question')
    .option('--answer <number>', 'with --suggest: the place of the answer')
    .option('--write <file>', 'with --suggest: where the rules go, those of --rules with what was picked')
    .option('--shipped [dialect]', 'instead, show where a dialect that is shipped looks for texts, or all of them')
    .action(async (file: string | undefined, options: ExplainOptions) => {
      const { last, rules, application, suggest, shipped, question, answer, write } = options;
      if (suggest !== true && [question, answer, write].some((given) => given !== undefined))
        throw new UsageError('--question, --answer and --write go with --suggest');
      if (shipped !== undefined) {
        if (file !== undefined || Object.keys(options).length > 1)
          throw new UsageError('--shipped goes with nothing else');
        return await showShipped(context, shipped);
      }
      if (suggest === true) {
        if (file === undefined || last === true) throw new UsageError('--suggest needs a file with a request');
        const given = decompress(file, await readInput(context.io, file));
        assertOneRequest(file, given);
        return await suggestRules(context, given, options);
      }
      if ((file === undefined) !== (last === true)) throw new UsageError('name either a file or --last');
      if (file === undefined && rules !== undefined) throw new UsageError('--rules needs a file with a request');
      const filters = parseWith(
        ignoredFilters,
        fieldsOf(ignoredFilters, application === undefined ? {} : { application }),
      );
      if (file === undefined) return explainLast(context, filters);
      if (application !== undefined) throw new UsageError('--application goes with --last');
      // What is compressed does not tell whether it is protobuf or JSON.
      const bytes = decompress(file, await readInput(context.io, file));
      assertOneRequest(file, bytes);
      const tried =
        rules === undefined ? undefined : parseWith(otlpRulesRequest, await readJsonInput(context.io, rules));
      const client = await context.connect();
      const explained =
        tried === undefined ? await client.otel.explain(bytes) : await client.otel.explainRules(bytes, tried);
      context.show({ json: explained, blocks: () => viewExplanation(explained) });
      const shown = explained.items.length;
      if (explained.item_count === 0) context.note('the request has no spans and no log records');
      else if (shown < explained.item_count) context.note(`the first ${shown} of ${explained.item_count} items`);
    });
}

const [LINE_FEED, BRACE, CLOSING_BRACE] = [0x0a, 0x7b, 0x7d];
const PROGRAM = 'answer-evidence otel explain';
type ExplainOptions = SuggestOptions & {
  readonly last?: boolean;
  readonly suggest?: boolean;
  readonly shipped?: string | true;
};

/** Largest request that is taken. */
const REQUEST_BYTES_MAX = 256 * 1024 * 1024;

/** A request as it was before gzip. */
function decompress(file: string, bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: REQUEST_BYTES_MAX });
  } catch {
    throw new UsageError(`${file}: not valid gzip, or too large`);
  }
}

/** The file of a Collector has a request in each line, and more than one at a time is none. */
function assertOneRequest(file: string, bytes: Uint8Array): void {
  const end = bytes.indexOf(LINE_FEED);
  if (bytes[0] !== BRACE || end < 0 || bytes[end - 1] !== CLOSING_BRACE || bytes[end + 1] !== BRACE) return;
  throw new UsageError(`${file}: has several requests, one in each line; give one: tail -n 1 FILE | ${PROGRAM} -`);
}

async function explainLast(context: Context, filters: IgnoredFilters): Promise<void> {
  const client = await context.connect();
  const list = await client.otel.ignored(filters, { size: 200 });
  context.show({ json: list, blocks: () => list.items.map(viewLast) });
  if (context.isQuiet()) return;
  const [shown, total] = [list.items.length, list.total];
  context.note(`${shown} of ${total} kinds of ignored items${shown < total ? '; otel ignored lists the others' : ''}`);
}

function viewLast(item: IgnoredItems): Block {
  return asFields([
    ['application', item.application_key],
    ['scope', item.scope_name],
    ['items', item.item_count],
    ['last trace', item.last_trace_id],
    ['last span', item.last_span_id],
    ['reason', item.detail === null ? describe(IGNORED, item.reason) : `${item.reason}: ${item.detail}`],
    ['read', item.last_read_names.join(', ')],
    ['not read', item.last_attribute_names.filter((name) => !item.last_read_names.includes(name)).join(', ')],
  ]);
}

function viewExplanation({ items }: OtlpExplanation): readonly Block[] {
  return items.map((item) =>
    asFields([
      ['item', item.index],
      ['trace', item.trace_id],
      ['span', item.span_id],
      ['scope', item.scope_name],
      ['outcome', item.outcome],
      ['reason', describeWhy(item)],
      ['read', item.read.join(', ')],
      ['not read', item.not_read.join(', ')],
    ]),
  );
}

function describeWhy({ reason, detail }: ExplainedItem): string | null {
  if (reason === null || detail === null) return reason === null ? detail : describe(IGNORED, reason);
  // What there is to do about a reason is not told where the service says more of it.
  return isRuled(reason) ? `${describe(IGNORED, reason)}; ${detail}` : `${reason}: ${detail}`;
}

function isRuled(reason: IgnoredReason): boolean {
  return RULE_REASONS.some((one) => one === reason);
}

/** A newer service may give reasons that are not known here. */
function describe<R extends string>(reasons: Readonly<Record<R, string>>, reason: R): string {
  return Object.hasOwn(reasons, reason) ? `${reason}: ${reasons[reason]}` : reason;
}

function viewIgnored(items: readonly IgnoredItems[]): Block {
  return asTable(
    ['last seen', 'application', 'scope', 'items', 'reason', 'last trace'],
    items.map((item) => [
      item.last_seen_at,
      item.application_key,
      item.scope_name,
      item.item_count,
      item.detail === null ? describe(IGNORED, item.reason) : `${item.reason}: ${item.detail}`,
      item.last_trace_id,
    ]),
  );
}

function viewTraces(items: readonly UnattachedTrace[]): Block {
  return asTable(
    ['received', 'application', 'idempotency key', 'trace', 'span', 'reason', 'record'],
    items.map((item) => [
      item.received_at,
      item.application_key,
      item.idempotency_key,
      item.trace_id ?? '–',
      item.span_id ?? '–',
      describe(REASONS, item.reason),
      item.answer_log_id ?? '–',
    ]),
  );
}
