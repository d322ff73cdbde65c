import { type MatchField, type RunCounts, runCounts, ServiceError } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { canonicalize, formatHex, utf8 } from '@answer-evidence/encoding';
import { openRecord } from '@answer-evidence/ledger';
import type { WorkspaceVault } from '@answer-evidence/ports';
import type { RunStateRow, SealedRow } from '@answer-evidence/tables';
import type { Patience, Query } from '../session.ts';
import { BOUNDS, storeFindingsSql, storeRecordsSql, toOpenSql } from './decision-sql.ts';

/** Records whose texts are read at once: of the largest, 16 MiB. */
const OPENED_AT_ONCE = 32;

/**
 * Joins of what a window holds are hashed: the planner knows nothing about rows that this transaction has just written,
 * and would compare each with each. What is looked up for a single record is a subquery, which it always looks up by
 * key.
 */
const STATEMENT_SECONDS_MAX = 600;
const SETTINGS = `select set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true),
  set_config('work_mem', '64MB', true), set_config('statement_timeout', '${STATEMENT_SECONDS_MAX}s', true),
  set_config('idle_in_transaction_session_timeout', '60s', true)`;

/** For the session that decides: longer than its statements may take. */
export const DECIDING: Patience = { answerMsMax: (STATEMENT_SECONDS_MAX + 20) * 1_000 };

type Bounds = {
  readonly application_key: string;
  readonly environment: string;
  readonly match_on: MatchField;
  readonly window_from: number;
  readonly window_to: number;
  readonly search_to: number;
};

/** What opening the texts of a record has shown, for one reference. */
type Opened = {
  readonly id: string;
  readonly question: { readonly opened: boolean; readonly equals: string | null };
  readonly answer: { readonly opened: boolean; readonly equals: string | null };
};

type ToOpen = { readonly id: string; readonly question_hash: string | null; readonly answer_hash: string | null };

/** Decides a run that has begun and is undecided, in the transaction of `query`; stores everything but its state. */
export async function decideRun(
  query: Query,
  workspaceId: string,
  vault: WorkspaceVault,
  state: RunStateRow,
  turn: () => Promise<void>,
): Promise<RunCounts> {
  await query('', SETTINGS, []);
  const { started_at: startedAt, tree_size: treeSize, anchored_size: anchoredSize, run_id: runId } = state;
  if (startedAt === null || treeSize === null) throw new Error('a run is decided after it has begun');
  const [bounds] = await query<Bounds>('', BOUNDS, [workspaceId, runId, treeSize]);
  if (bounds === undefined) throw new ServiceError('not_found', 'no such run exists in this workspace; check its id');
  const { application_key: application, environment, match_on: matchOn } = bounds;
  const span = [workspaceId, runId, bounds.window_from, bounds.window_to, bounds.search_to, treeSize];
  const toOpen = await query<ToOpen>('', toOpenSql(matchOn), [...span, application, environment]);
  const opened = await openTexts(query, workspaceId, vault, toOpen, turn);
  await query('', storeRecordsSql(matchOn), [
    ...span,
    application,
    environment,
    matchOn,
    opened.map(({ id }) => id),
    opened.map(({ question }) => question.opened),
    opened.map(({ question }) => question.equals),
    opened.map(({ answer }) => answer.opened),
    opened.map(({ answer }) => answer.equals),
  ]);
  const [counts] = await query<RunCounts>('', storeFindingsSql(matchOn), [
    ...span,
    application,
    environment,
    startedAt,
    anchoredSize,
  ]);
  return runCounts.parse(counts);
}

/** The counts as they are stored. */
export function formatCounts(counts: RunCounts): string {
  return canonicalize(counts);
}

async function openTexts(
  query: Query,
  workspaceId: string,
  vault: WorkspaceVault,
  toOpen: readonly ToOpen[],
  turn: () => Promise<void>,
): Promise<readonly Opened[]> {
  const opened: Opened[] = [];
  for (let from = 0; from < toOpen.length; from += OPENED_AT_ONCE) {
    const some = toOpen.slice(from, from + OPENED_AT_ONCE);
    const rows = await query<Pick<SealedRow, 'object_id' | 'wrapped_key' | 'texts' | 'items'>>(
      'texts_to_compare',
      `select object_id, wrapped_key, texts, case when texts is null then items end as items
         from answer_evidence.sealed_contents
         where workspace_id = $1 and object_id = any($2::uuid[])`,
      [workspaceId, some.map(({ id }) => id)],
    );
    const sealed = new Map(rows.map((row) => [row.object_id, row]));
    for (const { id, question_hash: questionHash, answer_hash: answerHash } of some) {
      await turn();
      const { texts } = openRecord(vault, sealed.get(id));
      opened.push({
        id,
        question: compareText(texts?.question ?? null, questionHash),
        answer: compareText(texts?.answer ?? null, answerHash),
      });
    }
  }
  return opened;
}

/** The plain hash of a text leaves this function only where the reference has it already. */
function compareText(text: string | null, referenced: string | null): Opened['question'] {
  if (text === null || referenced === null) return { opened: false, equals: null };
  return { opened: true, equals: `sha256:${formatHex(sha256(utf8(text)))}` === referenced ? referenced : null };
}
