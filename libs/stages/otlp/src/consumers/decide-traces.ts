import {
  type AnswerItem,
  awaitsTool,
  createKeysAbove,
  createKeysBelow,
  decideItems,
  decideUnfinished,
  findIgnored,
  findTold,
  findUnsaid,
  findWarnings,
  type IgnoredOfRequest,
  type MappedBatch,
  type Origin,
  type ReducedItem,
  type RejectedItem,
  splitTrace,
  withoutRepeats,
} from '@answer-evidence/otlp-mapping';
import {
  type DecidedTrace,
  mayEraseByTime,
  TRACE_AGE_MICROS_MAX,
  TRACE_BYTES_MAX,
  VaultError,
  type Workspace,
} from '@answer-evidence/ports';
import type { HashKeys } from '@answer-evidence/preparation';
import type { OtlpTracePartRow, OtlpTraceRow } from '@answer-evidence/tables';
import type { DecisionReason, OtlpDeps } from '../deps.ts';
import type { IgnoredTally } from '../ignored/ignored-tally.ts';
import { partOf } from '../inbox/sort-traces.ts';
import { keptMicrosOf, openPart, sealNothing, sealPart, type TracePart, waitMicrosOf } from '../inbox/trace-part.ts';
import { type DecidedAnswer, type Opened, prepareAnswers } from './prepare-answers.ts';
import { routeItems } from './route-items.ts';

/** About how much of traces is brought at once. */
const DUE_BYTES_MAX = 16 * 1024 * 1024;

/** How many times the wait a run is waited for that asked for a tool: an hour, unless it is set. */
const TOOL_WAITS = 60;

type Run = OtlpDeps & {
  readonly hashKeys: HashKeys;
  readonly tally: IgnoredTally;
  readonly signal: AbortSignal;
  readonly altered: string[];
};

/** What is done about one trace. */
type Decision = {
  /** Null where all of it goes on waiting. */
  readonly reason: DecisionReason | null;
  readonly kept: DecidedTrace;
  /** What of it is ignored unless an answer of it is recorded. */
  readonly ignored: IgnoredOfRequest;
  /** What is refused only now, which is told in the list alone. */
  readonly rejected: readonly RejectedItem[];
  /** The token that sent it. */
  readonly sender: string;
  readonly originOf: (item: RejectedItem) => Origin | undefined;
  readonly answers: readonly DecidedAnswer[];
};

/**
 * Decides traces of a workspace whose root has come, that have been quiet for long enough, or that are too large;
 * forgets what is known of those that were decided a while ago. Twice at once, or killed in between, it makes the same
 * records: their keys follow from the trace. Why traces are held at all: decision 0096.
 */
export async function decideTraces(run: Run, workspace: Workspace): Promise<void> {
  const { otlp, clock, clockGuard } = run;
  const waitMicros = waitMicrosOf(run);
  while (!run.signal.aborted) {
    const now = clock.nowMicros();
    const isPlausible = mayEraseByTime(clockGuard);
    if (isPlausible) await otlp.pullInTraces(workspace.id, now, waitMicros);
    // By an implausible clock no trace has been quiet; those whose root has come go on.
    const due = await otlp.findDueTraces(workspace.id, isPlausible ? now : 0, DUE_BYTES_MAX);
    if (due.length === 0) return;
    const over = due.filter((trace) => !trace.is_open);
    if (over.length > 0) await otlp.forgetTraces(workspace.id, over);
    const open = due.filter((trace) => trace.is_open);
    if (open.length > 0) await decide(run, workspace, open, now);
  }
}

async function decide(run: Run, workspace: Workspace, traces: readonly OtlpTraceRow[], now: number): Promise<void> {
  const { otlp } = run;
  const parts = Map.groupBy(await otlp.findTraceParts(workspace.id, traces, TRACE_BYTES_MAX), nameOf);
  const decisions: Decision[] = [];
  for (const trace of traces) {
    await run.turn();
    decisions.push(decideTrace(run, workspace, trace, parts.get(nameOf(trace)) ?? [], now));
  }
  const refused = new Map<AnswerItem, RejectedItem>();
  const answers = decisions.flatMap((decision) => decision.answers);
  const received = await prepareAnswers(run, workspace, answers, refused);
  const routed = await routeItems(run, workspace, received, 'wait');
  await otlp.finishTraces(
    workspace.id,
    decisions.map(({ kept }) => kept),
    routed,
    now - keptMicrosOf(run),
  );
  for (const { reason, ignored, rejected, sender, originOf, answers } of decisions) {
    if (reason !== null) run.onTraces?.(reason, 1);
    const all = [...rejected, ...answers.flatMap(({ answer }) => refused.get(answer) ?? [])];
    const warned = findWarnings(answers.flatMap(({ answer }) => (refused.has(answer) ? [] : [answer])));
    if (all.length > 0) run.onItems?.({ ...NO_ITEMS, rejected: all.length });
    const isAnswered = answers.some(({ answer }) => !refused.has(answer));
    const unsaid = findUnsaid(answers.map(({ answer }) => answer));
    const left = isAnswered ? [] : [ignored];
    const told = [
      findTold('refused', all, originOf),
      findTold('attribute_ignored', warned, originOf),
      findTold('unread_state', unsaid, originOf),
    ];
    for (const one of [...left, ...told])
      run.tally.note({ workspaceId: workspace.id, sender, bound: undefined, ignored: one, answered: new Set() });
  }
}

