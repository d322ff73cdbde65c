import { listHeldRecords } from '@answer-evidence/contracts/operations';
import type { FoundPage, LeafPage, ListedRecord } from '@answer-evidence/ports';
import { askLeafPage, defineRoute, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { getStoredHold } from '../../holds/get-stored-hold.ts';
import { readHold } from '../../holds/to-hold-resource.ts';
import { toSummaryResource } from '../../resources/to-record-resource.ts';

/** `GET /api/holds/{hold_id}/records`: what a hold covers now, newest first, without texts. */
export function listHeldRecordsRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...listHeldRecords,
    async handle({ params, query, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const {
        id,
        filters,
        answer_log_ids: ids = [],
      } = readHold(await getStoredHold(deps, workspace.id, params.hold_id));
      const asked = askLeafPage(workspace.vault, { list: 'held records', id }, query);
      const page = asked.page;
      const found =
        filters === undefined
          ? await listNamed(deps, workspace.id, ids, page)
          : await deps.records.list(workspace.id, filters, page);
      const body = asked.show(found, (record) => toSummaryResource(workspace, record));
      return { status: 200, body };
    },
  });
}

async function listNamed(
  { holds, records }: Pick<IngestDeps, 'holds' | 'records'>,
  workspaceId: string,
  ids: readonly string[],
  { beforeLeaf = Infinity, offset, limit }: LeafPage,
): Promise<FoundPage<ListedRecord>> {
  const leaves = (await holds.records(workspaceId, ids)).map(({ leafIndex }) => leafIndex);
  const wanted = leaves
    .filter((leaf) => leaf < beforeLeaf)
    .toSorted((a, b) => b - a)
    .slice(offset, offset + limit);
  const found = await records.listAt(workspaceId, wanted);
  return {
    items: found.toSorted((a, b) => b.leaf.leaf_index - a.leaf.leaf_index),
    total: leaves.length,
    totalIsExact: true,
  };
}
