import type pg from 'pg';
import { ServiceError } from '@answer-evidence/contracts';
import {
  type DueLook,
  StoredDamageError,
  type WorkFinder,
  type Workspace,
  type WorkspaceDirectory,
} from '@answer-evidence/ports';
import { nodesOf } from '../distribution/node-questions.ts';
import { queryOnce } from '../session.ts';
import { HAS_TRUST_POLICY, isThere, OF_ALL, withOtlp, WORK } from '../work-statements.ts';

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

  /** Each node by itself, where workspaces are on several: one that is unavailable hides its own alone. */
  async function query<Row extends pg.QueryResultRow>(
    name: string,
    text: string,
    values: readonly number[],
  ): Promise<readonly Row[]> {
    const nodes = nodesOf(pool);
    if (nodes === undefined) return (await queryOnce<Row>(pool, { name, text, values: [...values] })).rows;
    const filled = text.replaceAll(/\$(\d)/g, (_, n: string) => String(values[Number(n) - 1]));
    return ((await nodes.ask(pool, [{ name, text: filled }])).get(name) ?? []) as unknown as readonly Row[];
  }

  /** The rows of a question whose workspaces can be opened, each with its workspace. */
  async function ask<Row>(
    name: string,
    text: string,
    values: readonly number[],
  ): Promise<readonly { readonly workspace: Workspace; readonly row: Row }[]> {
    const rows = await query<Row & { workspace_id: string }>(name, text, values);
    const found = [];
    for (const row of rows) {
      const workspace = await open(row.workspace_id);
      if (workspace !== undefined) found.push({ workspace, row });
    }
    return found;
  }

  async function find(name: string, text: string, values: readonly number[]): Promise<readonly Workspace[]> {
    return (await ask(name, text, values)).map(({ workspace }) => workspace);
  }

  return {
    async grownLogs(sinceMicros) {
      const grown = await ask<{ readonly tree_size: number }>('grown_logs', WORK.grown('$1'), [sinceMicros]);
      return grown.map(({ workspace, row }) => ({ workspace, treeSize: row.tree_size }));
    },

    unpublished: () => find('unpublished_logs', WORK.unpublished(''), []),
    withTrustPolicy: () => find('logs_with_policy', `${OF_ALL} ${HAS_TRUST_POLICY}`, []),

    async attestationsDue(part, nowMicros) {
      const due = await ask<Omit<DueLook, 'workspace'>>(`due_of_${part}`, WORK[`${part}-due`]('$1::bigint'), [
        nowMicros,
      ]);
      return due.map(({ workspace, row: { tree_size, policy_version } }) => ({ workspace, tree_size, policy_version }));
    },

    expiring: (what, beforeMicros) => find(`expiring_${what}`, WORK[`expiring-${what}`]('$1'), [beforeMicros]),
    withOtlp: (nowMicros, sinceMicros) => find('workspaces_with_otlp', withOtlp('$1', '$2'), [nowMicros, sinceMicros]),
    withOldCalls: (beforeMicros) => find('workspaces_with_old_calls', WORK['otlp-calls']('$1'), [beforeMicros]),

    withUnnamedMembers: () =>
      find('logs_without_members', `${OF_ALL} not ${isThere('workspace_entries', `t.type = 'member_changed'`)}`, []),

    uncounted: () => find('uncounted_logs', WORK.uncounted(''), []),
    withOverdueApprovals: (beforeMicros) =>
      find('workspaces_with_overdue_approvals', WORK['overdue-approvals']('$1'), [beforeMicros]),
    withTargets: () => find('workspaces_with_targets', WORK['with-targets'](''), []),
    untold: () => find('untold_logs', WORK.untold(''), []),

    async withUnindexedWords() {
      const behind = await ask<{ readonly tree_size: number }>('unindexed_words', WORK['unindexed-words'](''), []);
      return behind.map(({ workspace, row }) => ({ workspace, treeSize: row.tree_size }));
    },

    async withChangedSettings() {
      const changed = await ask<{ readonly version: number; readonly has_words: boolean }>(
        'changed_settings',
        WORK['changed-settings'](''),
        [],
      );
      return changed.map(({ workspace, row }) => ({ workspace, version: row.version, hasWords: row.has_words }));
    },

    unstreamed: () => find('unstreamed_logs', WORK.unstreamed(''), []),

    withOpenRuns: () =>
      find('workspaces_with_runs', `${OF_ALL} ${isThere('reconciliation_states', `t.status <> 'completed'`)}`, []),
  };
}