function decideTrace(
  run: Run,
  workspace: Workspace,
  trace: OtlpTraceRow,
  rows: readonly OtlpTracePartRow[],
  now: number,
): Decision {
  const parts = rows.map((row): Opened => ({ row, part: open(run, workspace, row) }));
  const items = withoutRepeats(parts.flatMap(({ part }) => part?.items ?? []));
  const reason = reasonOf(trace, now, waitMicrosOf(run));
  if (reason === 'quiet' && goesOn(run, trace, items, now)) return waitOn(run, trace, parts, now);
  const { decided, waiting } =
    reason === 'root' ? splitTrace(items) : { decided: decideBy(reason, items), waiting: [] };
  const keysAbove = createKeysAbove(items);
  const keysBelow = createKeysBelow(items);
  const hasRecord = items.some(({ isRecorded }) => isRecorded === true);
  const byItem = new Map(
    parts.toReversed().flatMap((one) => (one.part?.items ?? []).map((item) => [placeOf(item), one])),
  );
  return {
    reason: waiting.length > 0 && decided.items.length === 0 ? null : reason,
    // What of it was decided before may have left a record; what is counted already has no reason any more.
    ignored: findIgnored(waiting.length > 0 || hasRecord ? [] : withoutTold(items, decided), new Set()),
    rejected: decided.rejected,
    sender: senderOf(parts.findLast(({ part }) => part !== null)?.part?.actor),
    originOf: ({ spanId }) => items.find((item) => item.spanId === spanId),
    kept: {
      trace,
      parts: parts.flatMap((one) => (one.row.is_open ? [reseal(workspace, one, waiting, decided)] : [])),
      dueAt: reason === 'root' ? trace.received_at + waitMicrosOf(run) : 0,
      forgottenAt: now + keptMicrosOf(run),
    },
    answers: decided.items.flatMap((answer) => {
      const by = byItem.get(placeOf({ ...answer, kind: answer.signal }));
      return by === undefined ? [] : [{ answer, keysAbove: keysAbove(answer), keysBelow: keysBelow(answer), by }];
    }),
  };
}

/** Whether what a trace would be decided to now is only a step of a run that waits for a tool. */
function goesOn(run: Run, trace: OtlpTraceRow, items: readonly ReducedItem[], now: number): boolean {
  if (now - trace.received_at >= TOOL_WAITS * waitMicrosOf(run)) return false;
  return now - trace.opened_at < TRACE_AGE_MICROS_MAX && awaitsTool(items) && decideItems(items).items.length > 0;
}

/** Nothing is decided. */
function waitOn(run: Run, trace: OtlpTraceRow, parts: readonly Opened[], now: number): Decision {
  return {
    reason: null,
    ignored: findIgnored([], new Set()),
    rejected: [],
    sender: senderOf(parts.findLast(({ part }) => part !== null)?.part?.actor),
    originOf: () => undefined,
    kept: { trace, parts: [], dueAt: now + waitMicrosOf(run), forgottenAt: 0 },
    answers: [],
  };
}

/** Of a trace that has become too large or too old more may come. */
function decideBy(reason: DecisionReason, items: readonly ReducedItem[]): MappedBatch {
  return reason === 'quiet' ? decideItems(items) : decideUnfinished(items);
}

function reasonOf(trace: OtlpTraceRow, now: number, waitMicros: number): DecisionReason {
  if (trace.size_bytes > TRACE_BYTES_MAX) return 'too_large';
  if (trace.due_at === 0) return 'root';
  if (now - trace.received_at >= waitMicros) return 'quiet';
  return now - trace.opened_at >= TRACE_AGE_MICROS_MAX ? 'too_old' : 'root';
}

function open({ altered }: Run, { vault }: Workspace, row: OtlpTracePartRow): TracePart | null {
  try {
    return openPart(vault.openObjectKey(row.id, row.wrapped_key), row.items);
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    if (row.is_open) altered.push(`part ${row.id} of a trace`);
    return null;
  }
}

/** What is left of a part: what waits, under a new key, so that the texts of the rest are gone. */
function reseal(
  { vault }: Workspace,
  { row, part }: Opened,
  waiting: readonly ReducedItem[],
  decided: MappedBatch,
): DecidedTrace['parts'][number] {
  const key = vault.createObjectKey(row.id);
  const left = (items: Uint8Array, isOpen: boolean) => ({
    id: row.id,
    is_open: isOpen,
    wrapped_key: key.wrapped,
    items,
  });
  if (part === null) return left(sealNothing(key), false);
  const { items, isOpen } = partOf(part.items, waiting, decided);
  return left(sealPart(key, { ...part, items }), isOpen);
}

const NO_ITEMS = { accepted: 0, rejected: 0, ignored: 0, held: 0, droppedAttributes: 0 };

function senderOf(actor: TracePart['actor'] | undefined): string {
  return actor?.token_id ?? actor?.id ?? '';
}

/** Items but those that are answers, or told of as refused. Log records have the id of the span that they are about. */
function withoutTold(items: readonly ReducedItem[], { items: answers, rejected }: MappedBatch): readonly ReducedItem[] {
  const told = new Set([...answers, ...rejected].map(({ spanId }) => spanId));
  return items.filter(({ kind, spanId, reason }) => !told.has(spanId) || (kind === 'log' && reason !== null));
}

function nameOf(row: Pick<OtlpTraceRow, 'application_key' | 'trace_id'>): string {
  return `${row.application_key}\n${row.trace_id}`;
}

function placeOf({ kind, spanId }: Pick<ReducedItem, 'kind' | 'spanId'>): string {
  return `${kind}:${spanId}`;
}
