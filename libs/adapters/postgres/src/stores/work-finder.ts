import type pg from 'pg';
import { ServiceError } from '@answer-evidence/contracts';
import { HELD_FROM } from '@answer-evidence/lifecycle';
import {
  type ExpiringKind,
  StoredDamageError,
  type WorkFinder,
  type Workspace,
  type WorkspaceDirectory,
} from '@answer-evidence/ports';
import { queryOnce } from '../session.ts';

/** Every workspace has one head, and these rows are few and small: each question begins with them. */
const OF_ALL = 'select h.workspace_id from answer_evidence.ledger_heads h where';

function isThere(table: string, condition: string): string {
  return `exists (select from answer_evidence.${table} t where t.workspace_id = h.workspace_id and ${condition})`;
}

/** Whether something of the table was put on hold before the newest release. */
function isBack(table: string): string {
  const released = `(select coalesce(max(e.seq), 0) from answer_evidence.workspace_entries e
    where e.workspace_id = h.workspace_id and e.type = 'hold_released')`;
  return isThere(table, `t.due_at >= ${HELD_FROM} and t.due_at < ${HELD_FROM} + ${released}`);
}

const EXPIRING: Readonly<Record<ExpiringKind, string>> = {
  texts: 'sealed_contents',
  evidence: 'evidence_dues',
  triage: 'triage_texts',
};

/**
 * Asks over connections of `answer_evidence_relay`, the role that sees where there is work in every workspace. Why not
 * by `NOTIFY`, a queue or an index on times: decision 0124.
 */
export function createWorkFinder(pool: pg.Pool, directory: WorkspaceDirectory): WorkFinder {
  /** A workspace, or undefined for one whose row was altered. Those that are known cost nothing. */
  async function open(workspaceId: string): Promise<Workspace | undefined> {
    try {
      return await directory.get(workspaceId);
    } catch (error) {
      if (!(error instanceof ServiceError && error.cause instanceof StoredDamageError)) throw error;
      // Anyone who lists them is told of the damage.
      await directory.list();
      return undefined;
    }
  }

  /** The rows of a question whose workspaces can be opened, each with its workspace. */
  async function ask<Row>(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<readonly { readonly workspace: Workspace; readonly row: Row }[]> {
    const { rows } = await queryOnce<Row & { workspace_id: string }>(pool, { name, text, values: [...values] });
    const found = [];
    for (const row of rows) {
      const workspace = await open(row.workspace_id);
      if (workspace !== undefined) found.push({ workspace, row });
    }
    return found;
  }

  async function find(name: string, text: string, values: readonly unknown[]): Promise<readonly Workspace[]> {
    return (await ask(name, text, values)).map(({ workspace }) => workspace);
  }

  return {
    async grownLogs(sinceMicros) {
      const grown = await ask<{ readonly tree_size: number }>(
        'grown_logs',
        'select workspace_id, tree_size from answer_evidence.ledger_heads where last_at >= $1',
        [sinceMicros],
      );
      return grown.map(({ workspace, row }) => ({ workspace, treeSize: row.tree_size }));
    },

    unpublished: () =>
      find(
        'unpublished_logs',
        `${OF_ALL} h.tree_size is distinct from (select t.tree_size from answer_evidence.published_checkpoints t
           where t.workspace_id = h.workspace_id order by t.tree_size desc limit 1)`,
        [],
      ),

    withTrustPolicy: () =>
      find('logs_with_policy', `${OF_ALL} ${isThere('workspace_entries', `t.type = 'trust_policy_changed'`)}`, []),

    expiring: (what, beforeMicros) =>
      find(
        `expiring_${what}`,
        `${OF_ALL} ${isThere(EXPIRING[what], 't.due_at < $1')}${what === 'triage' ? '' : ` or ${isBack(EXPIRING[what])}`}`,
        [beforeMicros],
      ),

    withOtlp: (nowMicros, sinceMicros) =>
      find(
        'workspaces_with_otlp',
        `${OF_ALL} ${isThere('otlp_traces', '(t.is_open or t.due_at <= $1)')}
           or ${isThere('otlp_waiting', 'true')}
           or ${isThere('otlp_inbox', 't.received_at < $2')}
           or ${isThere('otlp_unattached', 't.unattached_at < $2')}`,
        [nowMicros, sinceMicros],
      ),

    withOldCalls: (beforeMicros) =>
      find('workspaces_with_old_calls', `${OF_ALL} ${isThere('otlp_calls', 't.recorded_at < $1')}`, [beforeMicros]),

    withUnnamedMembers: () =>
      find('logs_without_members', `${OF_ALL} not ${isThere('workspace_entries', `t.type = 'member_changed'`)}`, []),

    uncounted: () =>
      find(
        'uncounted_logs',
        `${OF_ALL} h.tree_size > coalesce((select t.tree_size from answer_evidence.counted_logs t
           where t.workspace_id = h.workspace_id), 0)`,
        [],
      ),

    withOverdueApprovals: (beforeMicros) =>
      find(
        'workspaces_with_overdue_approvals',
        `${OF_ALL} ${isThere('approvals', `t.state = 'open' and t.expires_at <= $1`)}`,
        [beforeMicros],
      ),

    withTargets: () =>
      find('workspaces_with_targets', `${OF_ALL} ${isThere('notification_targets', 't.removed_at is null')}`, []),

    untold: () =>
      find(
        'untold_logs',
        `${OF_ALL} ${isThere('notification_targets', 't.removed_at is null')}
           and h.tree_size > coalesce((select t.tree_size from answer_evidence.notification_places t
             where t.workspace_id = h.workspace_id), 0)`,
        [],
      ),

    async withUnindexedWords() {
      const behind = await ask<{ readonly tree_size: number }>(
        'unindexed_words',
        `select h.workspace_id, h.tree_size from answer_evidence.word_indexes i
           join answer_evidence.ledger_heads h on h.workspace_id = i.workspace_id and h.tree_size > i.next_leaf`,
        [],
      );
      return behind.map(({ workspace, row }) => ({ workspace, treeSize: row.tree_size }));
    },

    async withChangedSettings() {
      const changed = await ask<{ readonly version: number; readonly has_words: boolean }>(
        'changed_settings',
        `select * from (select h.workspace_id, ${isThere('word_indexes', 'true')} as has_words,
             (select max(t.seq) from answer_evidence.workspace_entries t
               where t.workspace_id = h.workspace_id and t.type = 'settings_changed') as version
           from answer_evidence.ledger_heads h) found where version > 1 or has_words`,
        [],
      );
      return changed.map(({ workspace, row }) => ({ workspace, version: row.version, hasWords: row.has_words }));
    },

    unstreamed: () =>
      find(
        'unstreamed_logs',
        `${OF_ALL} ${isThere('stream_states', `t.state = 'active' and t.tree_size < h.tree_size`)}`,
        [],
      ),

    withOpenRuns: () =>
      find('workspaces_with_runs', `${OF_ALL} ${isThere('reconciliation_states', `t.status <> 'completed'`)}`, []),
  };
}
