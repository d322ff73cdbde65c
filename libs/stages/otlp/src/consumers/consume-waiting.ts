import { ServiceError } from '@answer-evidence/contracts';
import { MICROS_PER_DAY } from '@answer-evidence/encoding';
import {
  type Consumer,
  type Look,
  mayEraseByTime,
  type RoutedItems,
  TRACE_AGE_MICROS_MAX,
  VaultError,
  type Workspace,
} from '@answer-evidence/ports';
import { createHashKeys, type HashKeys } from '@answer-evidence/preparation';
import type { OtlpInboxRow } from '@answer-evidence/tables';
import type { OtlpDeps } from '../deps.ts';
import type { IgnoredTally } from '../ignored/ignored-tally.ts';
import { openItems } from '../inbox/accepted-item.ts';
import { decideTraces } from './decide-traces.ts';
import { createUnattachedRow, type Received, routeItems } from './route-items.ts';

const WAITING_EVERY_MS = 2_000;
const ITEMS_PER_RUN = 512;
const ABANDONED_PER_RUN = 16;
/** How long a batch that was given up keeps its texts, and how long an unattached trace is listed. */
const KEPT_MICROS = 30 * MICROS_PER_DAY;
/** How long it is known of which call a record was made: as long as a trace may be held. */
const CALLS_KEPT_MICROS = TRACE_AGE_MICROS_MAX;
/** How many ids one line of the log has. */
const NAMED_MAX = 20;
const NOTHING: RoutedItems = { waiting: [], unattached: [], settled: [] };

/** What is gone through in one run, and the ids of what could not be opened in it and was let go. */
type Run = OtlpDeps & {
  readonly hashKeys: HashKeys;
  readonly tally: IgnoredTally;
  readonly signal: AbortSignal;
  readonly altered: string[];
};

/** How the consumer below is found something to do. */
export function lookForWaiting({ clock }: Pick<OtlpDeps, 'clock'>): Look {
  return {
    name: 'otlp-wait',
    topic: 'otlp.wait',
    everyMs: WAITING_EVERY_MS,
    work() {
      const now = clock.nowMicros();
      return [
        { kind: 'otlp-due', micros: now },
        { kind: 'otlp-kept', micros: now - KEPT_MICROS },
        { kind: 'otlp-calls', micros: now - CALLS_KEPT_MICROS },
      ];
    },
  };
}

/**
 * For every workspace in which something waits: decides traces that are due; attaches what has waited and whose record
 * has come, by whichever way and process; lists what has waited in vain; lets go of the texts of batches that were
 * given up, and of old lines of the list. It goes by what is stored, so a run that was missed is only late; a look-up
 * at each create would cost every application something for the few that send traces before their answers. What fails
 * of this holds up nothing else of it. What was altered since it was accepted can never be opened again: it is let go,
 * and the run fails with its ids, so that the log of the service names them.
 */
export function waitingConsumer(deps: OtlpDeps, tally: IgnoredTally): Consumer {
  const hashKeys = createHashKeys(deps.administration);
  return {
    topic: 'otlp.wait',
    concurrency: 1,
    async run(_job, signal) {
      const run: Run = { ...deps, hashKeys, tally, signal, altered: [] };
      const failures: unknown[] = [];
      const now = deps.clock.nowMicros();
      for (const workspace of await deps.work.withOtlp(now, now - KEPT_MICROS))
        for (const step of [decideTraces, workOffRipe, letGoOfAbandoned, forgetUnattached]) {
          if (signal.aborted) break;
          try {
            await step(run, workspace);
          } catch (error) {
            failures.push(error);
          }
        }
      await forgetCalls(deps, signal).catch((error: unknown) => failures.push(error));
      // Said before anything else that failed: that comes again, and these are gone.
      if (run.altered.length > 0) throw alteredError(run.altered);
      if (failures.length > 0) throw failures[0];
    },
  };
}

async function workOffRipe(run: Run, workspace: Workspace): Promise<void> {
  const { otlp, clock, clockGuard } = run;
  while (!run.signal.aborted) {
    const now = clock.nowMicros();
    // By an implausible clock nothing has waited in vain; what has its record goes on.
    const rows = await otlp.findRipe(workspace.id, mayEraseByTime(clockGuard) ? now : 0, ITEMS_PER_RUN);
    if (rows.length === 0) return;
    const opened = rows.map((row) => open(workspace, { ...row, items: row.item }));
    const routed = await routeItems(run, workspace, opened.flat(), 'list');
    await otlp.finishWaiting(
      workspace.id,
      rows.map(({ id }) => id),
      routed,
    );
    for (const [n, { id }] of rows.entries()) if (opened[n]?.length === 0) run.altered.push(`waiting item ${id}`);
  }
}

async function letGoOfAbandoned({ otlp, clock, ...run }: Run, workspace: Workspace): Promise<void> {
  const before = clock.nowMicros() - KEPT_MICROS;
  if (!mayEraseByTime(run.clockGuard)) return;
  for (const id of await otlp.findAbandoned(workspace.id, before, ABANDONED_PER_RUN)) {
    // One at a time: each may be megabytes.
    const batch = await otlp.findBatch(workspace.id, id);
    if (batch === undefined) continue;
    const received = open(workspace, batch);
    const unattached = received.map((one) => createUnattachedRow({ clock, ...run }, one, 'given_up', null));
    await otlp.finishBatch(workspace.id, batch.id, { ...NOTHING, unattached });
    if (received.length === 0) run.altered.push(`batch ${batch.id} of ${batch.item_count} items`);
  }
}

async function forgetUnattached({ otlp, clock, clockGuard }: Run, workspace: Workspace): Promise<void> {
  const before = clock.nowMicros() - KEPT_MICROS;
  if (mayEraseByTime(clockGuard)) await otlp.forgetUnattached(workspace.id, before);
}

/** A call is seen again soon, or not at all. */
async function forgetCalls({ otlp, work, clock, clockGuard }: OtlpDeps, signal: AbortSignal): Promise<void> {
  if (!mayEraseByTime(clockGuard)) return;
  const before = clock.nowMicros() - CALLS_KEPT_MICROS;
  for (const { id } of await work.withOldCalls(before)) if (!signal.aborted) await otlp.forgetCalls(id, before);
}

type Kept = Pick<OtlpInboxRow, 'id' | 'wrapped_key' | 'items' | 'received_at'>;

/** The items of a row, at least one; none when it was altered, of which nothing can be said. */
function open({ vault }: Workspace, { id, wrapped_key, items, received_at }: Kept): readonly Received[] {
  try {
    return openItems(vault.openObjectKey(id, wrapped_key), items).map((item) => ({ item, receivedAt: received_at }));
  } catch (error) {
    if (error instanceof VaultError) return [];
    throw error;
  }
}

function alteredError(altered: readonly string[]): ServiceError {
  const named = altered.slice(0, NAMED_MAX).join(', ');
  const more = altered.length > NAMED_MAX ? ` and ${altered.length - NAMED_MAX} more` : '';
  return new ServiceError(
    'content_damaged',
    `items were altered since they were accepted, and dropped; send them again: ${named}${more}`,
    {
      remedy: 'give-up',
    },
  );
}
