import type pg from 'pg';
import { viewFilters } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import type { SavedViewStore } from '@answer-evidence/ports';
import type { SavedViewRow } from '@answer-evidence/tables';
import { readRows, writeWorkspace } from '../session.ts';

/** Shared views on PostgreSQL. */
export function createSavedViewStore(pool: pg.Pool): SavedViewStore {
  return {
    async list(workspaceId) {
      const rows = await readRows<SavedViewRow>(
        pool,
        'saved_views',
        `select id, name, filters_json, created_by, created_at from answer_evidence.saved_views
           where workspace_id = $1 order by lower(name), name`,
        [workspaceId],
      );
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        filters: viewFilters.parse(parseJsonText(row.filters_json)),
        createdBy: row.created_by,
        createdAt: row.created_at,
      }));
    },
    add: (workspaceId, { id, name, filters, createdBy, createdAt }, max) =>
      writeWorkspace(pool, workspaceId, async (query) => {
        const added = await query(
          'add_saved_view',
          `insert into answer_evidence.saved_views (workspace_id, id, name, filters_json, created_by, created_at)
             select $1, $2, $3, $4, $5, $6
               where (select count(*) from answer_evidence.saved_views where workspace_id = $1) < $7
             on conflict (workspace_id, name) do nothing returning id`,
          [workspaceId, id, name, JSON.stringify(filters), createdBy, createdAt, max],
        );
        if (added.length > 0) return 'added';
        const taken = await query(
          'find_saved_view',
          'select id from answer_evidence.saved_views where workspace_id = $1 and name = $2',
          [workspaceId, name],
        );
        return taken.length > 0 ? 'name_taken' : 'limit_reached';
      }),
    remove: (workspaceId, viewId) =>
      writeWorkspace(pool, workspaceId, async (query) => {
        const removed = await query(
          'remove_saved_view',
          'delete from answer_evidence.saved_views where workspace_id = $1 and id = $2 returning id',
          [workspaceId, viewId],
        );
        return removed.length > 0;
      }),
  };
}
